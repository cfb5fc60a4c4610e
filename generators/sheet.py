"""A page to read before a deck is used: what is in it, what was refused, what gives it away.

The page stands alone: no script, no picture, nothing from elsewhere. It may be passed on,
so human sentences whose licence is not known to allow that are left out of the examples,
unless all texts are asked for; then the page says that it is for one's own use.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from game.passage import LENGTH, Passage
from game.records import GeneratorRecord, PassageRecord, passage_of
from generators.audit import Audited, TooSmall
from generators.cells import Cell, Home, decoding_name, generator_names, homes_of, name_of
from generators.conditions import Condition, Told, conditions_of
from generators.corpora import resolve
from generators.examples import WRITERS, Shown, examples, heads_of, must_stay
from generators.profiles import RATES, Profile, Spread, profiles

HIGH_AUC, LOW_P = 0.55, 0.01
"""Layout above the one or at most the other asks for a closer look."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How a sheet is wanted.

    Attributes:
        seed: draws the examples.
        all_texts: show human sentences that may not be passed on.
    """

    permutations: int
    seed: int
    all_texts: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: what it is about, numbers, words."""

    heads: Sequence[str]
    numbers: Sequence[str]
    words: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; its columns are those of the rows' heads, numbers and words."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Row]

    @property
    def headings(self) -> Sequence[tuple[str, str]]:
        """The columns, each with the class of what stands below."""
        first = self.rows[0] if self.rows else Row((), ())
        kinds = ["head"] * len(first.heads) + ["number"] * len(first.numbers) + ["words"] * len(first.words)
        return list(zip(self.columns, kinds, strict=False))


@dataclass(frozen=True, slots=True)
class File:
    """A file of the sheet; the note says why nothing is known of its conditions."""

    name: str
    passages: int
    sha256: str
    note: str | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that the page shows."""

    files: Sequence[File]
    passages: int
    asked: Asked
    for_own_use: bool
    left_out: bool
    refused: Grid
    boundaries: Grid
    layout: Grid
    style: Grid
    too_small: Sequence[str]
    lengths: Grid
    signs: Grid
    ends: Grid
    shown: Sequence[Shown]


def sheet_of(
    files: Mapping[Path, Sequence[PassageRecord]], cells: Sequence[Audited | TooSmall], asked: Asked
) -> Sheet:
    """Put together what a sheet shows of passage files and their audit.

    Raises:
        BadRecordError: a pointer leads nowhere.
    """
    records = [record for part in files.values() for record in part]
    homes, passages = homes_of(records), [passage_of(record, resolve) for record in records]
    told = {path: conditions_of(path) for path in files}
    described = profiles(passages, homes)
    shut = any(map(must_stay, records))
    found = [cell for cell in cells if isinstance(cell, Audited)]
    return Sheet(
        files=[_file(path, part, told[path]) for path, part in files.items()],
        passages=len(records),
        asked=asked,
        for_own_use=shut and asked.all_texts,
        left_out=shut and not asked.all_texts,
        refused=_refused([one for part in told.values() for one in part.conditions]),
        boundaries=_boundaries(homes, passages),
        layout=_layout([cell for cell in found if cell.kind == "layout"]),
        style=_style([cell for cell in found if cell.kind == "style"]),
        too_small=[
            f"{cell.cell.name}: {cell.passages} passages of {cell.documents} documents"
            for cell in cells
            if isinstance(cell, TooSmall)
        ],
        lengths=_lengths(described),
        signs=_signs(described),
        ends=_ends(described),
        shown=examples(records, homes, seed=asked.seed, all_texts=asked.all_texts),
    )


def drawn(sheet: Sheet) -> str:
    """Draw the page."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("sheet.html").render(view=sheet)


def verdict(auc: float, p: float) -> str:
    """Say in words whether layout gives the answer away."""
    high = [f"AUC above {HIGH_AUC}"] if auc > HIGH_AUC else []
    sure = [f"p at most {LOW_P}"] if p <= LOW_P else []
    return f"look closer: {' and '.join(high + sure)}" if high or sure else "does not tell"


def _file(path: Path, records: Sequence[PassageRecord], told: Told) -> File:
    return File(path.name, len(records), hashlib.sha256(path.read_bytes()).hexdigest(), told.note)


