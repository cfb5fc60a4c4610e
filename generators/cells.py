"""Which passages are looked at together, and what they are called.

A generator is a back end with its model; a decoding is its settings. Switches to another
document are a generator of their own and never pooled with models.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from game.passage import Author
from game.records import GeneratorRecord, PassageRecord
from generators.decoding import DOUBLE_QUOTES, Decoding

PER_PASSAGE = "control_code"
"""Drawn for each passage, so it is no part of a decoding's name."""
NOT_STATED = "not stated"
PURE = "pure sampling"
_NEUTRAL = {**Decoding().record(), "context": None}
_QUIET: Mapping[str, Sequence[object]] = {"suppressed": ("", DOUBLE_QUOTES)}
"""Values that a back end decides about and no study compares."""

_Author = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Cell:
    """Passages that are looked at together; None where they are not told apart.

    Attributes:
        generator: None is all models together, without switches to another document.
    """

    genre: str | None
    generator: str | None
    decoding: str | None = None

    @property
    def name(self) -> str:
        """What the cell is called in a line of text."""
        parts = (self.genre or "all genres", self.generator or "all models", self.decoding)
        return " · ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Home:
    """Where one passage belongs.

    Attributes:
        generator: None for a passage that is human to the end.
        decoding: None where nothing was decoded.
        by_model: a machine goes on, and not another document.
    """

    genre: str
    generator: str | None
    decoding: str | None
    by_model: bool


def homes_of(records: Sequence[PassageRecord]) -> Sequence[Home]:
    """Return the home of each record."""
    names = generator_names(record.generator for record in records if record.generator)
    return [_home(record, names) for record in records]


def cells_of(homes: Sequence[Home]) -> Mapping[Cell, Sequence[int]]:
    """Return the cells and the numbers of their passages, human controls among them.

    First every genre and generator; then what is pooled: the models of a genre, a
    generator's genres, and a decoding's genres. A pooled cell that holds the same passages
    as one before it is left out.
    """
    machine = [number for number, home in enumerate(homes) if home.generator is not None]
    cells: dict[Cell, Sequence[int]] = {}
    for of_cells in (_single, _models_of_genre, _genres_of_generator, _genres_of_decoding):
        together: dict[Cell, list[int]] = defaultdict(list)
        for number in machine:
            for cell in of_cells(homes[number]):
                together[cell].append(number)
        for cell in sorted(together, key=_order):
            _put(cells, cell, together[cell], homes)
    return cells


def generator_names(generators: Iterable[GeneratorRecord]) -> Mapping[_Author, str]:
    """Name generators by back end and model.

    Of a folder's path the last two parts are said, and as many more as tell it from others.
    """
    authors = {_author(one) for one in generators}
    return {author: _told_apart(author, authors) for author in authors}


def name_of(generator: GeneratorRecord, names: Mapping[_Author, str]) -> str:
    """Look a generator's name up."""
    return names[_author(generator)]


def decoding_name(decoding: Mapping[str, float | int | str | None]) -> str:
    """Name settings by those that are not neutral."""
    stated = {name: value for name, value in decoding.items() if name != PER_PASSAGE}
    if not stated:
        return NOT_STATED
    told = [_setting(name, value) for name, value in stated.items() if not _is_neutral(name, value)]
    return ", ".join(told) or PURE


def _home(record: PassageRecord, names: Mapping[_Author, str]) -> Home:
    if record.generator is None:
        return Home(record.genre, None, None, by_model=False)
    by_model = record.sentences[-1].author is Author.MACHINE
    return Home(
        genre=record.genre,
        generator=name_of(record.generator, names),
        decoding=decoding_name(record.generator.decoding) if by_model else None,
        by_model=by_model,
    )


def _single(home: Home) -> Iterable[Cell]:
    yield Cell(home.genre, home.generator)


def _models_of_genre(home: Home) -> Iterable[Cell]:
    if home.by_model:
        yield Cell(home.genre, None)


def _genres_of_generator(home: Home) -> Iterable[Cell]:
    yield Cell(None, home.generator)


def _genres_of_decoding(home: Home) -> Iterable[Cell]:
    if home.decoding is not None:
        yield Cell(None, home.generator, home.decoding)


def _order(cell: Cell) -> tuple[str, str, str]:
    return cell.genre or "", cell.generator or "", cell.decoding or ""


def _put(cells: dict[Cell, Sequence[int]], cell: Cell, machine: Sequence[int], homes: Sequence[Home]) -> None:
    """Add a cell with the all-human passages of its genres, if it is not there by another name."""
    genres = {homes[number].genre for number in machine}
    human = (number for number, home in enumerate(homes) if home.generator is None and home.genre in genres)
    numbers = sorted(chain(machine, human))
    if numbers not in cells.values():
        genre = next(iter(genres)) if len(genres) == 1 else None
        cells[Cell(genre, cell.generator, cell.decoding)] = numbers


def _author(generator: GeneratorRecord) -> _Author:
    return generator.name, generator.model


def _told_apart(author: _Author, authors: Iterable[_Author]) -> str:
    name, model = author
    if model is None or model == name:
        return name
    others = [other for backend, other in authors if other and backend == name and other != model]
    parts = model.rstrip("/").split("/")
    for many in range(2, len(parts)):
        short = "/".join(parts[-many:])
        if not any(f"/{other.rstrip('/')}".endswith(f"/{short}") for other in others):
            return f"{name} {short}"
    return f"{name} {model}"


def _is_neutral(name: str, value: object) -> bool:
    return value == _NEUTRAL.get(name) or value in _QUIET.get(name, ())


def _setting(name: str, value: float | str | None) -> str:
    return f"{name} {value:g}" if isinstance(value, float | int) else f"{name} {value}"
