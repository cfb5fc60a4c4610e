"""Processor time of a round: ours beside the floor, with 20,000 rounds stored."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from statistics import median

from sqlalchemy import text

from app.settings import Settings
from app.store.database import Database
from bench.sites import Cost, Databases, Site, opened_sites
from bench.stored import GENRES, MODE, Plan

PLAYERS = 2_000
DECKS = (100, 4_000)
BLOCKS = 16
ROUNDS_A_BLOCK = 8
TARGET = 5.0
COLUMNS = ("ours, API", "floor, API", "ratio", "ours, pages")

HUMANS = 5
HUMAN = {"call": "human"}
MACHINE = {"call": "machine", "reasons": ["generic", "irrelevant"]}

_BOOKS = text("""
SELECT count(*), count(closed_at), (SELECT sum(rounds) FROM standing WHERE genre = '' AND season = '')
FROM round
""")

Player = Callable[[Site, int, "str | None"], None]


@dataclass(frozen=True, slots=True)
class RoundCosts:
    """What a round cost on one database with one deck, in every block."""

    database: str
    deck: int
    ours: list[Cost]
    floor: list[Cost]
    pages: list[Cost]


def measure_rounds(databases: Databases) -> Iterator[RoundCosts]:
    """Play on every database and deck; ours and the floor take turns."""
    for kind in ("sqlite", "postgresql"):
        for deck in DECKS:
            name = f"{kind}_deck_{deck}"
            plan = Plan(PLAYERS, 10, deck, has_moves=True)
            print(f"  {kind}, a deck of {deck:,}: storing {plan.rounds:,} rounds", flush=True)
            ours = databases.filled(kind, name, plan)
            floor = databases.copied(ours, f"{name}_floor")
            with opened_sites(databases, {"ours": ("ours", ours), "floor": ("floor", floor)}) as sites:
                print(f"  {kind}, a deck of {deck:,}: playing", flush=True)
                costs = _take_turns(kind, deck, sites["ours"], sites["floor"])
            played = (BLOCKS + 1) * ROUNDS_A_BLOCK
            _check_books(ours, plan.rounds + 2 * played)
            _check_books(floor, plan.rounds + played)
            yield costs


def print_rounds(found: list[RoundCosts]) -> None:
    """Print the table of rounds."""
    print(f"\nA. Processor ms a round, {PLAYERS * 10:,} rounds stored.")
    print(f"   Median of {BLOCKS} blocks (lowest–highest); every second round asks for a genre. The floor is")
    print("   Starlette and sqlite3 or psycopg by hand; “+ db” adds the backends of PostgreSQL.")
    print(f"   Target: a ratio of {TARGET:.0f} at most.\n")
    print(f"{'database':<12}{'deck':>6}  {'':<6}" + "".join(f"{title:>20}" for title in COLUMNS))
    for costs in found:
        _print_line(costs, "web", lambda cost: cost.web)
        if costs.database != "sqlite":
            _print_line(costs, "+ db", lambda cost: cost.all)
    print("\n   A round over the API is 7 requests; on the pages 9 (the page, six parts, the reasons).")


def play_api(site: Site, player: int, genre: str | None) -> None:
    """Play a round over the API: start, five times human, machine."""
    asked = {"mode": MODE, "genre": genre} if genre else {"mode": MODE}
    _, reply = site.ask("POST", "/api/v1/rounds", player, expect=201, body=json.dumps(asked))
    moves = f"/api/v1/rounds/{json.loads(reply)['id']}/moves"
    for turn, move in enumerate([*[HUMAN] * HUMANS, MACHINE]):
        _, reply = site.ask("POST", f"{moves}/{turn}", player, expect=200, body=json.dumps(move))
    closed = json.loads(reply)
    if closed["verdict"]["guess"] != HUMANS + 1 or not closed["provenance"]["source"]["title"]:
        raise RuntimeError(f"This is no reveal: {closed}")


def play_pages(site: Site, player: int, genre: str | None) -> None:
    """Play the same round on the pages, with htmx."""
    asked = f"mode={MODE}&genre={genre}" if genre else f"mode={MODE}"
    address, _ = site.ask("POST", "/rounds", player, expect=303, body=asked)
    site.ask("GET", address, player, expect=200)
    for turn in range(HUMANS):
        site.ask(
            "POST", f"{address}/moves/{turn}", player, expect=200, body="call=human&client_ms=900", part=True
        )
    decided = f"call=machine&kind=decided&turn={HUMANS}"
    site.ask("POST", f"{address}/events", player, expect=200, body=decided, part=True)
    closing = "call=machine&reasons=generic&reasons=irrelevant"
    _, part = site.ask("POST", f"{address}/moves/{HUMANS}", player, expect=200, body=closing, part=True)
    if b"Where this text comes from" not in part:
        raise RuntimeError(f"This is no reveal: {part.decode()}")


def _take_turns(kind: str, deck: int, ours: Site, floor: Site) -> RoundCosts:
    costs = RoundCosts(kind, deck, [], [], [])
    players = cycle(range(PLAYERS))
    turns: list[tuple[Site, Player, list[Cost]]] = [
        (ours, play_api, costs.ours),
        (floor, play_api, costs.floor),
        (ours, play_pages, costs.pages),
    ]
    for site, play, _ in turns:
        _block(site, play, players)
    for _ in range(BLOCKS):
        for site, play, into in turns:
            into.append(_block(site, play, players))
    return costs


def _block(site: Site, play: Player, players: Iterator[int]) -> Cost:
    """Let several players play a round each; return what one round cost."""
    before = site.spent()
    for number in range(ROUNDS_A_BLOCK):
        play(site, next(players), GENRES[number % len(GENRES)] if number % 2 else None)
    return (site.spent() - before) / ROUNDS_A_BLOCK


def _check_books(url: str, rounds: int) -> None:
    """Fail unless all rounds are closed and the board counts each of them."""
    database = Database(Settings(database_url=url).url)
    with database.read() as db:
        books = tuple(db.execute(_BOOKS).one())
    database.close()
    if books != (rounds, rounds, rounds):
        raise RuntimeError(f"{rounds} rounds were played, but {url} has {books}.")


def _print_line(costs: RoundCosts, label: str, part: Callable[[Cost], float]) -> None:
    ours, floor, pages = ([part(cost) for cost in found] for found in (costs.ours, costs.floor, costs.pages))
    ratios = [one / other for one, other in zip(ours, floor, strict=True)]
    print(
        f"{costs.database:<12}{costs.deck:>6}  {label:<6}{_spread(ours):>20}{_spread(floor):>20}"
        f"{_spread(ratios):>20}{_spread(pages):>20}"
    )


def _spread(values: list[float]) -> str:
    return f"{median(values):.2f} ({min(values):.1f}–{max(values):.1f})"
