"""`python -m bench.serving KIND URL FILE_DESCRIPTOR`: one server process, ours or the floor."""

import socket
import sys
from typing import Any

import uvicorn
from pydantic import SecretStr

from app.main import create_app
from app.settings import Settings
from bench.floor import create_floor

SECRET = "a secret of the benchmark, long enough for the rule"  # noqa: S105


def main(kind: str, url: str, descriptor: int) -> None:
    """Answer on a listening socket until the process is ended."""
    settings = Settings(database_url=url, secret=SecretStr(SECRET), durability="normal")
    app: Any = create_app(settings) if kind == "ours" else create_floor(url, SECRET)
    listening = socket.socket(fileno=descriptor)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_keep_alive=600)).run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
