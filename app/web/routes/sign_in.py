"""Becoming somebody who can come back, coming back, and going."""

from collections.abc import Mapping
from contextlib import suppress
from email import message_from_bytes, policy
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from app.errors import (
    BadEmailError,
    BadKeyError,
    BadNameError,
    BadPasswordError,
    SessionNotFoundError,
    SiteError,
    WrongPasswordError,
)
from app.mail import FolderPostbox, Mail
from app.services.accounts import (
    Entered,
    enter,
    find_login,
    folded_email,
    link_for,
    make_account,
    new_key,
    redeem,
)
from app.services.joining import new_guest
from app.services.naming import check_form
from app.services.passwords import check_password, hash_password, is_password
from app.services.sessions import Way, revoke
from app.services.signing_in import RESEARCHERS
from app.services.throttling import allow
from app.store.players import Claim, role_of
from app.store.rounds import count_closed
from app.web.account_views import LinkView, MailboxView, MailLine, SignInView, SignUpView
from app.web.deps import COOKIE, FormData, SiteDep, Visit, VisitDep, same_origin, set_claim
from app.web.devices import device_of
from app.web.errors import status_of
from app.web.mails import confirm_mail, send_quietly, sign_in_mail
from app.web.site import Site
from game.language import say
from game.mode import Form

TRIES = 10
"""How often a password may be guessed at within a quarter of an hour, for one name from one network."""
TRIES_ANYWHERE = 100
"""The same from anywhere: were it fewer, anybody could lock anybody out."""
TRIES_NEARBY = 300
"""The same for all names from one network: a class signs in at once."""
MAILS = 3

router = APIRouter(include_in_schema=False)
Key = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{10,100}$")]


@router.get("/sign-up")
def show_sign_up(site: SiteDep, visit: VisitDep) -> Response:
    """Ask under which name a guest wants to stay."""
    if visit is not None and visit.session is not None:
        return RedirectResponse("/account", status_code=303)
    return _sign_up(site, visit, {}, None)


@router.post("/sign-up", dependencies=[Depends(same_origin)])
def sign_up(
    request: Request, site: SiteDep, visit: VisitDep, form: FormData, tasks: BackgroundTasks
) -> Response:
    """Turn a guest into an account, in place."""
    if visit is not None and visit.session is not None:
        return RedirectResponse("/account", status_code=303)
    claim = visit.claim if visit else new_guest(site.rng)
    handle, password = field(form, "handle"), field(form, "password")
    now = site.now()
    try:
        with site.database.write() as db:
            allow(db, f"sign-up from {network(request)}", TRIES_NEARBY, now=now)
        check_form(handle)
        email = folded_email(field(form, "email"))
        if not password and not (email and site.postbox):
            raise BadPasswordError(say("Choose a password; it is the way back to your rounds."))
        if password:
            check_password(password, handle=handle)
        hashed = hash_password(password) if password else None
        with site.database.write() as db:
            claim = make_account(
                db, claim, handle=handle, password_hash=hashed, email=email, rng=site.rng, now=now
            )
            key = new_key(db, claim.player_id, email=email, now=now) if email and site.postbox else None
            way: Way = "password" if password else "link"
            entered = enter(db, claim, guest=None, device=device(request), way=way, rng=site.rng, now=now)
    except SiteError as error:
        return _sign_up(site, visit, form, error)
    if email and key:
        post(site, tasks, confirm_mail(email, claim.handle, link(site, request, key)))
    return let_in(request, site, visit, entered, "/account?done=kept", tasks)


@router.get("/sign-in")
def show_sign_in(site: SiteDep, visit: VisitDep) -> Response:
    """Ask who somebody is."""
    return _sign_in(site, visit, "")


