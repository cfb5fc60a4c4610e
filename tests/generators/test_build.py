from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from game.passage import Author
from game.records import passage_of
from generators.backends.base import Prompt
from generators.backends.fake import FakeBackend
from generators.build import Builder, Condition, Tally
from generators.corpora import resolve
from generators.deck import boundary_of
from generators.decoding import Decoding
from generators.errors import TooFewPassagesError
from generators.passage_files import read_records, write_records
from generators.raw import Calls, FileLog
from generators.windows import windows
from generators.writers import Attempt, HumanWriter, ModelWriter, SpliceWriter, Writer, machine_units
from tests.generators.texts import documents, filled, judges, recipe

pytest.importorskip("nupunkt")


class Scripted(FakeBackend):
    """Continues with a given text, or dies after some calls."""

    def __init__(self, text: str | None = None, calls: int = 10**6) -> None:
        super().__init__(batch=4)
        self.text, self.calls, self.asked = text, calls, 0

    def continuations(
        self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str]:
        if self.calls == 0:
            raise KeyboardInterrupt
        self.calls, self.asked = self.calls - 1, self.asked + len(prompts)
        if self.text is not None:
            return [self.text] * len(prompts)
        return super().continuations(prompts, decoding, seeds=seeds)


def built(writer: Writer, count: int = 20, *, seed: int = 1) -> Tally:
    return filled(writer, count, seed=seed)


def model(tmp_path: Path, backend: FakeBackend | None = None, *, resume: bool = False) -> ModelWriter:
    log = Calls(FileLog(tmp_path / "raw.jsonl", resume=resume))
    return ModelWriter(backend or Scripted(), Decoding(), log)


def test_a_build_gives_playable_passages(tmp_path: Path) -> None:
    for record in built(model(tmp_path)).kept:
        assert len(passage_of(record, resolve).sentences) == 10


def test_boundaries_are_balanced_from_one_to_ten(tmp_path: Path) -> None:
    boundaries = Counter(map(boundary_of, built(model(tmp_path)).kept))
    assert boundaries == dict.fromkeys(range(1, 11), 2)


def test_a_passage_without_a_boundary_has_no_generator(tmp_path: Path) -> None:
    kept = built(model(tmp_path)).kept
    assert all((record.generator is None) == (boundary_of(record) == 10) for record in kept)


def test_the_boundary_is_part_of_the_id(tmp_path: Path) -> None:
    kept = built(model(tmp_path), 60).kept
    assert len({record.id for record in kept}) == 60


def test_the_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    kept = built(model(tmp_path)).kept
    write_records(tmp_path / "out.jsonl", kept)
    assert read_records(tmp_path / "out.jsonl") == kept


def test_the_machine_takes_over_right_at_the_boundary() -> None:
    window = next(windows(documents(1)[0]))
    text = " The first machine sentence is here. The second comes next. The third is cut"
    units = machine_units(Attempt(window, 8, 1), text)
    assert units == ("The first machine sentence is here.", "The second comes next.")


@pytest.mark.parametrize(
    ("continuation", "reason"),
    [
        ("s went on. The end came.", "machine: seam"),
        (", which went on. The end came.", "machine: seam"),
        (" and went on. The end came.", "machine: seam"),
        (" Only one sentence.", "machine: too few units"),
        (" Here is a summary of it. The end came.", "machine: assistant talk"),
        (" The **end** came. It was late.", "machine: markup"),
    ],
)
def test_a_bad_continuation_is_refused_and_counted(tmp_path: Path, continuation: str, reason: str) -> None:
    with pytest.raises(TooFewPassagesError, match="passages could be made") as caught:
        built(model(tmp_path, Scripted(continuation)), 10)
    assert reason in str(caught.value)


def test_a_killed_build_resumes_to_the_same_passages(tmp_path: Path) -> None:
    undisturbed = built(model(tmp_path)).kept
    (tmp_path / "raw.jsonl").unlink()
    with pytest.raises(KeyboardInterrupt):
        built(model(tmp_path, Scripted(calls=3)))
    with (tmp_path / "raw.jsonl").open("a", encoding="utf-8") as log:
        log.write('{"torn": "li')
    resumed = Scripted()
    assert built(model(tmp_path, resumed, resume=True)).kept == undisturbed
    assert resumed.asked > 0


def test_a_finished_build_asks_the_model_for_nothing_again(tmp_path: Path) -> None:
    first = built(model(tmp_path)).kept
    again = Scripted(calls=0)
    assert built(model(tmp_path, again, resume=True)).kept == first


def test_the_same_seed_builds_the_same_and_another_does_not(tmp_path: Path) -> None:
    one, two, three = (built(model(tmp_path), seed=seed).kept for seed in (1, 1, 2))
    assert one == two != three


def test_conditions_that_share_a_writer_go_in_one_call(tmp_path: Path) -> None:
    sizes: list[int] = []

    class Counting(FakeBackend):
        def continuations(
            self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
        ) -> Sequence[str]:
            sizes.append(len(prompts))
            return super().continuations(prompts, decoding, seeds=seeds)

    writer = ModelWriter(Counting(batch=64), Decoding(), Calls(FileLog(tmp_path / "raw.jsonl", resume=False)))
    texts = documents(20)
    conditions = [Condition(genre, writer, 10) for genre in ("stories", "letters", "essays")]
    tallies = Builder(dict.fromkeys(("stories", "letters", "essays"), texts), 1, judges()).fill(conditions)
    assert [len(tally.kept) for tally in tallies] == [10, 10, 10]
    assert sizes[0] == 3 * 18


def test_a_spliced_passage_names_both_documents() -> None:
    texts = documents(20)
    writer = SpliceWriter([window for document in texts for window in windows(document)])
    for record in built(writer, 18).kept:
        assert record.other is not None
        assert record.other.document != record.source.document
        assert record.sentences[-1].author is Author.OTHER


def test_human_passages_are_human_to_the_end() -> None:
    assert {boundary_of(record) for record in built(HumanWriter(), 5).kept} == {10}


def test_a_recipe_has_one_window_and_needs_nine_steps() -> None:
    assert [window.reach for window in windows(recipe("Cake", 12))] == [10]
    assert not list(windows(recipe("Toast", 8)))


def test_windows_of_a_document_do_not_overlap() -> None:
    starts = [window.start for window in windows(documents(1, length=35)[0])]
    assert starts == [0, 10, 20]
