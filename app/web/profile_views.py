"""What the page of a profile reads."""

from dataclasses import dataclass

from app.services.profiles import ModeProfile, Profile
from app.web.formats import month_words
from app.web.rating_views import PublishedLine, published_line
from game.language import say
from game.mode import Screen


@dataclass(frozen=True, slots=True)
class ModeSection:
    """A player in one mode. `own_template` holds what only they see."""

    mode: str
    title: str
    rating: str | None
    published: PublishedLine | None
    screen: Screen
    template: str
    own_template: str | None


@dataclass(frozen=True, slots=True)
class ProfileView:
    """A profile."""

    handle: str
    since: str
    is_own: bool
    is_hidden: bool
    modes: tuple[ModeSection, ...]


def profile_view(profile: Profile, *, is_own: bool) -> ProfileView:
    """Return the view of a profile."""
    person = profile.person
    return ProfileView(
        handle=person.handle,
        since=month_words(person.created_at),
        is_own=is_own,
        is_hidden=person.board != "named",
        modes=tuple(_section(one, is_own=is_own) for one in profile.modes),
    )


def _section(one: ModeProfile, *, is_own: bool) -> ModeSection:
    name = one.screen.template
    rating = f"{one.rating.mean:.0f} ± {2 * one.rating.deviation:.0f}" if one.rating else None
    return ModeSection(
        mode=one.mode,
        title=say(one.title),
        rating=rating,
        published=published_line(one.published) if one.published else None,
        screen=one.screen,
        template=f"{one.mode}/{name}",
        own_template=f"{one.mode}/{name.removesuffix('.html')}_own.html" if is_own else None,
    )
