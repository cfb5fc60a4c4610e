"""What curators do about reported passages: `roft passages reports`, `annul` and `clear`."""

import json
from datetime import UTC, datetime
from typing import Annotated

import typer

from app.services.reporting import annul as annul_passage
from app.services.reporting import clear as clear_passage
from app.settings import Settings
from app.store.passages import load_passage
from app.store.reports import complaints
from cli.opening import migrated_database

PassageId = Annotated[str, typer.Argument(help="The passage, as `roft passages reports` names it.")]


def reports(as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """List passages that players have reported and nobody has decided about.

    Example: roft passages reports
    """
    with migrated_database(Settings()).read() as db:
        found = complaints(db)
        texts = {one.passage_id: load_passage(db, one.passage_id).sentences[0].text for one in found}
    if as_json:
        told = [
            {
                "passage": one.passage_id,
                "state": one.state,
                "reports": one.reports,
                "kinds": one.kinds,
                "notes": one.notes,
            }
            for one in found
        ]
        print(json.dumps({"reported": told}, ensure_ascii=False))
        return
    for one in found:
        print(f"{one.passage_id}  {one.state}, {one.reports} reports: {', '.join(sorted(set(one.kinds)))}")
        print(f"  begins: {texts[one.passage_id][:100]}")
        for note in one.notes:
            print(f"  “{note}”")
    if not found:
        print("Nothing is reported.")


def annul(passage: PassageId) -> None:
    """Take a passage out for good: its rounds count no more, boards and ratings are computed again.

    Example: roft passages annul 9f2c0d7b1e5a48c3b6d4f0e2a1c3958b7d6e4f5a0b1c2d3e4f5a6b7c8d9e0f1a
    """
    with migrated_database(Settings()).write() as db:
        rounds = annul_passage(db, passage, now=datetime.now(UTC))
    print(f"Taken out; {rounds} rounds count no more.")


def clear(passage: PassageId) -> None:
    """Serve a reported passage again, or keep serving it; an annulled one stays out.

    Example: roft passages clear 9f2c0d7b1e5a48c3b6d4f0e2a1c3958b7d6e4f5a0b1c2d3e4f5a6b7c8d9e0f1a
    """
    with migrated_database(Settings()).write() as db:
        clear_passage(db, passage, now=datetime.now(UTC))
    print("Cleared: it is served, and the same reports do not suspend it again.")
