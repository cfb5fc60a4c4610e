"""What the pages about accounts read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.services.consenting import PURPOSES, Purpose
from app.services.leaving import Leaving
from app.store.accounts import Session
from app.store.players import Person
from app.web.devices import device_words
from app.web.formats import day_words
from game.language import say, say_plural, unsaid

WAYS = {
    "password": unsaid("by password"),
    "link": unsaid("by a link from a mail"),
    "key": unsaid("by a key"),
    "provider": unsaid("by another site"),
    "script": unsaid("a token for scripts"),
}
CONSENTS: Mapping[Purpose, str] = {
    "research": unsaid("My rounds may be used for research and published, under a random name."),
    "free-text": unsaid("So may the notes I write in my own words."),
    "contact": unsaid("Researchers of this site may write to my address."),
}
NOTICES = {
    "kept": unsaid("Your progress is kept. Everything you have played is still yours."),
    "confirmed": unsaid("Your address is confirmed: you can sign in by mail."),
    "linked": unsaid("Linked: from now on you can sign in that way too."),
    "saved": unsaid("Saved."),
}
BOARDS = (
    ("named", unsaid("with my name")),
    ("anonymous", unsaid("without my name")),
    ("off", unsaid("not at all")),
)


@dataclass(frozen=True, slots=True)
class SignUpView:
    """The form that turns a guest into an account; `rounds` is what they would keep.

    `providers` are the names of other sites that could do it, by what they are called in addresses.
    """

    handle: str
    email: str
    rounds: int
    problem: str | None
    wrong: str
    has_mail: bool
    providers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SignInView:
    """The ways back in. `guest_rounds` come along; `sent` says that a mail may be on its way."""

    name: str
    problem: str | None
    wrong: str
    has_mail: bool
    providers: Mapping[str, str]
    guest_rounds: int
    sent: bool


@dataclass(frozen=True, slots=True)
class DepartureView:
    """The way to a provider, as a page: browsers let no form lead to another site."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class LinkView:
    """The button behind a link from a mail: programs that look into mails follow links."""

    key: str
    problem: str | None


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session in words."""

    id: str
    device: str
    way: str
    since: str
    seen: str
    is_this: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several that can be ticked."""

    value: str
    words: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class AccountView:
    """Everything that can be changed about an account; `linked` sites sign in, `unlinked` ones could."""

    handle: str
    has_password: bool
    needs_password: bool
    email: str
    is_confirmed: bool
    is_lost_when_signed_out: bool
    has_mail: bool
    linked: Mapping[str, str]
    unlinked: Mapping[str, str]
    boards: Sequence[Choice]
    shows_rating: bool
    consents: Sequence[Choice]
    sessions: Sequence[SessionLine]
    notice: str | None
    token: str | None
    problem: str | None
    wrong: str


@dataclass(frozen=True, slots=True)
class GuestAccountView:
    """The same page for a guest: what an account would be good for."""

    handle: str | None
    rounds: int


@dataclass(frozen=True, slots=True)
class LeaveView:
    """What leaving deletes and what stays."""

    handle: str
    leaving: Leaving
    has_password: bool
    problem: str | None


@dataclass(frozen=True, slots=True)
class MailLine:
    """A mail in the folder of a site that is being developed."""

    to: str
    subject: str
    text: str
    link: str | None


@dataclass(frozen=True, slots=True)
class MailboxView:
    """All mails there, the latest first."""

    mails: Sequence[MailLine]


def notice_of(done: str, rounds: int) -> str | None:
    """Return what has just been done, in words."""
    if done == "merged":
        return say_plural(
            "%(num)s round that you played as a guest came along.",
            "%(num)s rounds that you played as a guest came along.",
            rounds,
        )
    return say(NOTICES[done]) if done in NOTICES else None


def session_lines(sessions: Sequence[Session], current: str | None) -> list[SessionLine]:
    """Return sessions in words."""
    return [
        SessionLine(
            id=one.id,
            device=device_words(one.device),
            way=say(WAYS[one.way]),
            since=day_words(one.made_at),
            seen=day_words(one.seen_at),
            is_this=one.id == current,
        )
        for one in sessions
    ]


def board_choices(person: Person) -> list[Choice]:
    """Return how a player can stand on boards."""
    return [Choice(value, say(words), value == person.board) for value, words in BOARDS]


def consent_choices(said: dict[str, bool]) -> list[Choice]:
    """Return what a player can agree to, one by one."""
    return [Choice(one, say(CONSENTS[one]), said.get(one, False)) for one in PURPOSES]
