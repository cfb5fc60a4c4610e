"""Plans that come from a web page: what they ask for, and what they may not name."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from app.errors import BadPlanError
from app.services.building import Condition
from app.settings import Settings
from generators.backends.weights import PACKAGES
from generators.corpora import CORPORA, corpus_of
from generators.corpora.hub import PREFIX, named
from generators.errors import BadCorpusError, PlanError
from generators.plan import Plan, plan_from

FILE = re.compile(r"[\w-][\w.-]*")
ON_THE_HUB = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")


def plan_reader(settings: Settings) -> Callable[[str], Sequence[Condition]]:
    """Return who reads the plans that researchers submit."""

    def outline(text: str) -> Sequence[Condition]:
        plan = submitted_plan(text, settings)
        return [Condition(one.genre, one.name, one.count) for one in plan.wanted]

    return outline


def submitted_plan(text: str, settings: Settings) -> Plan:
    """Read a plan from a page. It names no path of this machine and no address it was not given.

    Corpora are shipped ones, data sets of the hub, or files that the operator put into
    `corpora/` of the data folder; models are shipped ones or the hub's; endpoints are
    those of `ROFT_ENDPOINTS`, since each is sent the operator's key.

    Raises:
        BadPlanError: the plan is wrong, or names something else.
    """
    try:
        plan = plan_from(text, "The plan")
    except PlanError as error:
        raise BadPlanError(str(error)) from error
    corpora = {genre: _corpus(name, settings) for genre, name in plan.corpora.items()}
    for genre in plan.genres:
        if genre not in corpora:
            _refuse_if_unknown(genre)
    for name, generator in plan.generators.items():
        if generator.endpoint is not None and generator.endpoint not in settings.endpoint_list:
            raise BadPlanError(
                f"The generator “{name}” asks a server that this site may not ask; the operator lists those"
                " it may in ROFT_ENDPOINTS."
            )
        if generator.endpoint is None and generator.model is not None and not _is_public(generator.model):
            raise BadPlanError(
                f"The generator “{name}” names a model of its own; here a model is one of"
                f" {', '.join(PACKAGES)}, or a name on the hub such as openai-community/gpt2-xl."
            )
    return plan.with_corpora(corpora)


def _is_public(model: str) -> bool:
    return model in PACKAGES or (ON_THE_HUB.fullmatch(model) is not None and not Path(model).exists())


def _corpus(name: str, settings: Settings) -> str:
    if name in CORPORA:
        return name
    if name.startswith(PREFIX):
        _refuse_if_local(name)
        return name
    if FILE.fullmatch(name):
        return str(settings.home / "corpora" / name)
    raise BadPlanError(
        f"There is no corpus “{name}” here; there are {', '.join(CORPORA)}, data sets such as"
        f" {PREFIX}owner/name, and files that the operator put into the folder for corpora."
    )


def _refuse_if_unknown(genre: str) -> None:
    try:
        corpus_of(genre)
    except BadCorpusError as error:
        raise BadPlanError(f"{error} Name a corpus for it under [corpora].") from error


def _refuse_if_local(source: str) -> None:
    try:
        name, _ = named(source)
    except BadCorpusError as error:
        raise BadPlanError(str(error)) from error
    if Path(name).exists():
        raise BadPlanError(f"The data set {name} is a folder of this machine, not one of the hub.")
