"""What went wrong when passages were generated and imported before RoFT: a test for each fault.

A docstring names the fault, the test's name says what happens here instead.
"""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import correlation
from typing import Any

import pytest

from app.services.importing import ImportCount, import_passages
from app.store.database import Database
from app.store.migrating import upgrade
from game.passage import LENGTH, Author, Sentence
from game.records import GeneratorRecord, PassageRecord, SentenceRecord, content_id, passage_of
from generators import manifest
from generators.backends.base import Prompt
from generators.backends.fake import FakeBackend
from generators.backends.weights import weights_of
from generators.build import Builder, Condition, Tally
from generators.checks import CHARACTERS
from generators.corpora import files
from generators.deck import boundary_of
from generators.decoding import Decoding
from generators.errors import BackendMissingError, PlanError
from generators.judges import Judges
from generators.plan import read_plan
from generators.raw import Calls, FileLog
from generators.segment import Unit, splits_again
from generators.windows import Window, windows
from generators.writers import (
    Attempt,
    HumanWriter,
    ModelWriter,
    SpliceWriter,
    Writer,
    machine_units,
    prompt_of,
)
from tests.factories import no_pointers, record
from tests.generators.texts import document, documents, filled, judges, sentences

pytest.importorskip("nupunkt")

BAD = "Visit www.example.com today."
SEEDS = (11, 12, 13, 14)


class Listening(FakeBackend):
    """Remembers what it is asked; a script may change what it writes."""

    def __init__(self, script: Callable[[str], str] = str, *, name: str = "fake") -> None:
        super().__init__(batch=4)
        self.name, self.script = name, script
        self.prompts: list[Prompt] = []

    def continuations(
        self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str]:
        self.prompts.extend(prompts)
        return list(map(self.script, super().continuations(prompts, decoding, seeds=seeds)))


class Deaf:
    """A tagger that finds no verb where a word is."""

    def __init__(self, word: str = "") -> None:
        self.word = word

    def has_verb(self, text: str) -> bool:
        return self.word not in text


def model(
    folder: Path,
    backend: FakeBackend | None = None,
    decoding: Decoding | None = None,
    controls: Sequence[str] = (),
) -> ModelWriter:
    calls = Calls(FileLog(folder / "raw.jsonl", resume=False))
    return ModelWriter(backend or Listening(), decoding or Decoding(), calls, controls)


def deaf(word: str = "") -> Judges:
    return replace(judges(), tagger=Deaf(word))


def tally_of(writer: Writer, reading: Judges, *, count: int = 20, texts: int = 4) -> Tally:
    builder = Builder({"stories": documents(texts)}, 1, reading)
    (tally,) = builder.fill([Condition("stories", writer, count)])
    return tally


def texts_of(passage: PassageRecord) -> tuple[str, ...]:
    return tuple(sentence.text or "" for sentence in passage.sentences)


def machine_part(passage: PassageRecord) -> tuple[str, ...]:
    return texts_of(passage)[boundary_of(passage) :]


def a_window() -> Window:
    return next(windows(documents(1)[0]))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Sequence[PassageRecord]:
    """Sixty passages, six for each boundary."""
    return filled(model(tmp_path_factory.mktemp("kept")), 60, texts=40).kept


# --- which texts


def test_the_same_seed_draws_the_same_texts(tmp_path: Path) -> None:
    """Texts were split and drawn without a seed."""
    lines = [" ".join(sentences(12, at)) for at in range(30)]
    (tmp_path / "mine.txt").write_text("\n".join(lines), encoding="utf-8")

    def drawn(seed: int) -> list[str]:
        reading = files.reading(tmp_path / "mine.txt", "stories", seed=seed, most=5)
        return [one.id for one in reading.documents]

    assert drawn(1) == drawn(1) != drawn(2)


