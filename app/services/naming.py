"""Handles: which can be chosen, and by whom."""

from datetime import datetime

from glin_profanity import Filter
from sqlalchemy import Connection

from app.errors import BadNameError
from app.store.players import Claim, holder_of, is_given_up, rename_player
from game.handles import LONGEST, SHORTEST, is_handle, sounds_official
from game.language import say

_UNMISTAKABLE = ("fuck", "nigger", "faggot", "hitler")
"""Found inside of longer words too, where the filter looks at whole words."""

_filter = Filter(
    {
        "languages": ["english"],
        "detect_leetspeak": True,
        "leetspeak_level": "aggressive",
        "normalize_unicode": True,
    }
)


def check_form(handle: str) -> None:
    """Refuse what cannot be a handle.

    Raises:
        BadNameError: it has another form.
    """
    if not is_handle(handle):
        raise BadNameError(
            say(
                "A name has %(shortest)s to %(longest)s small letters, digits and single hyphens,"
                " and begins with a letter.",
                shortest=SHORTEST,
                longest=LONGEST,
            )
        )


def check_choice(db: Connection, claim: Claim, handle: str) -> None:
    """Refuse a handle that a player may not take.

    Raises:
        BadNameError: it has another form, is rude, sounds like the site itself, or is (or looks
            like) somebody else's, now or before.
    """
    check_form(handle)
    if sounds_official(handle):
        raise BadNameError(say("That name sounds like the site itself; please choose another."))
    if _is_rude(handle):
        raise BadNameError(say("That name could hurt somebody; please choose another."))
    holder = holder_of(db, handle)
    if holder not in {None, claim.player_id} or is_given_up(db, handle, except_by=claim.player_id):
        raise BadNameError(say("Somebody has that name, or one that looks like it; please choose another."))


def rename(db: Connection, claim: Claim, handle: str, *, now: datetime) -> Claim:
    """Give a player another handle; the one before stays theirs.

    Raises:
        BadNameError: the player may not take it.
    """
    check_choice(db, claim, handle)
    if handle != claim.handle:
        rename_player(db, claim, handle, now=now)
    return Claim(claim.player_id, handle)


def _is_rude(handle: str) -> bool:
    joined = handle.replace("-", "")
    return any(_filter.is_profane(text) for text in (handle, handle.replace("-", " "), joined)) or any(
        stem in joined for stem in _UNMISTAKABLE
    )
