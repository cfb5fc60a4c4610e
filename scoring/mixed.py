"""The model behind the published numbers: players, passages and generators from all rounds at once.

    points = mean + player + generator + passage + noise

Points are counted from what lazy play earns. Players, generators and passages are normal. Their
variances maximise the restricted likelihood (Patterson and Thompson 1971) under a weak prior,
which keeps a deviation from zero where few stand behind it (Chung et al. 2013). Estimates and
their errors solve Henderson's mixed model equations at these variances (Searle, Casella and
McCulloch 1992, chapter 7).

A round that says nothing about its passage is taken for one on a passage nobody else has met.
Players or passages, whichever are more, are absorbed first, so that the work grows with the
rounds and with the cube of the others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from scoring.skill import UNTOLD, Estimate, Rounds, Skill

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

MOST_STEPS = 100
USUAL_DEVIATION = 0.5
"""Where the prior of a deviation (gamma, shape 2) has its mode, in points."""

_ROWS_AT_ONCE = 2000
_BOUNDS = (-12.0, 4.0)
"""Of the logarithm of a variance; nothing real lies beyond."""


def fit_skill(rounds: Rounds, *, watch: Callable[[int], object] = lambda _: None) -> Skill:
    """Fit the model; `watch` is told the number of each step, of which there are `MOST_STEPS` at most.

    Raises:
        ValueError: no round says anything about its passage, or the fit does not settle.
    """
    import numpy as np

    design = _Design(rounds)
    steps = count(1)

    def criterion(logs: "Floats") -> float:
        return _solved(design, logs).criterion

    def tell(_: "Floats") -> None:
        watch(next(steps))

    found = _scipy().optimize.minimize(
        criterion,
        np.log([0.25, 0.1, 0.25, design.spread]),
        method="L-BFGS-B",
        bounds=[_BOUNDS] * 4,
        callback=tell,
        options={"eps": 1e-5, "maxiter": MOST_STEPS},
    )
    if found.nit >= MOST_STEPS:
        raise ValueError(f"The ratings did not settle within {MOST_STEPS} steps.")
    return _skill(design, found.x)


@dataclass(frozen=True, slots=True)
class _Sums:
    """What rounds of the same noise add to the equations; the absorbed columns come first."""

    rounds: int
    diagonal: "Floats"
    cross: Any
    inner: Any
    right: "Floats"
    square: float


class _Design:
    """The columns of the equations: players and passages (the more numerous first), generators, mean.

    Attributes:
        absorbed: how many columns are absorbed.
        kinds: which variance each column but the mean has: 0 player, 1 generator, 2 passage.
        parts: sums of the rounds that tell about their passage, and of those that do not.
    """

    def __init__(self, rounds: Rounds) -> None:
        import numpy as np

        players, passages = (np.asarray(one, dtype=np.int64) for one in (rounds.players, rounds.passages))
        points = np.asarray(rounds.points, dtype=np.float64)
        generators = np.asarray(rounds.generators, dtype=np.int64)
        tells = passages != UNTOLD
        if not tells.any():
            raise ValueError("No round says anything about its passage.")
        sizes = (int(players.max()) + 1, len(generators))
        self.absorbed = max(sizes)
        firsts = (0, sizes[0]) if sizes[0] >= sizes[1] else (sizes[1], 0)
        self.players = firsts[0] + np.arange(sizes[0])
        self.passages = firsts[1] + np.arange(sizes[1])
        self.generators = sum(sizes) + np.arange(int(generators.max()) + 1)
        self.by = self.generators[generators]
        self.mean = sum(sizes) + len(self.generators)
        self.kinds = np.zeros(self.mean, dtype=np.int64)
        self.kinds[self.generators], self.kinds[self.passages] = 1, 2
        self.spread = max(float(points.var()), 0.1)
        told = passages[tells]
        self.parts = (
            self._sums([self.players[players[tells]], self.passages[told], self.by[told]], points[tells]),
            self._sums([self.players[players[~tells]]], points[~tells]),
        )

    def _sums(self, columns: "list[Ints]", points: "Floats") -> _Sums:
        import numpy as np

        rows = self.rows([*columns, np.full(len(points), self.mean)])
        gram = (rows.T @ rows).tocsr()
        return _Sums(
            rounds=len(points),
            diagonal=gram.diagonal()[: self.absorbed],
            cross=gram[: self.absorbed, self.absorbed :],
            inner=gram[self.absorbed :, self.absorbed :],
            right=rows.T @ points,
            square=float(points @ points),
        )

    def rows(self, columns: "list[Ints]") -> Any:
        """Return a sparse matrix with a one in each of these columns, row by row."""
        import numpy as np

        many, rows = len(columns), len(columns[0])
        places = np.stack(columns, axis=1).ravel()
        starts = np.arange(0, many * rows + 1, many)
        return _scipy().sparse.csr_matrix((np.ones(many * rows), places, starts), shape=(rows, self.mean + 1))

    def average(self, *, players: bool = False, passages: bool = False) -> "Floats":
        """Return the row of the mean, over all players or over all passages or both."""
        import numpy as np

        row = np.zeros(self.mean + 1)
        row[self.mean] = 1
        if players:
            row[self.players] = 1 / len(self.players)
        if passages:
            row[self.passages] = 1 / len(self.passages)
            np.add.at(row, self.by, 1 / len(self.passages))
        return row


@dataclass(frozen=True, slots=True)
class _Solved:
    """The equations at given variances, with their absorbed columns taken out.

    Attributes:
        diagonal: of the absorbed columns.
        cross: absorbed by kept columns.
        lower: the Cholesky factor of what is left for the kept ones.
        solution: of all columns.
        criterion: minus twice the logarithm of restricted likelihood and prior.
    """

    diagonal: "Floats"
    cross: Any
    lower: "Floats"
    solution: "Floats"
    criterion: float


def _solved(design: _Design, logs: "Floats") -> _Solved:
    import numpy as np

    linalg, absorbed, variances = _scipy().linalg, design.absorbed, np.exp(logs)
    told, untold = design.parts
    near, far = float(variances[3]), float(variances[1:].sum())
    prior = np.append(1 / variances[design.kinds], 0)
    diagonal = told.diagonal / near + untold.diagonal / far + prior[:absorbed]
    cross = told.cross / near + untold.cross / far
    right = told.right / near + untold.right / far
    inner = told.inner / near + untold.inner / far
    left = (inner - cross.T @ cross.multiply((1 / diagonal)[:, None])).toarray()
    left[np.diag_indices_from(left)] += prior[absorbed:]
    lower = linalg.cholesky(left, lower=True)
    kept = linalg.cho_solve((lower, True), right[absorbed:] - cross.T @ (right[:absorbed] / diagonal))
    solution = np.concatenate([(right[:absorbed] - cross @ kept) / diagonal, kept])
    criterion = (
        told.rounds * np.log(near)
        + untold.rounds * np.log(far)
        + logs[design.kinds].sum()
        + np.log(diagonal).sum()
        + 2 * np.log(np.diag(lower)).sum()
        + told.square / near
        + untold.square / far
        - right @ solution
        + (2 * np.exp(logs[:3] / 2) / USUAL_DEVIATION - logs[:3]).sum()
    )
    return _Solved(diagonal, cross, lower, solution, float(criterion))


def _skill(design: _Design, logs: "Floats") -> Skill:
    import numpy as np

    solved = _solved(design, logs)
    on_average = design.average(passages=True)
    by_average = design.average(players=True)
    both = design.average(players=True, passages=True)
    player, generator, passage, noise = (float(one) for one in np.exp(logs / 2))
    (mean,) = _estimates(solved, 0 * design.rows([np.array([design.mean])]), both)
    return Skill(
        mean=mean,
        players=_estimates(solved, design.rows([design.players]), on_average),
        passages=_estimates(solved, design.rows([design.passages, design.by]), by_average),
        generators=_estimates(solved, design.rows([design.generators]), by_average),
        deviations=(player, generator, passage, noise),
    )


def _estimates(solved: _Solved, rows: Any, common: "Floats") -> Sequence[Estimate]:
    """Return the sums of columns that each row, plus the common one, asks for."""
    import numpy as np

    absorbed = len(solved.diagonal)
    own, shared = rows[:, :absorbed], common[:absorbed] / solved.diagonal
    alone = own.multiply(own) @ (1 / solved.diagonal) + 2 * own @ shared + common[:absorbed] @ shared
    lifted = rows[:, absorbed:] - own.multiply(1 / solved.diagonal) @ solved.cross
    lifted_common = common[absorbed:] - solved.cross.T @ shared
    rest = np.concatenate([*_squares(solved.lower, lifted.tocsr(), lifted_common)])
    means = rows @ solved.solution + common @ solved.solution
    return [Estimate(*one) for one in zip(means.tolist(), np.sqrt(alone + rest).tolist(), strict=True)]


def _squares(lower: "Floats", rows: Any, common: "Floats") -> "Iterator[Floats]":
    """Yield what the kept columns add to the variances, some rows at a time."""
    for start in range(0, rows.shape[0], _ROWS_AT_ONCE):
        some = rows[start : start + _ROWS_AT_ONCE].toarray() + common
        yield (_scipy().linalg.solve_triangular(lower, some.T, lower=True) ** 2).sum(axis=0)


def _scipy() -> Any:
    """Return scipy, which has no types."""
    import scipy

    return scipy
