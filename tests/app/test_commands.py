"""The site's commands say in one sentence what is wrong."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from app.settings import secret_in

ROFT = [sys.executable, "-c", "from cli.main import main; main()"]


def roft(*arguments: str, home: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    environment = {**os.environ, "ROFT_HOME": str(home), **settings}
    return subprocess.run(
        [*ROFT, *arguments], capture_output=True, text=True, env=environment, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("arguments", "settings", "code", "sentence"),
    [
        (["db", "upgrade"], {"ROFT_POLICY": "mine"}, 2, "ROFT_POLICY is wrong: Input should be 'site' or"),
        (["serve"], {"ROFT_SECRET": "short"}, 1, "Set ROFT_SECRET to at least 32 random characters"),
        (["serve"], {"ROFT_SECRET": "x" * 32}, 1, "roft db upgrade"),
        (["serve", "--port", "0"], {}, 2, "--port"),
        (["sing"], {}, 2, "No such command"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    tmp_path: Path, arguments: list[str], settings: dict[str, str], code: int, sentence: str
) -> None:
    done = roft(*arguments, home=tmp_path, **settings)

    assert done.returncode == code
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_nothing_is_promised_on_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = roft("demo", "--port", str(taken.getsockname()[1]), home=tmp_path)

    assert done.returncode == 1
    assert "choose another with --port" in done.stderr
    assert "ready" not in done.stdout


def test_a_secret_is_made_once_whole_and_for_its_owner_only(tmp_path: Path) -> None:
    first = secret_in(tmp_path).get_secret_value()

    assert secret_in(tmp_path).get_secret_value() == first
    assert len(first) >= 32
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
