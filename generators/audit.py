"""How much of the answer lies in cues that have nothing to do with reading.

Two classifiers look at single sentences, layout and style. They are cross-validated by
document. Machine sentences are only compared with human ones at the same place of the
passage, from passages that are in human hands there; the first sentence, always human,
is left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from game.passage import LENGTH
from game.records import PassageRecord, passage_of
from generators import cues
from generators.corpora import resolve
from generators.errors import BackendMissingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Labels = NDArray[np.bool_]

FOLDS = 5
STUDENT = 2.776
"""The 97.5 % point of Student's t with four degrees of freedom, for five folds."""
CLEARLY = 0.005
"""By how much boosting must be ahead of the simple classifier to be called the stronger."""
PERMUTATIONS = 199
KINDS: Mapping[str, Callable[[str], Mapping[str, float]]] = {"layout": cues.layout, "style": cues.style}


@dataclass(frozen=True, slots=True)
class Audited:
    """What one classifier finds in one genre and generator.

    Attributes:
        auc: the mean of the folds; 0.5 is chance.
        interval: of that mean, 95 %, by the folds' spread.
        p: of the permutation test; boundaries change places between passages. Doubled
            (at most 1), since the stronger of two classifiers was picked.
        telling: the single cues that tell most, each with its own AUC.
    """

    genre: str
    generator: str
    kind: str
    auc: float
    interval: tuple[float, float]
    p: float
    classifier: str
    passages: int
    machine_sentences: int
    human_sentences: int
    telling: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TooSmall:
    """A genre and generator of too few documents to cross-validate by."""

    genre: str
    generator: str
    passages: int
    documents: int


