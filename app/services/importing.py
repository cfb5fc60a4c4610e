"""Passage files come in: each line is checked, and nothing comes in twice."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import ValidationError
from sqlalchemy import Connection

from app.errors import BadDeckError
from app.store.passages import (
    add_passage,
    add_to_deck,
    boundaries_of,
    deck_named,
    is_retired,
    set_lazy_lines,
)
from game.days import DAILY
from game.errors import BadRecordError
from game.passage import LENGTH, Passage
from game.records import PassageRecord, Resolve, passage_of
from scoring.points import best_lazy_line


@dataclass(slots=True)
class ImportCount:
    """What an import did; `skipped` counts refused lines by reason."""

    read: int = 0
    new: int = 0
    present: int = 0
    skipped: Counter[str] = field(default_factory=Counter[str])


def import_passages(
    db: Connection,
    lines: Iterable[str],
    *,
    resolve: Resolve,
    deck: str | None,
    now: datetime,
) -> ImportCount:
    """Import the lines of a passage file, into an open deck if one is named.

    The deck `daily` is that of the daily round, and served nowhere else. Lines that are no
    passage are counted and skipped; the rest is imported. Importing the same again adds nothing.

    Raises:
        BadDeckError: the deck is served no more.
    """
    count = ImportCount()
    is_daily = deck == DAILY
    if deck and is_retired(db, deck):
        raise BadDeckError(
            f"The deck {deck} is served no more, since a later version took its place; name another deck."
        )
    deck_id = deck_named(db, deck, kind="rated" if is_daily else "open", now=now) if deck else None
    for line in lines:
        if not line.strip():
            continue
        count.read += 1
        try:
            record, content = _read(line, resolve)
        except BadRecordError as error:
            count.skipped[str(error)] += 1
            continue
        is_new = add_passage(db, record, content, now=now)
        count.new += is_new
        count.present += not is_new
        if deck_id is not None:
            add_to_deck(db, deck_id, DAILY if is_daily else record.genre, record.id)
    if deck_id is not None:
        set_lines(db, deck_id)
    return count


def _read(line: str, resolve: Resolve) -> tuple[PassageRecord, Passage]:
    try:
        record = PassageRecord.model_validate_json(line)
    except ValidationError as error:
        raise BadRecordError(_reason(error)) from error
    return record, passage_of(record, resolve)


def set_lines(db: Connection, deck_id: int) -> None:
    """Work out what ignoring the text earns in each genre of a deck that has changed."""
    lines = {
        genre: float(best_lazy_line(boundaries, length=LENGTH))
        for genre, boundaries in boundaries_of(db, deck_id).items()
    }
    set_lazy_lines(db, deck_id, lines)


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place or 'line'}: {first['msg']}"
