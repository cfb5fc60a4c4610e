"""One's own account: name, boards, password, address, sessions, data, and the way out."""

from collections.abc import Set as AbstractSet
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Path, Query, Request
from fastapi.encoders import jsonable_encoder
from starlette.responses import JSONResponse, RedirectResponse, Response

from app.errors import BadNameError, BadPasswordError, NoAccountError, SiteError, WrongPasswordError
from app.services.accounts import change_email, change_password, folded_email
from app.services.consenting import PURPOSES, consent
from app.services.leaving import export_of, leave, what_leaving_does
from app.services.linking import is_lost, unlink
from app.services.naming import rename
from app.services.passwords import check_password, hash_password, is_password
from app.services.sessions import open_session, revoke, revoke_others
from app.services.standings import show_player
from app.services.throttling import allow
from app.store.accounts import consents_of, issuers_of, load_account, sessions_of
from app.store.players import load_person
from app.store.rounds import count_closed
from app.web.account_views import (
    BOARDS,
    AccountView,
    GuestAccountView,
    LeaveView,
    board_choices,
    consent_choices,
    notice_of,
    session_lines,
)
from app.web.deps import COOKIE, FormData, SiteDep, Visit, VisitDep, same_origin
from app.web.devices import SCRIPT
from app.web.errors import status_of
from app.web.mails import confirm_mail
from app.web.routes.providers import ProviderDep, send_out
from app.web.routes.sign_in import TRIES, field, link, post, provider_names
from app.web.site import Site
from game.language import say

FRESH = timedelta(minutes=15)
"""How long somebody who came by a link or provider may set a password without knowing the old one."""
OTHERWISE = frozenset({"link", "key", "provider"})

router = APIRouter(prefix="/account", include_in_schema=False)
SessionId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]


def signed_in(visit: VisitDep) -> Visit:
    """Return who is signed in; guests have no account."""
    if visit is None or visit.session is None:
        raise NoAccountError(say("That needs an account; sign in, or keep your progress first."))
    return visit


SignedIn = Annotated[Visit, Depends(signed_in)]


