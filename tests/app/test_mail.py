"""Mails reach a real server, or say why not."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope
from pydantic import SecretStr

from app.errors import MailError
from app.mail import FolderPostbox, Mail, SmtpPostbox, postbox_of
from app.settings import Settings
from app.web.mails import send_quietly

MAIL = Mail("grace@example.org", "Hello, Grace", "A line with “quotes”.\nAnd another.\n")
SENDER = "roft@example.org"
ELSEWHERE = "127.0.0.2"
"""A loopback address that does not look like one to us."""


@dataclass
class Office:
    """A mail server that keeps what it gets."""

    refuses: bool = False
    got: list[Any] = field(default_factory=list[Any])
    passwords: list[bytes] = field(default_factory=list[bytes])

    async def handle_DATA(self, _server: object, _session: object, envelope: Envelope) -> str:  # noqa: N802
        """Keep a mail."""
        if self.refuses:
            return "554 We take no mails today"
        self.got.append(message_from_bytes(_bytes(envelope.content), policy=policy.default))
        return "250 Kept"

    def check(self, *arguments: Any) -> AuthResult:
        """Take any password."""
        self.passwords.append(arguments[-1].password)
        return AuthResult(success=True)


def free_port(host: str) -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as one:
        one.bind((host, 0))
        return int(one.getsockname()[1])


def _bytes(content: bytes | str | None) -> bytes:
    return content if isinstance(content, bytes) else b""


def serving(office: Office, host: str = "127.0.0.1") -> Iterator[str]:
    """Run the server and yield its address."""
    controller = Controller(
        office, hostname=host, port=free_port(host), authenticator=office.check, auth_require_tls=False
    )
    controller.start()
    yield f"{host}:{controller.port}"
    controller.stop()


@pytest.fixture
def office() -> Office:
    return Office()


@pytest.fixture
def address(office: Office) -> Iterator[str]:
    yield from serving(office)


def test_a_mail_arrives_as_it_was_written(office: Office, address: str) -> None:
    SmtpPostbox(f"smtp://{address}", SENDER).send(MAIL)

    got = office.got[0]
    assert (got["To"], got["From"], got["Subject"]) == (MAIL.to, SENDER, MAIL.subject)
    assert got.get_content().replace("\r\n", "\n") == MAIL.text
    assert got["Date"]
    assert got["Message-ID"].endswith("@example.org>")


def test_a_name_and_password_are_used(office: Office, address: str) -> None:
    SmtpPostbox(f"smtp://roft:p%40ss@{address}", SENDER).send(MAIL)

    assert office.passwords == [b"p@ss"]
    assert len(office.got) == 1


def test_a_password_does_not_travel_in_the_open(office: Office) -> None:
    for address in serving(office, ELSEWHERE):
        with pytest.raises(MailError, match="no encryption"):
            SmtpPostbox(f"smtp://roft:secret@{address}", SENDER).send(MAIL)
    assert (office.got, office.passwords) == ([], [])


def test_a_server_that_refuses_or_is_not_there_is_named(office: Office, address: str) -> None:
    office.refuses = True
    with pytest.raises(MailError, match="no mails today"):
        SmtpPostbox(f"smtp://{address}", SENDER).send(MAIL)
    with pytest.raises(MailError, match="refused"):
        SmtpPostbox("smtp://127.0.0.1:9", SENDER).send(MAIL)


def test_a_mail_that_cannot_be_sent_breaks_no_page(office: Office, address: str, caplog: Any) -> None:
    office.refuses = True
    send_quietly(SmtpPostbox(f"smtp://{address}", SENDER), MAIL)

    assert "A mail was not sent" in caplog.text


@pytest.mark.parametrize("url", ["mail.example.org", "http://mail.example.org", "smtp://", "smtp://x"])
def test_settings_that_make_no_sense_are_refused(url: str) -> None:
    with pytest.raises(MailError, match="ROFT_MAIL is smtp"):
        SmtpPostbox(url, "" if url == "smtp://x" else SENDER)


def test_mails_need_to_know_where_the_site_is() -> None:
    settings = Settings(mail=SecretStr("smtp://x"), mail_from=SENDER)

    with pytest.raises(MailError, match="ROFT_ADDRESS"):
        postbox_of(settings)
    assert postbox_of(Settings()) is None
    assert postbox_of(settings.model_copy(update={"address": "https://roft.example.org"})) is not None


def test_a_folder_keeps_mails_in_order(tmp_path: Path) -> None:
    box = FolderPostbox(tmp_path / "mail")
    for _ in range(11):
        box.send(MAIL)

    assert [path.name for path in sorted((tmp_path / "mail").iterdir())][-1] == "00011.eml"