def test_every_human_sentence_is_the_authors_own(kept: Sequence[PassageRecord]) -> None:
    """A speech began with a sentence that was made up from its title, its speaker and its date."""
    texts = {one.id: one.text for one in documents(40)}
    for passage in kept:
        own = [texts[passage.source.document][start:end] for start, end in passage.source.offsets]
        assert list(texts_of(passage)[: boundary_of(passage)]) == own


def test_boundaries_do_not_follow_the_order_of_the_texts(kept: Sequence[PassageRecord]) -> None:
    """The boundary was counted up along the file, so its order decided on both."""
    places = [int(passage.source.document.removeprefix("tests/")) for passage in kept]
    assert abs(correlation(places, list(map(boundary_of, kept)))) < 0.2


def test_every_condition_has_every_boundary_equally_often(tmp_path: Path) -> None:
    """Settings changed in blocks along the file, out of step with the boundary."""
    conditions = [
        Condition("stories", model(tmp_path, decoding=Decoding(top_p=top_p)), 20) for top_p in (0.4, 1.0)
    ]
    tallies = Builder({"stories": documents(30)}, 1, judges()).fill(conditions)
    assert [tally.filled for tally in tallies] == [dict.fromkeys(range(1, LENGTH + 1), 2)] * 2


def test_conditions_share_no_passage_though_their_models_write_the_same(tmp_path: Path) -> None:
    """Nothing was compared across models, and a text could stand in several files."""
    same = " " + " ".join(sentences(9, 77))
    conditions = [
        Condition("stories", model(tmp_path, Listening(lambda _: same, name=name)), 10)
        for name in ("one", "other")
    ]
    tallies = Builder({"stories": documents(3)}, 1, judges()).fill(conditions)
    written = Counter(part for one in tallies for passage in one.kept for part in machine_part(passage)[:1])
    assert written.total() == 1
    assert all(tally.refused["machine: near-duplicate"] for tally in tallies)


# --- how the next token is drawn


@pytest.fixture(scope="module")
def tiny_backend(tiny: Path) -> Any:
    return backend_of(tiny)


def backend_of(folder: Path) -> Any:
    from generators.backends.transformers import TransformersBackend

    return TransformersBackend(str(folder), cache=folder, dtype="float32")


def prompts() -> list[Prompt]:
    return [Prompt(" ".join(sentences(count, count)), Unit.SENTENCE, 10 - count) for count in (9, 2, 7, 1)]


def test_no_default_of_a_library_or_of_a_model_is_used(tiny: Path, tiny_backend: Any, tmp_path: Path) -> None:
    """top_k fell back to the library's 50 half way through, and a text had to be 1024 tokens long."""
    other = tmp_path / "other"
    shutil.copytree(tiny, other)
    settings = {
        "do_sample": True,
        "top_k": 1,
        "temperature": 0.1,
        "repetition_penalty": 9.0,
        "min_length": 1024,
    }
    path = other / "generation_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **settings}), encoding="utf-8")

    texts = backend_of(other).continuations(prompts(), Decoding(), seeds=SEEDS)

    assert texts == tiny_backend.continuations(prompts(), Decoding(), seeds=SEEDS)


def test_pure_sampling_reaches_every_token() -> None:
    """What was recorded as pure sampling was drawn from the 50 most probable tokens."""
    torch = pytest.importorskip("torch")
    from generators.backends.sampling import draw

    uniforms = torch.linspace(0, 0.9999, 4000)
    assert draw(torch.zeros(4000, 400), Decoding(), uniforms).unique().numel() == 400


def test_a_model_may_end_before_its_budget(tiny_backend: Any) -> None:
    """The end of the text was made impossible, so that models rambled on."""
    asked = [Prompt("The baker sold bread.", Unit.SENTENCE, 9)] * 8
    texts = tiny_backend.continuations(asked, Decoding(), seeds=range(8))
    assert min(len(tiny_backend._tokenizer(text).input_ids) for text in texts) < 9 * 60 / 2