@router.get("")
def show_account(
    site: SiteDep,
    visit: VisitDep,
    done: str = "",
    rounds: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """Show everything that can be changed; a guest sees what an account is good for."""
    if visit is None or visit.session is None:
        handle = visit.claim.handle if visit else None
        return site.pages.page("guest_account", GuestAccountView(handle, _rounds(site, visit)))
    return _page(site, visit, notice=notice_of(done, rounds))


@router.post("/name", dependencies=[Depends(same_origin)])
def change_name(site: SiteDep, visit: SignedIn, form: FormData) -> Response:
    """Take another name."""
    try:
        with site.database.write() as db:
            allow(db, f"name of {visit.claim.player_id}", TRIES, now=site.now())
            rename(db, visit.claim, field(form, "handle"), now=site.now())
    except SiteError as error:
        return _page(site, visit, error=error, wrong="handle", typed=field(form, "handle"))
    return _saved()


@router.post("/board", dependencies=[Depends(same_origin)])
def change_display(site: SiteDep, visit: SignedIn, form: FormData) -> Response:
    """Say how one stands on boards, and whether one sees a rating."""
    board = field(form, "board")
    if board in {value for value, _ in BOARDS}:
        with site.database.write() as db:
            shows_rating = field(form, "shows_rating") == "yes"
            show_player(db, visit.claim.player_id, board=board, shows_rating=shows_rating)
    return _saved()


@router.post("/password", dependencies=[Depends(same_origin)])
def new_password(site: SiteDep, visit: SignedIn, form: FormData) -> Response:
    """Set another password; every other session ends."""
    try:
        if _needs_password(site, visit):
            _check_own(site, visit, field(form, "old"))
        password = field(form, "new")
        check_password(password, handle=visit.claim.handle)
        hashed = hash_password(password)
        with site.database.write() as db:
            change_password(db, visit.claim.player_id, hashed)
            revoke_others(db, visit.claim.player_id, but=_own_session(visit))
    except SiteError as error:
        wrong = "new" if isinstance(error, BadPasswordError) else "old"
        return _page(site, visit, error=error, wrong=wrong)
    return _saved()


@router.post("/email", dependencies=[Depends(same_origin)])
def new_email(
    request: Request, site: SiteDep, visit: SignedIn, form: FormData, tasks: BackgroundTasks
) -> Response:
    """Give another address, or none; it counts when the link in the mail was followed."""
    now = site.now()
    try:
        if _needs_password(site, visit):
            _check_own(site, visit, field(form, "old"))
        email = folded_email(field(form, "email"))
        with site.database.write() as db:
            allow(db, f"mail to {email}", TRIES, now=now)
            key = change_email(db, visit.claim.player_id, email, now=now)
    except SiteError as error:
        wrong = "email-old" if isinstance(error, WrongPasswordError) else "email"
        return _page(site, visit, error=error, wrong=wrong, email=field(form, "email"))
    if email and key:
        post(site, tasks, confirm_mail(email, visit.claim.handle, link(site, request, key)))
    return RedirectResponse("/account?done=saved", status_code=303, background=tasks)


@router.post("/providers/{provider}/link", dependencies=[Depends(same_origin)])
def link_provider(
    request: Request, site: SiteDep, visit: SignedIn, provider: ProviderDep, form: FormData
) -> Response:
    """Send somebody to a provider, to come back with their account linked."""
    try:
        if _needs_password(site, visit):
            _check_own(site, visit, field(form, "old"))
    except SiteError as error:
        return _page(site, visit, error=error, wrong="provider-old")
    return send_out(request, site, provider, player_id=visit.claim.player_id)


@router.post("/providers/{provider}/unlink", dependencies=[Depends(same_origin)])
def unlink_provider(site: SiteDep, visit: SignedIn, provider: ProviderDep) -> Response:
    """Let a provider sign in this account no more."""
    try:
        with site.database.write() as db:
            unlink(
                db,
                visit.claim.player_id,
                provider.issuer,
                known=_known_issuers(site),
                has_mail=site.postbox is not None,
            )
    except SiteError as error:
        return _page(site, visit, error=error, wrong="provider")
    return _saved()


@router.post("/consents", dependencies=[Depends(same_origin)])
def change_consents(site: SiteDep, visit: SignedIn, form: FormData) -> Response:
    """Agree to purposes, or take it back; what is unticked is refused."""
    given = form.get("purpose", ())
    granted = {given} if isinstance(given, str) else set(given)
    with site.database.write() as db:
        for purpose in PURPOSES:
            consent(db, visit.claim.player_id, purpose, granted=purpose in granted, now=site.now())
    return _saved()


@router.post("/tokens", dependencies=[Depends(same_origin)])
def new_token(site: SiteDep, visit: SignedIn) -> Response:
    """Make a token for scripts; it is shown once."""
    with site.database.write() as db:
        token = open_session(db, visit.claim.player_id, device=SCRIPT, way="script", now=site.now())
    return _page(site, visit, token=token)


@router.post("/sessions/{session_id}/end", dependencies=[Depends(same_origin)])
def end_one(site: SiteDep, visit: SignedIn, session_id: SessionId) -> Response:
    """End a session."""
    with site.database.write() as db:
        revoke(db, visit.claim.player_id, session_id)
    return _saved()


@router.post("/sessions/end-others", dependencies=[Depends(same_origin)])
def end_others(site: SiteDep, visit: SignedIn) -> Response:
    """End every session but this one."""
    with site.database.write() as db:
        revoke_others(db, visit.claim.player_id, but=_own_session(visit))
    return _saved()


@router.get("/data.json")
def own_data(site: SiteDep, visit: VisitDep) -> Response:
    """Hand out everything that is known of a player, guests included."""
    if visit is None:
        raise NoAccountError(say("There is nothing about you here yet."))
    with site.database.read() as db:
        content = jsonable_encoder(export_of(db, visit.claim.player_id))
    headers = {"Content-Disposition": f'attachment; filename="roft-{visit.claim.handle}.json"'}
    return JSONResponse(content, headers=headers)


@router.get("/delete")
def show_delete(site: SiteDep, visit: SignedIn) -> Response:
    """Say what leaving deletes and what stays, and ask."""
    return _leave_page(site, visit, None)


@router.post("/delete", dependencies=[Depends(same_origin)])
def delete(site: SiteDep, visit: SignedIn, form: FormData) -> Response:
    """Delete the account."""
    try:
        if field(form, "handle") != visit.claim.handle:
            raise BadNameError(say("Write your name into the field, to be sure."))
        if _has_password(site, visit):
            _check_own(site, visit, field(form, "old"))
        with site.database.write() as db:
            leave(db, visit.claim.player_id, rng=site.rng, now=site.now())
    except SiteError as error:
        return _leave_page(site, visit, error)
    reply = RedirectResponse("/?gone=1", status_code=303)
    reply.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return reply


def _saved() -> Response:
    return RedirectResponse("/account?done=saved", status_code=303)


def _own_session(visit: Visit) -> str | None:
    return visit.session.id if visit.session else None


def _has_password(site: Site, visit: Visit) -> bool:
    with site.database.read() as db:
        account = load_account(db, visit.claim.player_id)
    return account is not None and account.password_hash is not None


def _needs_password(site: Site, visit: Visit) -> bool:
    """Say whether the old password is asked for: not of those who have just come in without it."""
    session = visit.session
    came_otherwise = session is not None and session.way in OTHERWISE and site.now() - session.made_at < FRESH
    return not came_otherwise and _has_password(site, visit)


def _check_own(site: Site, visit: Visit, password: str) -> None:
    with site.database.write() as db:
        allow(db, f"password of {visit.claim.handle}", TRIES, now=site.now())
    with site.database.read() as db:
        account = load_account(db, visit.claim.player_id)
    if account is None or not is_password(password, account.password_hash):
        raise WrongPasswordError(say("That is not your password."))


def _known_issuers(site: Site) -> AbstractSet[str]:
    return {one.issuer for one in site.providers.values()}


def _rounds(site: Site, visit: Visit | None) -> int:
    if visit is None:
        return 0
    with site.database.read() as db:
        return count_closed(db, visit.claim.player_id)


def _page(
    site: Site,
    visit: Visit,
    *,
    notice: str | None = None,
    token: str | None = None,
    error: SiteError | None = None,
    wrong: str = "",
    typed: str | None = None,
    email: str | None = None,
) -> Response:
    player_id = visit.claim.player_id
    with site.database.read() as db:
        person, account = load_person(db, player_id), load_account(db, player_id)
        issuers, said, sessions = (
            issuers_of(db, player_id),
            consents_of(db, player_id),
            sessions_of(db, player_id),
        )
    if person is None or account is None:
        raise NoAccountError(say("That needs an account; sign in, or keep your progress first."))
    names, known = provider_names(site), _known_issuers(site) & set(issuers)
    view = AccountView(
        handle=person.handle if typed is None else typed,
        has_password=account.password_hash is not None,
        needs_password=_needs_password(site, visit),
        email=(account.email or "") if email is None else email,
        is_confirmed=account.email_confirmed_at is not None,
        is_lost_when_signed_out=is_lost(account, known, has_mail=site.postbox is not None),
        has_mail=site.postbox is not None,
        linked={slug: name for slug, name in names.items() if site.providers[slug].issuer in known},
        unlinked={slug: name for slug, name in names.items() if site.providers[slug].issuer not in known},
        boards=board_choices(person),
        shows_rating=person.shows_rating,
        consents=consent_choices(said),
        sessions=session_lines(sessions, _own_session(visit)),
        notice=notice,
        token=token,
        problem=str(error) if error else None,
        wrong=wrong,
    )
    return site.pages.page("account", view, status=status_of(error)[0] if error else 200)


def _leave_page(site: Site, visit: Visit, error: SiteError | None) -> Response:
    with site.database.read() as db:
        leaving = what_leaving_does(db, visit.claim.player_id)
    view = LeaveView(visit.claim.handle, leaving, _has_password(site, visit), str(error) if error else None)
    return site.pages.page("leave", view, status=status_of(error)[0] if error else 200)
