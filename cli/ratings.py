"""`roft ratings`: the published ratings of players and generators."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from app.services.publishing import Evidence, Outcome, Publication, evidence_of, publication, publish
from app.settings import Settings
from app.store.database import Database
from app.store.published import Published, Run
from cli.errors import Failure
from cli.opening import migrated_database
from cli.progress import progress
from game.modes import modes
from scoring.mixed import MOST_STEPS, fit_skill
from scoring.skill import Estimate, Skill

app = typer.Typer(no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@app.command("publish")
def publish_ratings(as_json: AsJson = False) -> None:
    """Rate players, passages and generators anew from all rounds, and publish that; run it every night.

    Without a new round nothing changes. Playing may go on meanwhile.

    Example: roft ratings publish
    """
    if find_spec("scipy") is None:
        raise Failure("Published ratings need NumPy and SciPy; `make install-all` installs them.")
    database = migrated_database(Settings())
    found = [_evidence(database, mode) for mode in modes()]
    lacks = [lack for one in found if (lack := one.lack)]
    if len(lacks) == len(found):
        raise Failure(lacks[0])
    outcomes = [_published(database, one) for one in found if not one.lack]
    if as_json:
        print(json.dumps({"runs": [{**_figures(one.run), "is_new": one.is_new} for one in outcomes]}))
        return
    for one in outcomes:
        print(f"{_line(one.run)}; {'published now' if one.is_new else 'as published before'}.")


@app.command("show")
def show_ratings(as_json: AsJson = False) -> None:
    """Print what is published: the average player, and each generator, in points above lazy play.

    Example: roft ratings show
    """
    with migrated_database(Settings()).read() as db:
        found = [one for mode in modes() if (one := publication(db, mode))]
    if as_json:
        print(json.dumps({"runs": [_told(one) for one in found]}, ensure_ascii=False))
        return
    for one in found:
        print(f"{_line(one.run)}.")
        for each in one.generators:
            name = " ".join(part for part in (each.name, each.model) if part)
            print(f"  {name:<40} {_words(each.published)}  {each.published.rounds} rounds")
    if not found:
        print("Nothing is published yet; `roft ratings publish` does it.")


def _evidence(database: Database, mode: str) -> Evidence:
    with database.read() as db:
        return evidence_of(db, mode)


def _published(database: Database, evidence: Evidence) -> Outcome:
    if evidence.published:
        return Outcome(evidence.published, is_new=False)
    found = _fitted(evidence)
    with database.write() as db:
        return publish(db, evidence, found, now=datetime.now(UTC))


def _fitted(evidence: Evidence) -> Skill:
    with progress(MOST_STEPS, "fitting") as show:
        try:
            found = fit_skill(evidence.rounds, watch=lambda step: show(step, "fitting"))
        except ValueError as error:
            raise Failure(str(error)) from error
        show(MOST_STEPS, "fitted")
    return found


def _line(run: Run) -> str:
    """Return the figures of a run in one line."""
    return (
        f"{run.mode}: {run.rounds} rounds of {run.players} players on {run.passages} passages;"
        f" mean {_words(run.total)} above lazy play; deviations: players {run.player_deviation:.2f},"
        f" generators {run.generator_deviation:.2f}, passages {run.passage_deviation:.2f},"
        f" a round {run.round_deviation:.2f}; run {run.number} of {run.made_at:%Y-%m-%d %H:%M} UTC"
    )


def _words(one: Estimate | Published) -> str:
    return f"{one.mean:+.2f} ({one.lower:+.2f} to {one.upper:+.2f})"


def _told(one: Publication) -> Mapping[str, Any]:
    generators = [
        {"name": each.name, "model": each.model, **_estimate(each.published), "rounds": each.published.rounds}
        for each in one.generators
    ]
    return {**_figures(one.run), "generators": generators}


def _figures(run: Run) -> Mapping[str, Any]:
    return {
        "mode": run.mode,
        "run": run.number,
        "made_at": run.made_at.isoformat(),
        "rule": run.rule,
        "rounds": run.rounds,
        "telling": run.telling,
        "players": run.players,
        "passages": run.passages,
        **_estimate(run.total),
        "deviations": {
            "players": run.player_deviation,
            "generators": run.generator_deviation,
            "passages": run.passage_deviation,
            "round": run.round_deviation,
        },
    }


def _estimate(one: Estimate | Published) -> Mapping[str, Any]:
    return {"estimate": one.mean, "interval": [one.lower, one.upper]}
