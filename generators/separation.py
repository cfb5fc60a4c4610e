"""How well numbers measured on sentences tell machine from human.

Sentences are compared only within a stratum: at the same place of a passage, of the same
genre. Each side of a stratum weighs the same in fitting, and a stratum where one side is
missing counts for nothing. So neither place nor genre can help a classifier: at each of
them machine and human are equally likely, however different the genres look and however
many passages each of them has. For the same reason boundaries change places only within a
genre in the permutation test, which leaves the strata as they were.

What pooling can do is hide: a cue that points one way in one genre and the other way in
another cancels out. That is what the single genres are looked at for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from game.passage import LENGTH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Labels = NDArray[np.bool_]
    Indices = NDArray[np.int64]

FOLDS = 5
STUDENT = 2.776
"""The 97.5 % point of Student's t with four degrees of freedom, for five folds."""
CLEARLY = 0.005
"""By how much boosting must be ahead of the simple classifier to be called the stronger."""
BINS = 32
TIES = 9
"""Decimals of a score; what differs less is rounding, not a difference."""

_Fold = tuple["Indices", "Indices"]


@dataclass(frozen=True)
class Passages:
    """Passages as rows of numbers; genres and documents are numbered."""

    genres: "Indices"
    documents: "Indices"
    boundaries: "Indices"

    def some(self, numbers: "Indices") -> "Passages":
        """Return some of them."""
        return Passages(self.genres[numbers], self.documents[numbers], self.boundaries[numbers])

    def shuffled(self, rng: "np.random.Generator") -> "Indices":
        """Let passages of a genre swap boundaries."""
        import numpy as np

        mixed = self.boundaries.copy()
        for genre in np.unique(self.genres):
            here = self.genres == genre
            mixed[here] = rng.permutation(self.boundaries[here])
        return mixed


@dataclass(frozen=True)
class Table:
    """What was measured on the sentences after the first: LENGTH - 1 rows for each passage."""

    names: Sequence[str]
    values: "Numbers"
    passages: Passages

    def some(self, numbers: Sequence[int]) -> "Table":
        """Return the rows of some passages, without columns that say the same everywhere."""
        import numpy as np

        chosen = np.asarray(numbers)
        values = self.values.reshape(-1, LENGTH - 1, len(self.names))[chosen].reshape(-1, len(self.names))
        varying = values.std(axis=0) > 0
        varying[0] |= not varying.any()
        names = [name for name, varies in zip(self.names, varying, strict=True) if varies]
        return Table(names, values[:, varying], self.passages.some(chosen))

    @property
    def documents(self) -> "Indices":
        """The document of each row."""
        return self.passages.documents.repeat(LENGTH - 1)

    @property
    def strata(self) -> "Indices":
        """The genre and place of each row, as one number."""
        return self.passages.genres.repeat(LENGTH - 1) * LENGTH + self._places()

    def labels(self, boundaries: "Indices") -> "Labels":
        """Whether each row lies at or after its passage's boundary."""
        return self._places() >= boundaries.repeat(LENGTH - 1)

    def _places(self) -> "Indices":
        import numpy as np

        return np.tile(np.arange(1, LENGTH), len(self.passages.boundaries))


@dataclass(frozen=True, slots=True)
class Separation:
    """What the stronger of two classifiers finds; `Audited` says what each number is."""

    auc: float
    interval: tuple[float, float]
    p: float
    classifier: str
    machine_sentences: int
    human_sentences: int
    telling: Mapping[str, float]


class _View(Protocol):
    """How a classifier sees the columns, in a fold."""

    def __init__(self, values: "Numbers", known: "Indices") -> None: ...

    def seen(self, weights: "Numbers") -> "Numbers":
        """Return all rows, given the weights of those it may learn from."""
        ...


@dataclass(frozen=True)
class _Classifier:
    """A way of seeing sentences, and an estimator that has learnt nothing yet."""

    view: type[_View]
    make: Callable[[], Any]


def separation(table: Table, *, permutations: int, seed: int) -> Separation:
    """Say how well the numbers of a table tell machine from human."""
    truth = table.labels(table.passages.boundaries)
    trials = {name: _Trial(table, classifier) for name, classifier in _classifiers().items()}
    aucs = {name: trial.aucs(truth) for name, trial in trials.items()}
    simple, best = trials
    if _mean(aucs[best]) < _mean(aucs[simple]) + CLEARLY:
        best = simple
    p = _permutation_p(table.passages, trials[best], _mean(aucs[best]), permutations, seed)
    return Separation(
        auc=_mean(aucs[best]),
        interval=_interval(aucs[best]),
        p=min(1.0, p * len(trials)),
        classifier=best,
        machine_sentences=int(truth.sum()),
        human_sentences=int((~truth).sum()),
        telling=_telling(table, truth),
    )


