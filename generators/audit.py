"""How much of the answer lies in cues that have nothing to do with reading.

Two classifiers look at single sentences, layout and style, and are cross-validated by
document. Machine sentences are only compared with human ones of the same genre at the
same place of the passage, from passages that are in human hands there; the first sentence,
always human, is left out. `cells` says which passages are looked at together, `separation`
why pooled ones cannot be told by their genre.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from game.passage import LENGTH
from game.records import PassageRecord, passage_of
from generators import cues
from generators.cells import Cell, cells_of, homes_of
from generators.corpora import resolve
from generators.errors import BackendMissingError
from generators.separation import FOLDS, Passages, Separation, Table, separation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PERMUTATIONS = 199
KINDS: Mapping[str, Callable[[str], Mapping[str, float]]] = {"layout": cues.layout, "style": cues.style}


@dataclass(frozen=True, slots=True)
class Audited:
    """What one classifier finds in one cell; None is where the cell does not tell apart.

    Attributes:
        auc: the mean of the folds; 0.5 is chance.
        interval: of that mean, 95 %, by the folds' spread.
        p: of the permutation test; boundaries change places between passages of a genre.
            Doubled (at most 1), since the stronger of two classifiers was picked.
        telling: the single cues that tell most, each with its own AUC.
    """

    genre: str | None
    generator: str | None
    decoding: str | None
    kind: str
    auc: float
    interval: tuple[float, float]
    p: float
    classifier: str
    passages: int
    machine_sentences: int
    human_sentences: int
    telling: Mapping[str, float]

    @property
    def cell(self) -> Cell:
        """What it is about."""
        return Cell(self.genre, self.generator, self.decoding)


@dataclass(frozen=True, slots=True)
class TooSmall:
    """A cell of too few documents to cross-validate by."""

    genre: str | None
    generator: str | None
    decoding: str | None
    passages: int
    documents: int

    @property
    def cell(self) -> Cell:
        """What it is about."""
        return Cell(self.genre, self.generator, self.decoding)


def audit(  # noqa: PLR0913 - what is asked for, and how to go about it
    records: Sequence[PassageRecord],
    *,
    kinds: Sequence[str] = tuple(KINDS),
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    workers: int = 1,
    watch: Callable[[str], None] = lambda _: None,
) -> Iterator[Audited | TooSmall]:
    """Yield what each classifier finds, cell by cell; `watch` is told what comes next.

    The work is spread over so many processes, -1 for all cores; the results are the same.

    Raises:
        BackendMissingError: scikit-learn is not installed.
        BadRecordError: a pointer leads nowhere.
    """
    joblib = _joblib()
    cells = cells_of(homes_of(records))
    documents = {cell: len({records[at].source.document for at in chosen}) for cell, chosen in cells.items()}
    fit = [(cell, kind) for cell in cells if documents[cell] >= FOLDS for kind in kinds]
    tables = _tables(records, kinds if fit else ())
    parts = (tables[kind].some(cells[cell]) for cell, kind in fit)
    alone = joblib.delayed(_alone)
    run = joblib.Parallel(n_jobs=workers, return_as="generator", max_nbytes=None)
    results = iter(run(alone(table, permutations, seed) for table in parts))
    for cell, chosen in cells.items():
        if documents[cell] < FOLDS:
            yield TooSmall(cell.genre, cell.generator, cell.decoding, len(chosen), documents[cell])
            continue
        for kind in kinds:
            watch(f"{cell.name}, {kind}")
            yield _audited(cell, kind, len(chosen), next(results))


def _audited(cell: Cell, kind: str, passages: int, found: Separation) -> Audited:
    return Audited(**asdict(cell), kind=kind, passages=passages, **asdict(found))


def _tables(records: Sequence[PassageRecord], kinds: Sequence[str]) -> Mapping[str, Table]:
    import numpy as np

    passages = [passage_of(record, resolve) for record in records]
    texts = [one.text for passage in passages for one in passage.sentences[1:LENGTH]]
    rows = Passages(
        _numbered([record.genre for record in records]),
        _numbered([record.source.document for record in records]),
        np.array([passage.boundary for passage in passages]),
    )
    return {kind: _measured(texts, KINDS[kind], rows) for kind in kinds}


def _measured(
    texts: Sequence[str], measure: Callable[[str], Mapping[str, float]], passages: Passages
) -> Table:
    import numpy as np

    measured = [measure(text) for text in texts]
    values = np.array([list(one.values()) for one in measured], dtype=float)
    return Table(list(measured[0]), values, passages)


def _numbered(names: Sequence[str]) -> "NDArray[np.int64]":
    import numpy as np

    _, numbers = np.unique(names, return_inverse=True)
    return np.asarray(numbers, dtype=np.int64)


def _joblib() -> Any:
    try:
        import joblib  # comes with scikit-learn
    except ImportError as error:
        raise BackendMissingError("An audit needs scikit-learn; `make install-all` installs it.") from error
    return joblib


def _alone(table: Table, permutations: int, seed: int) -> Separation:
    """Work on one core, so that sums come out the same however many workers there are."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return separation(table, permutations=permutations, seed=seed)