def test_two_kinds_of_penalty_have_two_names_and_two_effects() -> None:
    """A frequency penalty of one model and a repetition penalty of another went by one name."""
    torch = pytest.importorskip("torch")
    from generators.backends.sampling import Seen, penalised

    seen = Seen(torch.tensor([[0]]), torch.tensor([[1, 1]]))
    one, other = Decoding(repetition_penalty=1.2), Decoding(frequency_penalty=1.2)
    lowered = [penalised(torch.tensor([[2.0, 2.0]]), seen, each).tolist() for each in (one, other)]
    assert lowered[0] != lowered[1]
    assert (one.record()["repetition_penalty"], one.record()["frequency_penalty"]) == (1.2, 0)


@pytest.mark.parametrize("top_p", [0.0, 0.73, 1.0])
def test_any_top_p_is_recorded_and_imported(tmp_path: Path, top_p: float) -> None:
    """A value other than 0, 0.4 and 1 was dropped at the import without a word."""
    passages = filled(model(tmp_path, decoding=Decoding(top_p=top_p)), 10).kept
    assert {one.generator.decoding["top_p"] for one in passages if one.generator} == {top_p}
    assert imported(tmp_path, passages).new == 10


def test_every_attempt_has_a_seed_of_its_own(kept: Sequence[PassageRecord]) -> None:
    """Everything was written with seed 42."""
    seeds = [passage.generator.seed for passage in kept if passage.generator]
    assert len(set(seeds)) == len(seeds) == 54


def test_a_prompt_can_be_continued_more_than_once(tmp_path: Path) -> None:
    """There was one continuation for a prompt, a model and a setting, and no room for another."""
    one, other = model(tmp_path).tails([Attempt(a_window(), 5, seed) for seed in (1, 2)])
    assert one.texts != other.texts


# --- the seam


@pytest.mark.parametrize("boundary", range(1, LENGTH))
def test_the_first_sentence_that_was_written_is_the_first_that_is_shown(boundary: int) -> None:
    """As many sentences as the human had written were cut off the continuation's beginning."""
    written = sentences(LENGTH - boundary, 5)
    units = machine_units(Attempt(a_window(), boundary, 1), " " + " ".join(written))
    assert units == tuple(written)


def test_a_continuation_that_takes_up_the_prompt_again_is_not_cut_there() -> None:
    """The seam was looked for by the prompt's last words, wherever in the text they stood."""
    attempt = Attempt(a_window(), 7, 1)
    written = ["The mayor came late.", attempt.human[-1], "Nobody was there."]
    assert machine_units(attempt, " " + " ".join(written)) == tuple(written)


def test_white_space_tells_nothing(tmp_path: Path) -> None:
    """White space and line breaks were kept on one side of the seam and stripped on the other."""
    backend = Listening(lambda text: text.replace(". ", ".\u00a0\n ").replace(" the ", "\t the  "))
    for passage in filled(model(tmp_path, backend), 20).kept:
        assert all(text == " ".join(text.split()) for text in texts_of(passage))


def test_one_rule_cuts_both_sides_of_the_joined_text(kept: Sequence[PassageRecord]) -> None:
    """A rule cut what people wrote, and a parser what models wrote."""
    assert all(splits_again(texts_of(passage), Unit.SENTENCE) for passage in kept)


@pytest.mark.parametrize("boundary", [1, 9])
def test_a_lone_quotation_mark_is_refused_and_not_mended(tmp_path: Path, boundary: int) -> None:
    """A lone quotation mark was glued to whichever neighbour had an odd number of them."""
    written = " " + " ".join(['"', "The mayor came late.", *sentences(8, 4)])
    (tail,) = model(tmp_path, Listening(lambda _: written)).tails([Attempt(a_window(), boundary, 1)])
    assert tail.refused
    assert not tail.texts


# --- many prompts together


