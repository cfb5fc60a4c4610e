"""Carrying a plan out: documents, writers, passages; one generator's model after the other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generators.backends import backend_named
from generators.build import Builder, Condition, Tally
from generators.corpora import read
from generators.corpora.document import Document
from generators.corpora.reading import Reading
from generators.judges import Judges
from generators.plan import Plan, Wanted
from generators.raw import Calls
from generators.windows import windows
from generators.writers import HumanWriter, ModelWriter, SpliceWriter, Writer

MOST_DOCUMENTS = 4_000
"""Of a genre; of a larger corpus so many are drawn by the seed."""


@dataclass(frozen=True, slots=True)
class Built:
    """A condition and what became of it."""

    wanted: Wanted
    tally: Tally


@dataclass(frozen=True, slots=True)
class Store:
    """What is kept from one run to the next.

    Attributes:
        models: the folder of unpacked weights.
        calls_of: gives who asks the back end of a generator.
    """

    models: Path
    calls_of: Callable[[str], Calls]


def read_all(plan: Plan, *, watch: Callable[[], None] = lambda: None) -> Mapping[str, Reading]:
    """Draw the documents of each genre of a plan; `watch` is called before each of them.

    Raises:
        GenerationError: a corpus cannot be used.
    """
    readings: dict[str, Reading] = {}
    for genre in plan.genres:
        watch()
        readings[genre] = read(plan.corpora.get(genre), genre, seed=plan.seed, most=MOST_DOCUMENTS)
    return readings


def carry_out(
    plan: Plan,
    documents: Mapping[str, Sequence[Document]],
    judges: Judges,
    store: Store,
    *,
    watch: Callable[[Sequence[Tally]], None] = lambda _: None,
) -> Sequence[Built]:
    """Build every condition of a plan from documents by genre, in the plan's order.

    Prose is cut by the plan's segmenter, on both sides. `watch` is told the tallies so far,
    in the plan's order; those of conditions that were not begun are empty.
    """
    documents = {genre: [one.cut_by(plan.segmenter) for one in texts] for genre, texts in documents.items()}
    builder = Builder(documents, plan.seed, judges)
    tallies = {one: Tally({}) for one in plan.wanted}
    for generator in dict.fromkeys(one.generator for one in plan.wanted):
        chosen = [one for one in plan.wanted if one.generator == generator]

        def told(now: Sequence[Tally], chosen: Sequence[Wanted] = chosen) -> None:
            tallies.update(zip(chosen, now, strict=True))
            watch(list(tallies.values()))

        _fill(builder, chosen, _writers(plan, chosen, documents, store), told)
    return [Built(*one) for one in tallies.items()]


def _fill(
    builder: Builder,
    chosen: Sequence[Wanted],
    writers: Sequence[Writer],
    told: Callable[[Sequence[Tally]], None],
) -> None:
    """Fill the conditions of one generator; its model goes when this ends."""
    conditions = [
        Condition(one.genre, writer, one.count) for one, writer in zip(chosen, writers, strict=True)
    ]
    told(builder.fill(conditions, watch=told))


def _writers(
    plan: Plan, chosen: Sequence[Wanted], documents: Mapping[str, Sequence[Document]], store: Store
) -> Sequence[Writer]:
    """Return a writer for each condition of one generator; its model is loaded once.

    Conditions that differ in their genre only share a writer, and so its calls.
    """
    name = chosen[0].generator
    settings = plan.generators[name]
    if settings.backend == HumanWriter.name:
        return [HumanWriter() for _ in chosen]
    if settings.backend == SpliceWriter.name:
        return [
            SpliceWriter([one for text in documents[part.genre] for one in windows(text)]) for part in chosen
        ]
    backend = backend_named(
        settings.backend,
        model=settings.model,
        cache=store.models,
        endpoint=settings.server(),
        chat=settings.chat,
    )
    calls = store.calls_of(name)
    writers = {
        (decoding, controls): ModelWriter(backend, plan.decodings[decoding], calls, controls)
        for decoding, controls in dict.fromkeys((one.decoding or "plain", one.controls) for one in chosen)
    }
    return [writers[one.decoding or "plain", one.controls] for one in chosen]