@router.post("/sign-in", dependencies=[Depends(same_origin)])
def enter_site(request: Request, site: SiteDep, visit: VisitDep, form: FormData) -> Response:
    """Sign somebody in by password, or by a key from the shell."""
    name, key, now = field(form, "name"), field(form, "key"), site.now()
    guest = guest_of(visit)
    try:
        if key:
            with site.database.write() as db:
                claim = redeem(db, key, now=now).claim
                entered = enter(
                    db, claim, guest=guest, device=device(request), way="key", rng=site.rng, now=now
                )
        else:
            claim = _by_password(request, site, name, field(form, "password"))
            with site.database.write() as db:
                entered = enter(
                    db, claim, guest=guest, device=device(request), way="password", rng=site.rng, now=now
                )
    except SiteError as error:
        return _sign_in(site, visit, name, error, wrong="key" if key else "name")
    return let_in(request, site, visit, entered, None)


@router.post("/sign-in/link", dependencies=[Depends(same_origin)])
def send_link(
    request: Request, site: SiteDep, visit: VisitDep, form: FormData, tasks: BackgroundTasks
) -> Response:
    """Mail a link to the owner of an address; nobody learns whether there is one."""
    if site.postbox is None:
        raise HTTPException(404)
    now = site.now()
    try:
        email = folded_email(field(form, "email"))
        if email is None:
            raise BadEmailError(say("Give the address that the link shall go to."))
        with site.database.write() as db:
            allow(db, f"link from {network(request)}", TRIES_NEARBY, now=now)
        with site.database.write() as db:
            allow(db, f"link to {email}", MAILS, now=now)
            key = link_for(db, email, now=now)
    except SiteError as error:
        return _sign_in(site, visit, "", error, wrong="email")
    if key is not None:
        post(site, tasks, sign_in_mail(email, link(site, request, key)))
    reply = _sign_in(site, visit, "", sent=True)
    reply.background = tasks
    return reply


@router.get("/links/{key}")
def show_link(site: SiteDep, key: Key) -> Response:
    """Ask for a press of a button, since programs that check mails follow links."""
    return site.pages.page("link", LinkView(key, None))


@router.post("/links/{key}", dependencies=[Depends(same_origin)])
def follow_link(request: Request, site: SiteDep, visit: VisitDep, key: Key) -> Response:
    """Sign in by a link, or prove an address by it."""
    now = site.now()
    try:
        with site.database.write() as db:
            used = redeem(db, key, now=now)
            entered = enter(
                db,
                used.claim,
                guest=guest_of(visit),
                device=device(request),
                way="link",
                rng=site.rng,
                now=now,
            )
    except (BadKeyError, BadEmailError) as error:
        return site.pages.page("link", LinkView(key, str(error)), status=422)
    return let_in(request, site, visit, entered, "/account?done=confirmed" if used.email else None)


@router.post("/sign-out", dependencies=[Depends(same_origin)])
def leave(site: SiteDep, visit: VisitDep) -> Response:
    """End the session of this browser."""
    if visit is not None and visit.session is not None:
        with site.database.write() as db:
            revoke(db, visit.claim.player_id, visit.session.id)
    reply = RedirectResponse("/", status_code=303)
    reply.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return reply


@router.get("/mailbox")
def show_mailbox(site: SiteDep) -> Response:
    """Show the mails of a site that somebody tries out; other sites have no such page."""
    if not isinstance(site.postbox, FolderPostbox):
        raise HTTPException(404)
    mails: list[MailLine] = []
    for path in sorted(site.postbox.folder.glob("*.eml"), reverse=True):
        message = message_from_bytes(path.read_bytes(), policy=policy.default)
        text = str(message.get_content())
        address = next((word for word in text.split() if "/links/" in word), None)
        mails.append(MailLine(str(message["To"]), str(message["Subject"]), text, address))
    return site.pages.page("mailbox", MailboxView(mails))


def field(form: Form, name: str) -> str:
    """Return what was typed into a field; nothing for a field that came twice."""
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def device(request: Request) -> str:
    """Return what the browser calls itself."""
    return device_of(request.headers.get("user-agent", ""))