def test_a_text_does_not_depend_on_the_prompts_beside_it(tiny_backend: Any) -> None:
    """Prompts of different lengths were padded into one batch that got positions and padding wrong."""
    together = tiny_backend.continuations(prompts(), Decoding(), seeds=SEEDS)
    alone = [
        tiny_backend.continuations([prompt], Decoding(), seeds=[seed])[0]
        for prompt, seed in zip(prompts(), SEEDS, strict=True)
    ]
    assert together == alone


def test_every_passage_holds_what_was_written_for_its_own_prompt(kept: Sequence[PassageRecord]) -> None:
    """A batch gave all its passages the number of its first prompt."""
    for passage in kept:
        if passage.generator:
            prompt = Prompt("", Unit.SENTENCE, LENGTH - boundary_of(passage))
            seed = passage.generator.seed or 0
            (written,) = FakeBackend().continuations([prompt], Decoding(), seeds=[seed])
            assert written.startswith(" " + " ".join(machine_part(passage)))


def test_a_row_may_write_as_much_as_its_own_sentences_need(tiny_backend: Any) -> None:
    """How long a text might be was reckoned from the longest prompt of its batch."""
    text = prompts()[3].text
    asked = [Prompt(text, Unit.SENTENCE, needed) for needed in (1, 9) for _ in range(6)]
    lengths = [len(text) for text in tiny_backend.continuations(asked, Decoding(), seeds=range(12))]
    assert max(lengths[:6]) * 3 < max(lengths[6:])


def test_half_a_sentence_at_the_end_of_a_budget_is_never_shown() -> None:
    """A budget by the average length of sentences broke off longer ones in the middle."""
    attempt = Attempt(a_window(), 8, 1)
    whole = ("The mayor came late.", "Nobody was there.")
    assert machine_units(attempt, f" {' '.join(whole)} The old") == whole
    assert machine_units(attempt, f" {whole[0]} Nobody was") == "ends in mid-sentence"


# --- control codes, contexts, and what a prompt looks like


CODES = ("Politics", "Books")


def test_a_control_code_is_recorded_and_never_shown(tmp_path: Path) -> None:
    """The code stood in the first sentence that players saw, and nowhere else."""
    for passage in filled(model(tmp_path, controls=CODES), 20).kept:
        assert not texts_of(passage)[0].startswith(CODES)
        assert passage.generator is None or passage.generator.decoding["control_code"] in CODES


def test_a_passage_has_the_same_control_code_when_it_is_written_again(tmp_path: Path) -> None:
    """Codes were drawn without a seed from a long list that nobody had looked through."""

    def codes() -> list[object]:
        passages = filled(model(tmp_path, controls=CODES), 20).kept
        return [one.generator.decoding["control_code"] for one in passages if one.generator]

    assert codes() == codes()
    assert set(codes()) == set(CODES)


@pytest.mark.parametrize("boundary", range(1, LENGTH))
def test_a_prompt_is_written_in_the_same_way_for_every_boundary(boundary: int) -> None:
    """A label stood before the second sentence, so a prompt of one sentence had none."""
    attempt = Attempt(a_window(), boundary, 1)
    assert prompt_of(attempt, "Politics").text == f"Politics {' '.join(attempt.human)}"


def test_every_model_is_given_the_same_text(tmp_path: Path) -> None:
    """Sentences were joined by spaces for one model and by blank lines for another."""
    one, other = Listening(name="one"), Listening(name="other")
    for backend in (one, other):
        model(tmp_path, backend).tails([Attempt(a_window(), boundary, 1) for boundary in (2, 8)])
    assert [prompt.text for prompt in one.prompts] == [prompt.text for prompt in other.prompts]


