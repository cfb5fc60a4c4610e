"""Passages and decks: rows in, values out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    String,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    union_all,
    update,
)

from app.store.inserting import insert_once
from app.store.tables import Deck, DeckPassage, Hold, LazyLine, Merger, PassageRow, RoundRow, table_of
from game.passage import Author, Passage, Sentence
from game.records import PassageRecord

deck = table_of(Deck)
deck_passage = table_of(DeckPassage)
lazy_line = table_of(LazyLine)
passage = table_of(PassageRow)
round_ = table_of(RoundRow)
merger = table_of(Merger)
hold = table_of(Hold)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a passage comes from; told when its round is closed."""

    passage_id: str
    source: Mapping[str, Any]
    other: Mapping[str, Any] | None
    generator: Mapping[str, Any] | None
    licence: str


@dataclass(frozen=True, slots=True)
class GenreCount:
    """A genre on the menu: how many passages it has and how many the player has not finished."""

    genre: str
    passages: int
    unseen: int


_IS_SERVED = (deck.c.kind == "open") & deck.c.retired_at.is_(None)
_IS_HELD = exists().where(hold.c.passage_id == deck_passage.c.passage_id, hold.c.state != "cleared")
_SELF = union_all(
    select(bindparam("player_id", type_=String)),
    select(merger.c.guest_id).where(merger.c.player_id == bindparam("player_id")),
).scalar_subquery()
"""A player, and the guests they were before."""
_MET = exists().where(round_.c.passage_id == deck_passage.c.passage_id, round_.c.player_id.in_(_SELF))
_FINISHED = _MET.where(round_.c.closed_at.is_not(None) | (round_.c.player_id != bindparam("player_id")))
_SERVED = (
    select(deck_passage.c.passage_id, deck_passage.c.deck_id)
    .join(deck, deck.c.id == deck_passage.c.deck_id)
    .where(_IS_SERVED)
)
_UNSEEN = _SERVED.where(deck_passage.c.genre == bindparam("genre"), ~_MET, ~_IS_HELD)
_GENRES = (
    select(
        deck_passage.c.genre,
        func.count(deck_passage.c.passage_id.distinct()),
        func.count(deck_passage.c.passage_id.distinct()).filter(~_FINISHED),
    )
    .join(deck, deck.c.id == deck_passage.c.deck_id)
    .where(_IS_SERVED, ~_IS_HELD)
    .group_by(deck_passage.c.genre)
    .order_by(deck_passage.c.genre)
)
_GENRES_SERVED = (
    select(lazy_line.c.genre)
    .join(deck, deck.c.id == lazy_line.c.deck_id)
    .where(_IS_SERVED)
    .distinct()
    .order_by(lazy_line.c.genre)
)
_GENRES_BOARDED = (
    select(lazy_line.c.genre)
    .join(deck, deck.c.id == lazy_line.c.deck_id)
    .where(deck.c.retired_at.is_(None))
    .distinct()
    .order_by(lazy_line.c.genre)
)
_PASSAGE = select(passage.c.sentences, passage.c.mode_data).where(passage.c.id == bindparam("passage_id"))
_PROVENANCE = select(
    passage.c.id, passage.c.source, passage.c.other, passage.c.generator, passage.c.licence
).where(passage.c.id == bindparam("passage_id"))


def passage_from(sentences: Sequence[Sequence[str]], mode_data: Mapping[str, Any] | None) -> Passage:
    """Return the passage of two columns."""
    return Passage(tuple(Sentence(text, Author(author)) for text, author in sentences), mode_data or {})


def load_passage(db: Connection, passage_id: str) -> Passage:
    """Return a passage that is known to exist."""
    return passage_from(*db.execute(_PASSAGE, {"passage_id": passage_id}).one())


def load_provenance(db: Connection, passage_id: str) -> Provenance:
    """Return where a passage comes from."""
    return Provenance(*db.execute(_PROVENANCE, {"passage_id": passage_id}).one())


def unseen_passages(db: Connection, player_id: str, genre: str) -> dict[str, int]:
    """Return passage ids of a genre the player has met in no mode, with a deck of each."""
    rows = db.execute(_UNSEEN, {"player_id": player_id, "genre": genre})
    return {passage_id: deck_id for passage_id, deck_id in rows}  # noqa: C416


def genres_served(db: Connection) -> list[str]:
    """Return the genres of the decks being served."""
    return list(db.execute(_GENRES_SERVED).scalars())


