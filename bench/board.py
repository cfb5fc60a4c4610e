"""Time of the leaderboard with 2,000 and with 2,000,000 rounds stored."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from sqlalchemy import text

from app.settings import Settings
from app.store.database import Database
from bench.sites import Cost, Databases, Site, opened_sites
from bench.stored import Plan

BLOCKS = 12
REQUESTS_A_BLOCK = 20
TARGET = 1.5
PLACES = {"API": "/api/v1/leaderboard", "page": "/leaderboard"}

GROWTHS = {
    "players grow": (Plan(200, 10, 100), Plan(200_000, 10, 100)),
    "200 players": (Plan(200, 10, 12_000), Plan(200, 10_000, 12_000)),
}
"""What is stored: the number of players grows with the rounds, or stays."""

_LAST_RANKED = text("""
SELECT handle FROM standing JOIN player ON player.id = player_id
WHERE genre = '' AND season = '' AND lower > lazy_line ORDER BY lower, player_id LIMIT 1
""")


@dataclass(frozen=True, slots=True)
class BoardCosts:
    """What the board cost at both sizes, in every block."""

    database: str
    growth: str
    place: str
    small: list[Cost]
    large: list[Cost]


def measure_boards(databases: Databases) -> Iterator[BoardCosts]:
    """Look at the board on every database; the small and the large one take turns."""
    for kind in ("sqlite", "postgresql"):
        for number, (growth, plans) in enumerate(GROWTHS.items()):
            urls: list[str] = []
            for plan in plans:
                print(f"  {kind}, {plan.players:,} players: storing {plan.rounds:,} rounds", flush=True)
                urls.append(databases.filled(kind, f"{kind}_board_{number}_{plan.rounds}", plan))
            callers = [_last_ranked(url) for url in urls]
            with opened_sites(databases, {url: ("ours", url) for url in urls}) as sites:
                print(f"  {kind}, {growth}: looking at the board", flush=True)
                for place in PLACES:
                    yield _take_turns(BoardCosts(kind, growth, place, [], []), [*sites.values()], callers)


def print_boards(found: list[BoardCosts]) -> None:
    """Print the table of boards."""
    print("\nB. Leaderboard, ms a request, with 2 k and with 2 M rounds stored.")
    print(f"   Median of {BLOCKS} blocks; the caller is the last ranked. Target: a ratio below {TARGET}.\n")
    print(f"{'':<36}{'processor':>27}{'processor + db':>27}{'clock':>27}")
    print(f"{'database':<12}{'stored':<14}{'by':<10}" + f"{'2 k':>9}{'2 M':>9}{'ratio':>9}" * 3)
    for costs in found:
        cells = (
            _cells(costs, lambda cost: cost.web),
            _cells(costs, lambda cost: cost.all) if costs.database != "sqlite" else f"{'–':>9}" * 3,
            _cells(costs, lambda cost: cost.wall),
        )
        print(f"{costs.database:<12}{costs.growth:<14}{costs.place:<10}" + "".join(cells))


def _take_turns(costs: BoardCosts, sites: list[Site], callers: list[int]) -> BoardCosts:
    turns = list(zip(sites, callers, (costs.small, costs.large), strict=True))
    for site, caller, _ in turns:
        _check(site, caller)
        _block(site, PLACES[costs.place], caller)
    for _ in range(BLOCKS):
        for site, caller, into in turns:
            into.append(_block(site, PLACES[costs.place], caller))
    return costs


def _block(site: Site, path: str, caller: int) -> Cost:
    before = site.spent()
    for _ in range(REQUESTS_A_BLOCK):
        site.ask("GET", path, caller, expect=200)
    return (site.spent() - before) / REQUESTS_A_BLOCK


def _check(site: Site, caller: int) -> None:
    """Fail unless both halves are full and the caller comes last, with neighbours if not too far down."""
    lines = json.loads(site.ask("GET", PLACES["API"], caller, expect=200)[1])
    above_luck = [line["above_luck"] for line in lines]
    if above_luck not in ([True] * 50 + [False] * 50 + [True] * more for more in (1, 6)):
        raise RuntimeError(f"The board has {len(lines)} lines, {sum(above_luck)} of them above luck.")


def _last_ranked(url: str) -> int:
    """Return the number of the ranked player with most others ahead."""
    database = Database(Settings(database_url=url).url)
    with database.read() as db:
        handle = str(db.execute(_LAST_RANKED).scalar_one())
    database.close()
    return int(handle.rpartition("-")[2])


def _cells(costs: BoardCosts, part: Callable[[Cost], float]) -> str:
    small, large = (median(part(cost) for cost in found) for found in (costs.small, costs.large))
    return f"{small:>9.2f}{large:>9.2f}{large / small:>9.2f}"