def test_a_long_prompt_is_continued_and_the_limit_recorded(tiny_backend: Any) -> None:
    """Long prompts were skipped, and contexts cut at 256 tokens, against what the paper said."""
    end = " ".join(sentences(5, 9))
    asked = [Prompt(f"{begin} {end}", Unit.SENTENCE, 1) for begin in sentences(2, 8)]
    limited = tiny_backend.continuations(asked, Decoding(context=64), seeds=[4, 4])
    unlimited = tiny_backend.continuations(asked, Decoding(), seeds=[4, 4])
    assert limited[0] == limited[1] != ""
    assert unlimited[0] != unlimited[1]
    assert Decoding(context=64).record()["context"] == 64
    assert "context" not in Decoding().record()


# --- what is refused


@pytest.mark.parametrize("side", ["human", "machine"])
def test_a_filter_meets_both_sides(tmp_path: Path, side: str) -> None:
    """Only what the machine wrote was filtered, so sentences without a verb were human."""
    tally = tally_of(model(tmp_path), deaf("seven lamps"), count=10, texts=10)
    assert tally.refused[f"{side}: no verb"]
    assert not any("seven lamps" in text for passage in tally.kept for text in texts_of(passage))


@pytest.mark.parametrize("name", ["human", "model", "splice"])
def test_every_kind_of_passage_meets_the_same_filters(tmp_path: Path, name: str) -> None:
    """The texts of one model went in without the filters of the others."""
    writers: dict[str, Writer] = {
        "human": HumanWriter(),
        "model": model(tmp_path),
        "splice": SpliceWriter([one for text in documents(4) for one in windows(text)]),
    }
    tally = tally_of(writers[name], deaf())
    assert not tally.kept
    assert any(reason.endswith("no verb") for reason in tally.refused)


def test_a_loop_is_refused_though_its_sentences_stand_apart(tmp_path: Path) -> None:
    """Only neighbours that were the same to the letter counted as repetition."""
    one, other = "The old baker sold his bread to everybody.", "The old baker sold his bread to nobody."

    def looping(text: str) -> str:
        first, second, *rest = text.replace(". ", ".\n").strip().split("\n")
        return " " + " ".join([one, first, second, other, *rest])

    tally = tally_of(model(tmp_path, Listening(looping)), judges())
    assert any(one in texts_of(passage) for passage in tally.kept)
    assert not any({one, other} <= set(texts_of(passage)) for passage in tally.kept)


def test_a_machine_that_repeats_the_human_is_refused(tmp_path: Path) -> None:
    """Repetition was looked for in the continuation alone."""
    first = "The old baker sold his bread to everybody."
    texts = [document(f"{at}", " ".join([first, *sentences(30, 50 + at)])) for at in range(6)]
    backend = Listening(lambda text: f" {first}{text}")
    (tally,) = Builder({"stories": texts}, 1, judges()).fill(
        [Condition("stories", model(tmp_path, backend), 20)]
    )
    assert any(first in machine_part(passage) for passage in tally.kept)
    assert not any(texts_of(passage).count(first) > 1 for passage in tally.kept)


def test_both_of_two_bad_neighbours_are_refused(tmp_path: Path) -> None:
    """What came after a refused passage was never looked at: the list shrank under the loop."""
    bad = " ".join(["", BAD, *sentences(9, 4)])
    tally = tally_of(model(tmp_path, Listening(lambda _: bad)), judges())
    assert {boundary_of(passage) for passage in tally.kept} <= {LENGTH}
    assert tally.refused["machine: markup"] > 8


def test_a_prompt_is_looked_at_before_a_model_is_asked(tmp_path: Path) -> None:
    """A filter over prompt and continuation blamed the model for what the human had written."""
    backend = Listening()
    tally = tally_of(model(tmp_path, backend), deaf("seven lamps"), count=10, texts=10)
    assert tally.refused["human: no verb"]
    assert backend.prompts
    assert not any("seven lamps" in prompt.text for prompt in backend.prompts)