class _Trial:
    """One classifier, fold by fold, ready for many labellings of the same sentences."""

    def __init__(self, table: Table, classifier: _Classifier) -> None:
        self._make = classifier.make
        self._strata = table.strata
        self._labels = table.labels
        self._folds = [(fold, classifier.view(table.values, fold[0])) for fold in _folds(table)]

    def aucs(self, truth: "Labels") -> list[float]:
        """Return the AUC of each fold, over pairs of the same stratum."""
        return [self._auc(truth, fold, view) for fold, view in self._folds]

    def mean_auc(self, boundaries: "Indices") -> float:
        """Return the mean of the folds for other boundaries."""
        return _mean(self.aucs(self._labels(boundaries)))

    def _auc(self, truth: "Labels", fold: _Fold, view: _View) -> float:
        known, left_out = fold
        weights = _balance(truth[known], self._strata[known])
        values = view.seen(weights)
        model = self._make()
        model.fit(values[known], truth[known], sample_weight=weights)
        scores = model.decision_function(values[left_out]).round(TIES)
        return auc_within(self._strata[left_out], scores, truth[left_out])


def _folds(table: Table) -> Iterator[_Fold]:
    from sklearn.model_selection import GroupKFold

    folds: Any = GroupKFold(FOLDS)
    yield from folds.split(table.values, groups=table.documents)


def _classifiers() -> Mapping[str, _Classifier]:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    return {
        "logistic regression": _Classifier(_Scaled, lambda: LogisticRegression(max_iter=300)),
        "gradient boosting": _Classifier(
            _Binned,
            lambda: HistGradientBoostingClassifier(
                max_iter=20,
                learning_rate=0.25,
                max_leaf_nodes=6,
                max_bins=BINS,
                min_samples_leaf=15,
                early_stopping=False,  # pyright: ignore[reportArgumentType] - its own default is no text either
                random_state=0,
            ),
        ),
    }


class _Scaled:
    """Columns of mean 0 and deviation 1 in the rows to learn from."""

    def __init__(self, values: "Numbers", known: "Indices") -> None:
        deviations = values[known].std(axis=0)
        deviations[deviations == 0] = 1
        self._values: Numbers = (values - values[known].mean(axis=0)) / deviations

    def seen(self, weights: "Numbers") -> "Numbers":
        """Return all rows; weights do not matter."""
        del weights
        return self._values


class _Binned:
    """Columns in bins of the same weight, as boosting by histograms wants them.

    The estimator would do the same each time it is fitted, but sort all columns anew; that
    took most of its time.
    """

    def __init__(self, values: "Numbers", known: "Indices") -> None:
        import numpy as np

        self._values, self._known = values, known
        self._columns: list[Indices] = [np.unique(column, return_inverse=True)[1] for column in values.T]
        self._few = [len(np.unique(places[known])) <= BINS for places in self._columns]

    def seen(self, weights: "Numbers") -> "Numbers":
        """Return the bin in each column, or the value where there are few."""
        import numpy as np

        binned = self._values.copy()
        for number, places in enumerate(self._columns):
            if not self._few[number]:
                mass: Numbers = np.bincount(places[self._known], weights, minlength=places.max() + 1).cumsum()
                limits = mass.searchsorted(float(mass[-1]) * np.arange(1, BINS) / BINS)
                binned[:, number] = np.unique(limits).searchsorted(places)
        return binned


def _balance(truth: "Labels", strata: "Indices") -> "Numbers":
    """Weigh sentences so that in each stratum both sides count the same."""
    import numpy as np

    sides = 2 * strata + truth
    many = np.bincount(sides, minlength=2 * (int(strata.max()) + 1)).reshape(-1, 2)
    weights: Numbers = many.min(axis=1, keepdims=True) / np.maximum(1, many)
    return np.maximum(weights.ravel()[sides], 1e-9)


def auc_within(strata: "Indices", scores: "Numbers", truth: "Labels") -> float:
    """Return how often a machine sentence outscores a human one of its stratum; ties half."""
    import numpy as np

    machine = np.bincount(strata, weights=truth)
    rows = np.bincount(strata)
    pairs = float((machine * (rows - machine)).sum())
    below = rows.cumsum() - rows
    ranks = _ranks(scores, strata) - below[strata]
    wins = float(ranks[truth].sum() - (machine * (machine + 1) / 2).sum())
    return wins / pairs if pairs else 0.5


def _ranks(scores: "Numbers", strata: "Indices") -> "Numbers":
    """Return the ranks by stratum, then score; ties share the middle one."""
    import numpy as np

    levels, level = np.unique(scores, return_inverse=True)
    _, place, many = np.unique(strata * len(levels) + level, return_inverse=True, return_counts=True)
    middle: Numbers = many.cumsum() - (many - 1) / 2
    return middle[place]


def _permutation_p(passages: Passages, trial: _Trial, observed: float, permutations: int, seed: int) -> float:
    """Let passages of a genre swap boundaries: sentences stay together, strata stay balanced."""
    import numpy as np

    rng = np.random.default_rng(seed)
    as_good = sum(trial.mean_auc(passages.shuffled(rng)) >= observed for _ in range(permutations))
    return (as_good + 1) / (permutations + 1)


def _telling(table: Table, truth: "Labels", most: int = 4) -> Mapping[str, float]:
    strata = table.strata
    alone = {
        name: auc_within(strata, table.values[:, column], truth) for column, name in enumerate(table.names)
    }
    ranked = sorted(alone, key=lambda name: -abs(alone[name] - 0.5))
    return {name: alone[name] for name in ranked[:most]}


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _interval(numbers: Sequence[float]) -> tuple[float, float]:
    import numpy as np

    half = float(STUDENT * np.std(numbers, ddof=1) / np.sqrt(len(numbers)))
    return _mean(numbers) - half, _mean(numbers) + half