def _refused(conditions: Sequence[Condition]) -> Grid:
    names = generator_names(map(_generator, conditions))
    rows = [
        Row(
            (
                one.genre,
                one.name or name_of(_generator(one), names),
                decoding_name(one.decoding) if one.decoding else "",
            ),
            (_or_dash(one.wanted), str(one.kept), str(sum(one.refused.values()))),
            ("; ".join(f"{reason} {many}" for reason, many in one.refused.items()),),
        )
        for one in conditions
    ]
    columns = ("Genre", "Condition", "Decoding", "Wanted", "Kept", "Refused", "Reasons")
    return Grid("Kept and refused, by condition", columns, rows)


def _generator(one: Condition) -> GeneratorRecord:
    return GeneratorRecord(name=one.generator, model=one.model)


def _or_dash(number: int | None) -> str:
    return "–" if number is None else str(number)


def _boundaries(homes: Sequence[Home], passages: Sequence[Passage]) -> Grid:
    many: dict[tuple[str, str, str], Counter[int]] = defaultdict(Counter)
    for home, passage in zip(homes, passages, strict=True):
        many[heads_of(home)][passage.boundary] += 1
    places = range(1, LENGTH + 1)
    rows = [
        Row(heads, [*(str(counts[place] or "") for place in places), str(counts.total())])
        for heads, counts in sorted(many.items())
    ]
    columns = ("Genre", "Generator", "Decoding", *(str(place) for place in places), "All")
    return Grid("Passages by the number of human sentences at the beginning", columns, rows)


def _layout(cells: Sequence[Audited]) -> Grid:
    rows = [
        Row(_names(cell.cell), _found(cell), (verdict(cell.auc, cell.p), _telling(cell))) for cell in cells
    ]
    return Grid("Layout", (*_AUDIT, "Verdict", "Single cues that tell most, with their AUC"), rows)


def _style(cells: Sequence[Audited]) -> Grid:
    rows = [Row(_names(cell.cell), _found(cell), (_telling(cell),)) for cell in cells]
    return Grid("Style", (*_AUDIT, "Single cues that tell most, with their AUC"), rows)


_AUDIT = (
    *("Genre", "Generator", "Decoding"),
    *("AUC", "95 % interval", "p", "Passages", "Machine (or other) sentences", "Human sentences"),
)


def _names(cell: Cell) -> tuple[str, str, str]:
    return cell.genre or "all genres", cell.generator or "all models", cell.decoding or ""


def _found(cell: Audited) -> Sequence[str]:
    low, high = cell.interval
    numbers = (cell.passages, cell.machine_sentences, cell.human_sentences)
    return (f"{cell.auc:.3f}", f"{low:.3f} to {high:.3f}", f"{cell.p:.3f}", *map(str, numbers))


def _telling(cell: Audited) -> str:
    return ", ".join(f"{name} {auc:.3f}" for name, auc in cell.telling.items())


def _lengths(described: Sequence[Profile]) -> Grid:
    rows = [
        Row(_writer(one), (str(one.sentences), *_numbers(one.characters), *_numbers(one.words)))
        for one in described
    ]
    columns = (
        *("Genre", "Written by", "Sentences"),
        *("Characters, mean", "quarter below", "half below", "three quarters below"),
        *("Words, mean", "quarter below", "half below", "three quarters below"),
    )
    return Grid("Length of a sentence", columns, rows)


def _writer(one: Profile) -> tuple[str, str]:
    return one.genre, f"{WRITERS[one.author]} ({one.generator})" if one.generator else WRITERS[one.author]


def _numbers(spread: Spread) -> Sequence[str]:
    return [f"{spread.mean:.1f}", *(f"{one:g}" for one in spread.quartiles)]


def _signs(described: Sequence[Profile]) -> Grid:
    rows = [Row(_writer(one), [f"{one.rates[name]:.2f}" for name in RATES]) for one in described]
    columns = ("Genre", "Written by", *(name.capitalize() for name in RATES))
    return Grid("Signs per 100 characters", columns, rows)


def _ends(described: Sequence[Profile]) -> Grid:
    signs = list(dict.fromkeys(sign for one in described for sign in one.last))
    rows = [
        Row(_writer(one), [f"{100 * one.last.get(sign, 0):.1f} %" for sign in signs]) for one in described
    ]
    return Grid(
        "What sentences end in",
        ("Genre", "Written by", *(sign if len(sign) > 1 else f"“{sign}”" for sign in signs)),
        rows,
    )