@pytest.mark.parametrize("place", [0, 9])
def test_sentences_of_both_sides_lie_between_the_same_lengths(tmp_path: Path, place: int) -> None:
    """Nothing bounded the length of human sentences, or of a machine's."""
    long = "The mayor went home and " + "then went out again and " * 20 + "slept."
    parts = sentences(30, 3)
    parts[place] = long
    (window, *_) = windows(document("long", " ".join(sentences(12, 8) if place else parts)))
    (tail,) = model(tmp_path, Listening(lambda _: " " + " ".join([long, *parts[:9]]))).tails(
        [Attempt(window, 1, 1)]
    )
    assert len(long) > CHARACTERS[Unit.SENTENCE][1]
    assert tail.refused == "length"
    assert long not in window.texts()[: window.reach]


def test_a_passage_has_ten_sentences_whatever_was_written(tmp_path: Path) -> None:
    """A text passed for its length and then had fewer sentences to show, or more."""
    long = filled(model(tmp_path, Listening()), 10).kept
    assert {len(passage.sentences) for passage in long} == {LENGTH}
    tally = tally_of(model(tmp_path, Listening(lambda _: " The mayor came late.")), judges())
    assert {boundary_of(passage) for passage in tally.kept} <= {9, LENGTH}


def test_a_passage_that_is_human_to_the_end_names_no_generator(kept: Sequence[PassageRecord]) -> None:
    """Human passages lay in a model's files with its settings and an empty continuation."""
    human = [passage for passage in kept if boundary_of(passage) == LENGTH]
    assert len(human) == 6
    assert all(passage.generator is None for passage in human)


# --- switched passages


@pytest.fixture(scope="module")
def spliced() -> Sequence[PassageRecord]:
    """Passages that go on with another document."""
    return filled(SpliceWriter([one for text in documents(20) for one in windows(text)]), 18).kept


def test_another_document_is_never_entered_at_its_beginning(spliced: Sequence[PassageRecord]) -> None:
    """The second half of a switched passage began with the first lines of an article."""
    texts = {one.id: one for one in documents(20)}
    for passage in spliced:
        assert passage.other is not None
        assert passage.other.offsets[0][0] >= texts[passage.other.document].spans[LENGTH][0]


def test_a_switched_passage_is_marked_by_its_second_document(spliced: Sequence[PassageRecord]) -> None:
    """A switch was marked by an impossible top_p, and its second article by a number."""
    for passage in spliced:
        assert passage.generator is not None
        assert passage.generator.decoding == {}
        assert passage.other is not None
        assert passage.sentences[-1].author is Author.OTHER


# --- provenance


def test_a_passage_says_what_wrote_it_and_whose_text_it_was(kept: Sequence[PassageRecord]) -> None:
    """Files named neither versions nor templates, and shown texts no licence."""
    for passage in kept:
        assert passage.licence
        assert passage.source.document
        if generator := passage.generator:
            said = (generator.model, generator.revision, generator.decoding, generator.prompt_template)
            assert all(said)


def test_the_code_that_wrote_a_file_is_named_by_its_hash() -> None:
    """No file told which state of the scripts it came from."""
    assert len(manifest.code_sha256()) == 64
    assert manifest.corpora_of(documents(3)) == [
        {"name": "tests", "version": "1", "licence": "none", "documents": 3}
    ]


def test_a_model_that_is_not_all_there_is_not_used(tiny: Path, tmp_path: Path) -> None:
    """Downloads ran beside the work that needed them, and nobody waited."""
    partial = tmp_path / "model"
    shutil.copytree(tiny, partial)
    (partial / "model.safetensors").rename(partial / "model.safetensors.incomplete")
    with pytest.raises(BackendMissingError, match="neither a folder with weights"):
        weights_of(str(partial), tmp_path)


# --- import


