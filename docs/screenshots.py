"""Takes the pictures of this folder: `.venv/bin/python docs/screenshots.py [FOLDER]`.

A fresh site with the starter deck (without one: with the deck of the tests) is played on by
simulated players; then every page is looked at on a phone and a desk, in both themes.
"""
# ruff: noqa: E402, INP001, S311, TID251 (a script: it reaches for the tests, has a clock and dice)

import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Literal
from uuid import uuid4

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import httpx2
from playwright.sync_api import Browser, Page, sync_playwright

from app.services.joining import new_guest, seat_player
from app.store.players import Claim
from app.store.rounds import NewRound, add_round
from app.web.deps import COOKIE
from app.web.tokens import Tokens
from cli.site import DECKS
from game.mode import SITE
from game.records import PassageRecord
from generators.corpora import resolve
from tests.journeys.conftest import CHROMIUM, QUIET
from tests.journeys.players import joining, moves_to
from tests.journeys.server import SECRET, Server, serving, toy_deck
from tests.journeys.steps import MODE

OUT = ROOT / "docs" / "screenshots"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SCREENS: Mapping[str, Mapping[str, object]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "desk": {"viewport": {"width": 1280, "height": 800}},
}

TEXTS = {
    "middle": "boundary = 7 AND sentences LIKE '%\"machine\"%'",
    "hit": "boundary = 3 AND sentences LIKE '%\"machine\"%'",
    "human": "boundary = 10",
    "switched": "passage.genre <> 'recipes' AND boundary <= 4 AND sentences LIKE '%\"other\"%'",
}
"""Which passage a picture needs; of those that will do, the shortest is taken."""
SHORTEST = """
SELECT passage.id, passage.genre, boundary, deck_id FROM passage
JOIN deck_passage ON passage_id = passage.id JOIN deck ON deck.id = deck_id
WHERE slug = 'starter' AND {} ORDER BY LENGTH(sentences), passage.id LIMIT 1
"""
READ = 4
"""Sentences read on in the round that is still open."""

GENRES = """
SELECT genre, COUNT(*) AS passages FROM deck_passage JOIN deck ON deck.id = deck_id
WHERE slug = 'starter' GROUP BY genre HAVING COUNT(*) >= 10 ORDER BY genre
"""
STRENGTHS = (0.9, 0.75, 0.6, 0.45, 0.3, 0.2)
ROUNDS = 24


def deck() -> Sequence[PassageRecord]:
    """Return the starter deck, or what the tests play with."""
    if not DECKS["starter"].exists():
        return toy_deck()
    return [
        PassageRecord.model_validate_json(line) for line in DECKS["starter"].read_text("utf-8").splitlines()
    ]


def fill_board(server: Server, dice: Random) -> None:
    """Let players of different strength play."""
    counts = server.rows(GENRES)
    for strength in STRENGTHS:
        with joining(server) as player:
            left = ROUNDS - dice.randrange(ROUNDS // 2)
            for row in counts:
                rounds = min(left, row["passages"], ROUNDS // 2)
                left -= rounds
                late = [0 if dice.random() < strength else dice.randrange(1, 7) for _ in range(rounds)]
                player.find(row["genre"], late=late)


def seat(server: Server, claim: Claim, text: str) -> tuple[str, int]:
    """Give the viewer a round on the kind of text that a picture needs; return it with its boundary."""
    (row,) = server.rows(SHORTEST.format(TEXTS[text]))
    now, round_id = datetime.now(UTC), uuid4().hex
    with server.database.write() as db:
        seat_player(db, claim, rng=Random(0), now=now)
        new = NewRound(
            id=round_id,
            player_id=claim.player_id,
            passage_id=row["id"],
            deck_id=row["deck_id"],
            mode=MODE,
            genre=row["genre"],
            asked_genre=None,
            policy=SITE,
            started_at=now,
        )
        add_round(db, new)
    return round_id, row["boundary"]


def play(server: Server, claim: Claim) -> dict[str, str]:
    """Play the viewer's rounds as far as the pictures need them; return their ids by text."""
    token = Tokens(SECRET).sign(claim)
    rounds: dict[str, str] = {}
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=f"{server.address}/api/v1", headers=headers) as client:
        for text in ("hit", "human", "switched", "middle"):
            round_id, boundary = seat(server, claim, text)
            moves = [{"call": "human"}] * READ if text == "middle" else moves_to(boundary)
            for turn, move in enumerate(moves):
                client.post(f"/rounds/{round_id}/moves/{turn}", json=move).raise_for_status()
            rounds[text] = round_id
    return rounds


def pictures(page: Page, rounds: Mapping[str, str]) -> Iterator[str]:
    """Go from page to page; yield the name of the picture to take now."""
    for name, address in {
        "landing": "/",
        "chooser": "/play",
        "round": f"/rounds/{rounds['middle']}#latest",
        "reveal-machine": f"/rounds/{rounds['hit']}",
        "reveal-human": f"/rounds/{rounds['human']}",
        "reveal-switched": f"/rounds/{rounds['switched']}",
        "board": "/leaderboard",
        "daily": "/daily",
        "guide": "/guide",
        "lesson": f"/practice/{MODE}/1",
    }.items():
        page.goto(address)
        yield name
    page.goto(f"/rounds/{rounds['middle']}?call=machine#decide")
    for code in ("irrelevant", "generic"):
        page.locator(f"input[value={code}]").check()
    yield "reasons"


def shoot(browser: Browser, server: Server, claim: Claim, rounds: Mapping[str, str], out: Path) -> None:
    """Take every picture."""
    cookie = {"name": COOKIE, "value": Tokens(SECRET).sign(claim), "url": server.address}
    for screen, options in SCREENS.items():
        for theme in THEMES:
            with browser.new_context(
                base_url=server.address,
                color_scheme=theme,
                reduced_motion="reduce",
                **options,  # type: ignore[arg-type]
            ) as context:
                context.add_cookies([cookie])  # type: ignore[list-item]
                page = context.new_page()
                for name in pictures(page, rounds):
                    page.screenshot(path=out / f"{name}-{screen}-{theme}.png")


def beside_each_other(browser: Browser, out: Path, *names: str) -> None:
    """Put phone pictures into one, for the README."""
    images = "".join(
        f'<img src="data:image/png;base64,{b64encode((out / name).read_bytes()).decode()}">' for name in names
    )
    style = (
        "body { margin: 0; display: flex; gap: 24px; width: max-content } img { width: 360px; height: 779px }"
    )
    with browser.new_context(viewport={"width": 384 * len(names) - 24, "height": 779}) as context:
        page = context.new_page()
        page.set_content(f"<style>{style}</style>{images}")
        page.screenshot(path=out / "readme.png")


def main() -> None:
    """Take the pictures."""
    out = Path(sys.argv[1]) if sys.argv[1:] else OUT
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as home, serving(Path(home), deck(), resolve=resolve) as server:
        dice = Random(4)
        fill_board(server, dice)
        claim = new_guest(dice)
        rounds = play(server, claim)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            shoot(browser, server, claim, rounds, out)
            beside_each_other(
                browser,
                out,
                "round-phone-light.png",
                "reasons-phone-light.png",
                "reveal-machine-phone-dark.png",
            )
            browser.close()


if __name__ == "__main__":
    main()
