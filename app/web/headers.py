"""Headers that every reply carries."""

from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
COMMON = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"content-security-policy", POLICY.encode()),
)
FOUND = frozenset({HTTPStatus.OK, HTTPStatus.NOT_MODIFIED, HTTPStatus.PARTIAL_CONTENT})
"""A missing file may be there after the next release: that answer is not kept."""
LASTING = (*COMMON, (b"cache-control", b"public, max-age=31536000, immutable"))
FRESH = (*COMMON, (b"cache-control", b"no-store"))


class SecurityHeaders:
    """No third party, no frame, no stored copy of a page that somebody plays on."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to a reply."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_static = scope["path"].startswith("/static/")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_lasting = is_static and message["status"] in FOUND
                message["headers"] = [*message["headers"], *(LASTING if is_lasting else FRESH)]
            await send(message)

        await self._app(scope, receive, send_with_headers)
