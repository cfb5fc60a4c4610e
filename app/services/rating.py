"""Ratings: what a closing round changes, and what a merger makes of them."""

from datetime import datetime

from sqlalchemy import Connection

from app.store.ratings import Held, answered, drop_ratings, load_rating, lock_rating, save_rating
from app.store.rounds import StoredRound, modes_played
from game.ratings import PASSAGE, PLAYER, play_out, replayed


def rate_round(
    db: Connection, stored: StoredRound, points: int, *, line: float, is_suspicious: bool, now: datetime
) -> None:
    """Move the ratings of player and passage; the player is locked already.

    A suspicious round says nothing about its passage.
    """
    player = load_rating(db, "player", stored.player_id, stored.mode, start=PLAYER)
    passage = lock_rating(db, "passage", stored.passage_id, stored.mode, start=PASSAGE, now=now)
    after, moved = play_out(player.rating, passage.rating, points, line=line, moves_passage=not is_suspicious)
    save_rating(db, "player", stored.player_id, stored.mode, Held(after, player.rounds + 1), now=now)
    if moved != passage.rating:
        save_rating(db, "passage", stored.passage_id, stored.mode, Held(moved, passage.rounds + 1), now=now)


def rerate(db: Connection, player_id: str, *, now: datetime) -> None:
    """Write a player's ratings anew from all rounds that are theirs; passages stay where they are."""
    drop_ratings(db, player_id)
    for mode in modes_played(db, player_id):
        rounds = [
            (load_rating(db, "passage", passage_id, mode, start=PASSAGE).rating, points, line)
            for passage_id, points, line in answered(db, player_id, mode)
        ]
        if rounds:
            save_rating(db, "player", player_id, mode, Held(replayed(rounds), len(rounds)), now=now)
