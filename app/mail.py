"""Mails: through a server, or into a folder while somebody develops."""

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from app.errors import MailError
from app.settings import LOCAL, Settings

PATIENCE_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Mail:
    """A text to somebody."""

    to: str
    subject: str
    text: str


class Postbox(Protocol):
    """Where mails are thrown in."""

    def send(self, mail: Mail) -> None:
        """Send a mail.

        Raises:
            MailError: the server does not take it.
        """
        ...


class SmtpPostbox:
    """Sends through an SMTP server; a password travels encrypted or not at all."""

    def __init__(self, url: str, sender: str) -> None:
        """Take the address of the server and of the sender."""
        parts = urlsplit(url)
        if parts.scheme not in {"smtp", "smtps"} or not parts.hostname or not sender:
            raise MailError(
                "ROFT_MAIL is smtp://name:password@host:587 or smtps://name:password@host:465, and"
                " ROFT_MAIL_FROM the sender."
            )
        self._host, self._is_encrypted = parts.hostname, parts.scheme == "smtps"
        self._port = parts.port or (465 if self._is_encrypted else 587)
        self._name, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._sender = sender

    def send(self, mail: Mail) -> None:
        """Send a mail."""
        try:
            with self._connect() as server:
                server.send_message(_message(mail, self._sender))
        except (OSError, smtplib.SMTPException) as error:
            raise MailError(f"The mail server did not take a mail: {error}") from error

    def _connect(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self._is_encrypted:
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                self._host, self._port, timeout=PATIENCE_SECONDS, context=context
            )
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=PATIENCE_SECONDS)
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=context)
            elif self._name and self._host not in LOCAL:
                server.close()
                raise MailError("The mail server offers no encryption, so the password was not sent.")
        if self._name:
            server.login(self._name, self._password)
        return server


class FolderPostbox:
    """Puts mails into a folder, where whoever runs the site reads them."""

    def __init__(self, folder: Path) -> None:
        """Take the folder; it is made when there is a mail."""
        self.folder = folder

    def send(self, mail: Mail) -> None:
        """Write a mail; one after the other by name."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(path.stem) for path in self.folder.glob("[0-9]*.eml")), default=0)
        path = self.folder / f"{number:05}.eml"
        path.write_bytes(bytes(_message(mail, "roft@localhost")))


def postbox_of(settings: Settings) -> Postbox | None:
    """Return where this installation's mails go; None if it sends none.

    Raises:
        MailError: the settings do not fit together.
    """
    url = settings.mail.get_secret_value()
    if not url:
        return None
    if not settings.address:
        raise MailError("Set ROFT_ADDRESS, where people find this site: links in mails lead there.")
    return SmtpPostbox(url, settings.mail_from)


def _message(mail: Mail, sender: str) -> EmailMessage:
    message = EmailMessage()
    message["To"] = mail.to
    message["From"] = sender
    message["Subject"] = mail.subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message.set_content(mail.text)
    return message
