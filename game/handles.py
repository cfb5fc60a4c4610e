"""Handles: pseudonyms that are suggested, and the rules for those that are chosen."""

import re
from random import Random

SHORTEST, LONGEST = 2, 30
_FORM = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LOOK_ALIKES = str.maketrans("0125i", "olzsl", "-")
_RESERVED = (
    "account admin administrator anonymous api class daily founder guest guide help instructor machine"
    " moderator nobody official operator owner player research researcher roft root security site staff"
    " study support system team test you"
)

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


def skeleton(handle: str) -> str:
    """Return a handle with hyphens left out and look-alikes folded: `l1l-0tter` is `lllotter`."""
    return handle.translate(_LOOK_ALIKES).replace("rn", "m").replace("vv", "w")


def is_handle(text: str) -> bool:
    """Say whether a text has the form of a handle."""
    return SHORTEST <= len(text) <= LONGEST and _FORM.fullmatch(text) is not None


def sounds_official(handle: str) -> bool:
    """Say whether a handle could be taken for the site itself."""
    return skeleton(handle) in _RESERVED_SKELETONS or handle.partition("-")[0] in _OURS


_RESERVED_SKELETONS = frozenset(skeleton(word) for word in _RESERVED.split())
_OURS = frozenset({"admin", "administrator", "moderator", "official", "roft", "staff"})
