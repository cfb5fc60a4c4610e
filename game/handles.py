"""Pseudonyms for players who have not chosen a name."""

from random import Random

# fmt: off
_FIRST = (
    "amber", "brisk", "calm", "clever", "copper", "coral", "dapper", "eager", "early", "fleet",
    "gentle", "gilded", "glad", "golden", "green", "hazel", "honest", "humble", "indigo", "ivory",
    "jolly", "keen", "kind", "lively", "lucky", "lunar", "mellow", "merry", "mild", "misty", "modest",
    "neat", "nimble", "noble", "olive", "patient", "plucky", "polite", "proud", "quick", "quiet",
    "rapid", "ready", "rosy", "royal", "rustic", "sandy", "silent", "silver", "smooth", "snowy",
    "sober", "solar", "steady", "stout", "sunny", "swift", "tender", "tidy", "upbeat", "velvet",
    "vivid", "warm", "wise",
)
_SECOND = (
    "badger", "beaver", "bittern", "bobcat", "bunting", "cicada", "condor", "cricket", "curlew",
    "dipper", "dolphin", "dunlin", "egret", "ermine", "falcon", "ferret", "finch", "gannet", "gecko",
    "godwit", "goshawk", "grouse", "gull", "hare", "heron", "hoopoe", "ibex", "ibis", "jackdaw",
    "kestrel", "kite", "lapwing", "lark", "linnet", "lizard", "lynx", "magpie", "marten", "merlin",
    "mole", "moth", "newt", "ocelot", "oriole", "osprey", "otter", "owl", "petrel", "pipit", "plover",
    "puffin", "quail", "raven", "robin", "salmon", "seal", "siskin", "skylark", "stoat", "stork",
    "swallow", "tern", "vole", "wren",
)
# fmt: on


def suggest_handle(rng: Random) -> str:
    """Return a pseudonym such as `quiet-otter-4821`."""
    return f"{rng.choice(_FIRST)}-{rng.choice(_SECOND)}-{rng.randrange(1000, 10000)}"
