"""Settings, read once from the environment (`ROFT_…`)."""

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import make_url

ROOT = Path(__file__).resolve().parent.parent
"""The checkout: templates, migrations and decks lie beside the packages."""
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""This machine: on the way there nothing has to be encrypted."""


class Settings(BaseSettings):
    """How this installation runs.

    Attributes:
        home: folder for the database and the secret.
        database_url: SQLAlchemy address; an SQLite file in `home` by default.
        secret: signs tokens; whoever knows it can play as anybody.
        durability: whether SQLite waits for the disk on every commit (`full`) or
            survives only the death of the process (`normal`).
        address: where people find this site, such as `https://roft.example.org`; links in
            mails lead there.
        mail: the server that sends mails, `smtp://name:password@host:587` or `smtps://…`;
            without one nothing on the pages offers a mail.
        mail_from: the sender of mails.
        providers: a TOML file of the sites that people may sign in with; without one nothing
            on the pages offers that.
        endpoints: addresses of the servers that plans submitted on the pages may have
            asked, parted by commas; each is sent the key in ROFT_GENERATION_KEY.
        policy: the rules that new rounds are played by; `replication` offers the
            paper's reasons alone.
    """

    model_config = SettingsConfigDict(env_prefix="ROFT_", frozen=True)

    home: Path = Path("var")
    database_url: str = ""
    secret: SecretStr = SecretStr("")
    durability: Literal["full", "normal"] = "full"
    policy: Literal["site", "replication"] = "site"
    endpoints: str = ""
    address: str = ""
    mail: SecretStr = SecretStr("")
    mail_from: str = ""
    providers: str = ""

    @property
    def url(self) -> str:
        """Return the address of the database with its driver named."""
        url = self.database_url or f"sqlite:///{self.home / 'roft.db'}"
        scheme, _, rest = url.partition("://")
        return f"postgresql+psycopg://{rest}" if scheme in {"postgres", "postgresql"} else url

    @property
    def endpoint_list(self) -> Sequence[str]:
        """Return the servers that submitted plans may have asked."""
        return [address.strip() for address in self.endpoints.split(",") if address.strip()]

    @property
    def shown_url(self) -> str:
        """Return the address without the password, for messages."""
        return make_url(self.url).render_as_string(hide_password=True)


def secret_in(home: Path) -> SecretStr:
    """Return the secret kept in the data folder; make one, readable by its owner only."""
    path = home / "secret"
    home.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        whole = home / f"secret.{os.getpid()}"
        with open(whole, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(secrets.token_urlsafe(32))
        with suppress(FileExistsError):  # somebody else was first
            os.link(whole, path)
        whole.unlink()
    return SecretStr(path.read_text().strip())