@dataclass(frozen=True)
class _Table:
    """Sentences as numbers; `passages` says which passage each one is of."""

    names: Sequence[str]
    values: "Numbers"
    places: "NDArray[np.int64]"
    passages: "NDArray[np.int64]"
    documents: "NDArray[np.int64]"
    boundaries: "NDArray[np.int64]"

    def labels(self, boundaries: "NDArray[np.int64]") -> "Labels":
        """Whether each sentence lies at or after its passage's boundary."""
        return self.places >= boundaries[self.passages]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A passage as the audit sees it."""

    genre: str
    generator: str
    document: str
    boundary: int
    sentences: tuple[str, ...]


def audit(
    records: Sequence[PassageRecord],
    *,
    kinds: Sequence[str] = tuple(KINDS),
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    watch: Callable[[str], None] = lambda _: None,
) -> Iterator[Audited | TooSmall]:
    """Yield what each classifier finds, per genre and generator.

    Raises:
        BadRecordError: a pointer leads nowhere.
    """
    judged = [_judged(record) for record in records]
    for genre, generator in _groups(judged):
        chosen = [one for one in judged if one.genre == genre and one.generator in {generator, "human"}]
        documents = len({one.document for one in chosen})
        if documents < FOLDS:
            yield TooSmall(genre, generator, len(chosen), documents)
            continue
        for kind in kinds:
            watch(f"{genre}, {generator}, {kind}")
            yield _examined(chosen, (genre, generator, kind), permutations=permutations, seed=seed)


def _judged(record: PassageRecord) -> _Judged:
    passage = passage_of(record, resolve)
    return _Judged(
        genre=record.genre,
        generator=record.generator.name if record.generator else "human",
        document=record.source.document,
        boundary=passage.boundary,
        sentences=tuple(sentence.text for sentence in passage.sentences),
    )


def _groups(judged: Sequence[_Judged]) -> Sequence[tuple[str, str]]:
    return sorted({(one.genre, one.generator) for one in judged if one.generator != "human"})


def _examined(
    judged: Sequence[_Judged], cell: tuple[str, str, str], *, permutations: int, seed: int
) -> Audited:
    genre, generator, kind = cell
    table = _table(judged, KINDS[kind])
    truth = table.labels(table.boundaries)
    models = _models()
    scores = {name: _fold_aucs(table, truth, make) for name, make in models.items()}
    simple, best = models
    if _mean(scores[best]) < _mean(scores[simple]) + CLEARLY:
        best = simple
    p = _permutation_p(table, models[best], _mean(scores[best]), permutations, seed)
    return Audited(
        genre=genre,
        generator=generator,
        kind=kind,
        auc=_mean(scores[best]),
        interval=_interval(scores[best]),
        p=min(1.0, p * len(models)),
        classifier=best,
        passages=len(judged),
        machine_sentences=int(truth.sum()),
        human_sentences=int((~truth).sum()),
        telling=_telling(table, truth),
    )


def _table(judged: Sequence[_Judged], measure: Callable[[str], Mapping[str, float]]) -> _Table:
    import numpy as np

    rows = [
        (number, place, measure(one.sentences[place]))
        for number, one in enumerate(judged)
        for place in range(1, LENGTH)
    ]
    documents = sorted({one.document for one in judged})
    of_document = np.array([documents.index(one.document) for one in judged])
    passages = np.array([number for number, _, _ in rows])
    values = np.array([list(measured.values()) for _, _, measured in rows], dtype=float)
    varying = values.std(axis=0) > 0
    varying[0] |= not varying.any()
    return _Table(
        names=[name for name, varies in zip(rows[0][2], varying, strict=True) if varies],
        values=values[:, varying],
        places=np.array([place for _, place, _ in rows]),
        passages=passages,
        documents=of_document[passages],
        boundaries=np.array([one.boundary for one in judged]),
    )


def _models() -> Mapping[str, Callable[[], Any]]:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import StandardScaler
    except ImportError as error:
        raise BackendMissingError("An audit needs scikit-learn; `make install-all` installs it.") from error
    return {
        "logistic regression": lambda: Pipeline(
            [("scale", StandardScaler()), ("model", LogisticRegression(max_iter=300))]
        ),
        "gradient boosting": lambda: HistGradientBoostingClassifier(
            max_iter=20,
            learning_rate=0.25,
            max_leaf_nodes=6,
            max_bins=32,
            min_samples_leaf=15,
            random_state=0,
        ),
    }


def _fold_aucs(table: _Table, truth: "Labels", make: Callable[[], Any]) -> list[float]:
    """Return the AUC of each fold, over pairs at the same place."""
    from sklearn.model_selection import GroupKFold

    aucs: list[float] = []
    folds: Any = GroupKFold(FOLDS)
    for known, left_out in folds.split(table.values, truth, table.documents):
        weights = _balance(truth[known], table.places[known])
        model = make()
        model.fit(table.values[known], truth[known], **_weighted(model, weights))
        scores = model.predict_proba(table.values[left_out])[:, 1]
        aucs.append(auc_at_equal_places(scores, truth[left_out], table.places[left_out]))
    return aucs


def _weighted(model: Any, weights: "Numbers") -> Mapping[str, Any]:
    return {"model__sample_weight" if hasattr(model, "steps") else "sample_weight": weights}


def _balance(truth: "Labels", places: "NDArray[np.int64]") -> "Numbers":
    """Weigh sentences so that at each place both sides count the same."""
    import numpy as np

    weights = np.zeros(len(truth))
    for place in np.unique(places):
        for side in (True, False):
            here = (places == place) & (truth == side)
            both = min((truth[places == place]).sum(), (~truth[places == place]).sum())
            weights[here] = both / max(1, here.sum())
    return np.maximum(weights, 1e-9)


def auc_at_equal_places(scores: "Numbers", truth: "Labels", places: "NDArray[np.int64]") -> float:
    """Return how often a machine sentence outscores a human one at the same place; ties half."""
    import numpy as np

    wins, pairs = 0.0, 0
    for place in np.unique(places):
        here = places == place
        machine = truth[here]
        many, others = int(machine.sum()), int((~machine).sum())
        if many and others:
            ranks = _ranks(scores[here])
            wins += float(ranks[machine].sum()) - many * (many + 1) / 2
            pairs += many * others
    return wins / pairs if pairs else 0.5


def _ranks(numbers: "Numbers") -> "Numbers":
    """Return the ranks; ties share the middle one."""
    import numpy as np

    _, places, many = np.unique(numbers, return_inverse=True, return_counts=True)
    middle: Numbers = many.cumsum() - (many - 1) / 2
    return middle[places]


def _permutation_p(
    table: _Table, make: Callable[[], Any], observed: float, permutations: int, seed: int
) -> float:
    """Let passages swap boundaries: sentences stay together, places stay balanced."""
    import numpy as np

    rng = np.random.default_rng(seed)
    as_good = 1
    for _ in range(permutations):
        truth = table.labels(rng.permutation(table.boundaries))
        as_good += _mean(_fold_aucs(table, truth, make)) >= observed
    return as_good / (permutations + 1)


def _telling(table: _Table, truth: "Labels", most: int = 4) -> Mapping[str, float]:
    alone = {
        name: auc_at_equal_places(table.values[:, column], truth, table.places)
        for column, name in enumerate(table.names)
    }
    ranked = sorted(alone, key=lambda name: -abs(alone[name] - 0.5))
    return {name: alone[name] for name in ranked[:most]}


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _interval(numbers: Sequence[float]) -> tuple[float, float]:
    import numpy as np

    half = float(STUDENT * np.std(numbers, ddof=1) / np.sqrt(len(numbers)))
    return _mean(numbers) - half, _mean(numbers) + half