def imported(folder: Path, passages: Sequence[PassageRecord]) -> ImportCount:
    """Import passages into the folder's database."""
    database = Database(f"sqlite:///{folder / 'roft.db'}", durability="normal")
    upgrade(database)
    lines = [passage.model_dump_json() for passage in passages]
    now = datetime(2026, 12, 1, tzinfo=UTC)
    with database.write() as db:
        count = import_passages(db, lines, resolve=no_pointers, deck=None, now=now)
    database.close()
    return count


def test_the_same_prompt_with_another_boundary_is_another_passage(tmp_path: Path) -> None:
    """A prompt met again took the boundary that it had come with first."""
    passages = [record(boundary=4), record(boundary=7)]
    assert passages[0].source == passages[1].source
    assert imported(tmp_path, passages).new == 2
    assert [passage_of(one, no_pointers).boundary for one in passages] == [4, 7]


def test_a_text_that_was_changed_comes_in_as_another_passage(tmp_path: Path) -> None:
    """An import of a corrected file kept the old text."""
    old = record()
    assert imported(tmp_path, [old, changed(old, id_of=old)]).skipped == {
        "The id is not the sha-256 of the content.": 1
    }
    assert imported(tmp_path, [old, changed(old)]).new == 1


def changed(old: PassageRecord, *, id_of: PassageRecord | None = None) -> PassageRecord:
    last = SentenceRecord(text="The mayor came late.", author=Author.MACHINE)
    new = old.model_copy(update={"sentences": (*old.sentences[:-1], last)})
    if id_of is not None:
        return new
    shown = passage_of(old, no_pointers).sentences
    return new.model_copy(
        update={
            "id": content_id((*shown[:-1], Sentence("The mayor came late.", Author.MACHINE)), old.generator)
        }
    )


@pytest.mark.parametrize("length", [9, 11])
def test_a_passage_of_another_length_is_refused_and_counted(tmp_path: Path, length: int) -> None:
    """A prompt of more than ten sentences lost its end to a negative slice."""
    sentence = SentenceRecord(text="The mayor came late.", author=Author.HUMAN)
    odd = record().model_copy(update={"sentences": (sentence,) * length})
    count = imported(tmp_path, [odd])
    assert count.new == 0
    assert count.skipped.total() == 1


def test_a_control_code_keeps_two_passages_apart() -> None:
    """Control codes were lost at the import and had to be guessed from the text."""
    shown = passage_of(record(), no_pointers).sentences
    ids = {
        content_id(shown, GeneratorRecord(name="transformers", decoding={"control_code": code}))
        for code in CODES
    }
    assert len(ids) == 2


def test_a_threshold_is_a_score_and_no_logarithm(tmp_path: Path) -> None:
    """A log-probability of -0.355 was taken, and published, for a confidence of 35.5 %."""
    path = tmp_path / "plan.toml"
    path.write_text("unsafe = -0.355\n", encoding="utf-8")
    with pytest.raises(PlanError, match="unsafe: Input should be greater than 0"):
        read_plan(path)


def test_a_text_is_tuned_on_to_its_end(tiny: Path) -> None:
    """Of every text a model was tuned on the first 256 tokens, and never saw how one ends."""
    from transformers import AutoTokenizer

    from generators.tuning import _stretches

    tokenizer: Any = AutoTokenizer.from_pretrained(tiny)
    text = document("long", "The baker sold two letters. " * 40)
    learnt = [token for stretch in _stretches(tokenizer, [text], 16) for token in stretch]
    assert learnt == tokenizer(text.text).input_ids[: len(learnt)]
    assert len(learnt) >= len(tokenizer(text.text).input_ids) - 1


def test_what_fills_a_batch_up_is_not_learnt() -> None:
    """Padding was the sign for the end of a text, and counted like one."""
    from generators.tuning import NOT_COUNTED, _padded

    batch = _padded([[5, 6, 7], [8]])
    assert batch["labels"].tolist() == [[5, 6, 7], [8, NOT_COUNTED, NOT_COUNTED]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1], [1, 0, 0]]