def network(request: Request) -> str:
    """Return the network a request comes from: nobody is locked out by one address of many."""
    host = request.client.host if request.client else ""
    return ":".join(host.split(":")[:4]) if ":" in host else ".".join(host.split(".")[:3])


def guest_of(visit: Visit | None) -> Claim | None:
    """Return the guest at this browser."""
    return visit.claim if visit is not None and visit.session is None else None


def link(site: Site, request: Request, key: str) -> str:
    """Return the address behind which a key works; never made from what a stranger sent along."""
    base = site.settings.address or str(request.base_url)
    return f"{base.rstrip('/')}/links/{key}"


def post(site: Site, tasks: BackgroundTasks, mail: Mail) -> None:
    """Send a mail when the reply is out, so that nobody can tell by waiting whether there is one."""
    if site.postbox is not None:
        tasks.add_task(send_quietly, site.postbox, mail)


def provider_names(site: Site) -> Mapping[str, str]:
    """Return the names of the other sites that say who somebody is, by those they have in addresses."""
    return {slug: one.name for slug, one in site.providers.items()}


def let_in(
    request: Request,
    site: Site,
    before: Visit | None,
    entered: Entered,
    address: str | None,
    tasks: BackgroundTasks | None = None,
) -> Response:
    """Hand the browser its new session; the one it had before ends."""
    if before is not None and before.session is not None:
        with suppress(SessionNotFoundError), site.database.write() as db:
            revoke(db, before.claim.player_id, before.session.id)
    if address is None:
        with site.database.read() as db:
            is_researcher = role_of(db, entered.claim.player_id) in RESEARCHERS
        address = "/studies/builds" if is_researcher else "/play"
        if entered.merged.moved:
            address = f"/account?done=merged&rounds={entered.merged.moved}"
    reply = RedirectResponse(address, status_code=303, background=tasks)
    set_claim(reply, request, entered.token)
    return reply


def _by_password(request: Request, site: Site, name: str, password: str) -> Claim:
    now = site.now()
    with site.database.write() as db:
        allow(db, f"password from {network(request)}", TRIES_NEARBY, now=now)
    with site.database.write() as db:
        allow(db, f"password of {name.casefold()}", TRIES_ANYWHERE, now=now)
    with site.database.write() as db:
        allow(db, f"password of {name.casefold()} from {network(request)}", TRIES, now=now)
    with site.database.read() as db:
        login = find_login(db, name)
    if not is_password(password, login.password_hash if login else None) or login is None:
        raise WrongPasswordError(say("No account has that name and password."))
    return login.claim


def _sign_up(site: Site, visit: Visit | None, form: Form, error: SiteError | None) -> Response:
    handle = field(form, "handle") or (visit.claim.handle if visit else new_guest(site.rng).handle)
    wrong: dict[type[SiteError], str] = {
        BadNameError: "handle",
        BadPasswordError: "password",
        BadEmailError: "email",
    }
    view = SignUpView(
        handle=handle,
        email=field(form, "email"),
        rounds=_closed(site, visit),
        problem=str(error) if error else None,
        wrong=wrong.get(type(error), "") if error else "",
        has_mail=site.postbox is not None,
        providers=provider_names(site),
    )
    return site.pages.page("sign_up", view, status=status_of(error)[0] if error else 200)


def _sign_in(
    site: Site,
    visit: Visit | None,
    name: str,
    error: SiteError | None = None,
    *,
    wrong: str = "",
    sent: bool = False,
) -> Response:
    view = SignInView(
        name=name,
        problem=str(error) if error else None,
        wrong=wrong,
        has_mail=site.postbox is not None,
        providers=provider_names(site),
        guest_rounds=_closed(site, visit) if guest_of(visit) else 0,
        sent=sent,
    )
    return site.pages.page("sign_in", view, status=status_of(error)[0] if error else 200)


def _closed(site: Site, visit: Visit | None) -> int:
    if visit is None:
        return 0
    with site.database.read() as db:
        return count_closed(db, visit.claim.player_id)