def genres_boarded(db: Connection) -> list[str]:
    """Return the genres that have a board: those being served, and that of the days."""
    return list(db.execute(_GENRES_BOARDED).scalars())


def genre_counts(db: Connection, player_id: str) -> list[GenreCount]:
    """Return the genres of the decks being served, with what is left for a player."""
    return [GenreCount(*row) for row in db.execute(_GENRES, {"player_id": player_id})]


def add_passage(db: Connection, record: PassageRecord, content: Passage, *, now: datetime) -> bool:
    """Write a passage; False if it is there already."""
    row = {
        "id": record.id,
        "genre": record.genre,
        "boundary": content.boundary,
        "sentences": [[sentence.text, sentence.author.value] for sentence in content.sentences],
        "mode_data": record.mode_data,
        "source": record.source.model_dump(mode="json"),
        "other": record.other and record.other.model_dump(mode="json"),
        "generator": record.generator and record.generator.model_dump(mode="json"),
        "licence": record.licence,
        "imported_at": now,
    }
    return insert_once(db, passage, row)


def deck_named(db: Connection, slug: str, *, kind: str, now: datetime) -> int:
    """Return the id of a deck; the deck is made if it is new."""
    insert_once(db, deck, {"slug": slug, "kind": kind, "created_at": now})
    return int(db.execute(select(deck.c.id).where(deck.c.slug == slug)).scalar_one())


def new_deck(db: Connection, slug: str, *, now: datetime) -> int | None:
    """Make an open deck and return its id; None if there is one of that slug."""
    if not insert_once(db, deck, {"slug": slug, "kind": "open", "created_at": now}):
        return None
    return int(db.execute(select(deck.c.id).where(deck.c.slug == slug)).scalar_one())


def open_decks(db: Connection) -> dict[str, int]:
    """Return all open decks, retired ones too: ids by slug."""
    rows = db.execute(select(deck.c.slug, deck.c.id).where(deck.c.kind == "open"))
    return {slug: deck_id for slug, deck_id in rows}  # noqa: C416


def is_retired(db: Connection, slug: str) -> bool:
    """Whether there is a deck of that slug that is served no more."""
    found = select(deck.c.id).where(deck.c.slug == slug, deck.c.retired_at.is_not(None))
    return db.execute(found).first() is not None


def served_decks(db: Connection) -> list[str]:
    """Return the slugs of the decks being served, in order."""
    return list(db.execute(select(deck.c.slug).where(_IS_SERVED).order_by(deck.c.slug)).scalars())


def retire_deck(db: Connection, deck_id: int, *, now: datetime) -> None:
    """Serve a deck no more; rounds that were begun with it go on."""
    db.execute(update(deck).where(deck.c.id == deck_id, deck.c.retired_at.is_(None)).values(retired_at=now))


def members_of(db: Connection, deck_id: int) -> set[tuple[str, str]]:
    """Return genre and id of every passage in a deck."""
    rows = db.execute(
        select(deck_passage.c.genre, deck_passage.c.passage_id).where(deck_passage.c.deck_id == deck_id)
    )
    return {(genre, passage_id) for genre, passage_id in rows}


def add_to_deck(db: Connection, deck_id: int, genre: str, passage_id: str) -> bool:
    """Put a passage into a deck; False if it is in it already."""
    return insert_once(db, deck_passage, {"deck_id": deck_id, "genre": genre, "passage_id": passage_id})


def boundaries_of(db: Connection, deck_id: int) -> dict[str, list[int]]:
    """Return the boundaries of a deck's passages, by genre."""
    found: dict[str, list[int]] = {}
    rows = db.execute(
        select(deck_passage.c.genre, passage.c.boundary)
        .join(passage, passage.c.id == deck_passage.c.passage_id)
        .where(deck_passage.c.deck_id == deck_id)
    )
    for genre, boundary in rows:
        found.setdefault(genre, []).append(boundary)
    return found


def set_lazy_lines(db: Connection, deck_id: int, points: Mapping[str, float]) -> None:
    """Replace what ignoring the text earns in each genre of a deck."""
    db.execute(delete(lazy_line).where(lazy_line.c.deck_id == deck_id))
    if points:
        rows = [{"deck_id": deck_id, "genre": genre, "points": line} for genre, line in points.items()]
        db.execute(insert(lazy_line), rows)


def is_passage(db: Connection, passage_id: str) -> bool:
    """Say whether there is a passage of that id."""
    return db.execute(select(passage.c.id).where(passage.c.id == passage_id)).first() is not None
