"""The file in which whoever runs the site names its providers."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import httpx2
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, TypeAdapter, ValidationError

from app.errors import ProvidersError
from app.settings import LOCAL


def _private(address: str) -> str:
    try:
        parts = httpx2.URL(address)
    except httpx2.InvalidURL as error:
        raise ValueError("that is no address") from error
    if not parts.host or not (parts.scheme == "https" or (parts.scheme == "http" and parts.host in LOCAL)):
        raise ValueError("an address begins with https://")
    return address


Address = Annotated[str, AfterValidator(_private)]
"""An address that nobody listens in on."""
Slug = Annotated[str, Field(pattern="^[a-z0-9-]{1,40}$")]


class Entry(BaseModel):
    """A provider as it is written down; `name` is what people read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=60)
    issuer: Address
    client_id: str = Field(min_length=1)
    client_secret: SecretStr = Field(min_length=1)


_FILE = TypeAdapter(dict[Slug, Entry])


def read_entries(path: Path) -> Mapping[str, Entry]:
    """Return the providers in a file, by the names they have in addresses.

    Raises:
        ProvidersError: it cannot be read, or makes no sense.
    """
    try:
        entries = _FILE.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeError) as error:
        raise ProvidersError(f"ROFT_PROVIDERS: {path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise ProvidersError(f"ROFT_PROVIDERS: {path} is not TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        said = first["msg"].removeprefix("Value error, ")
        raise ProvidersError(f"ROFT_PROVIDERS: {path} is wrong at {place}: {said}.") from None
    for issuer, times in Counter(one.issuer for one in entries.values()).items():
        if times > 1:
            raise ProvidersError(f"ROFT_PROVIDERS: {path} names {issuer} twice.")
    return entries
