"""Files that people really have: each ends in one clear sentence or a counted refusal."""

import csv
import io
import json
import os
import tracemalloc
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from generators.corpora import read
from generators.corpora.gather import LONGEST, gather, refusal, rendering, units_at_most
from generators.corpora.hub import found, loader
from generators.corpora.reading import Origin, Raw, Reading, Skip
from generators.corpora.shelf import Shelf
from generators.errors import BadCorpusError, CorpusMissingError, HubError
from generators.segment import Unit, spans
from tests.generators.texts import documents, sentences

pytest.importorskip("nupunkt")

GOOD = [" ".join(sentences(14, seed)) for seed in range(3)]
ARABIC = "\u0643\u0627\u0646 \u0641\u064a \u0627\u0644\u0628\u064a\u062a. " * 20
HTML = "<!DOCTYPE html><html><body>" + "".join(f"<p>{text}</p>" for text in GOOD) + "</body></html>"
ORIGIN = Origin("corpus x", "x", "essays", "1", "none")


def drawn(path: Path, genre: str = "essays", *, seed: int = 1, most: int = 100) -> Reading:
    return read(str(path), genre, seed=seed, most=most)


def put(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows(*objects: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


def table(*lines: list[str], delimiter: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(lines)
    return out.getvalue()


def parquet(path: Path, columns: Mapping[str, Any]) -> Path:
    arrow, tables = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    tables.write_table(arrow.table(columns), path)
    return path


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "is empty"),
        ("a.jsonl", b"", "is empty"),
        ("a.csv", b"", "is empty"),
        ("a.parquet", b"", "is empty"),
        ("a.txt", b"\n \n\r\n", r"no document that can be used \(it is empty\)"),
        ("a.txt", bytes(range(256)) * 400, "not UTF-8 text"),
        ("a.txt", b"\0" * 5000, "binary file"),
        ("a.csv", b"PK\3\4\0\0\0\0" * 500, "binary file"),
        ("a.txt", "\n".join(GOOD).encode("utf-16"), "not UTF-8 text.*iconv"),
        ("a.txt", "\n".join(f"Caf\u00e9. {text}" for text in GOOD).encode("latin-1"), "not UTF-8.*iconv"),
        ("a.csv", table(["text"], [f"\u00c9t\u00e9. {GOOD[0]}"]).encode("cp1252"), "not UTF-8.*iconv"),
        ("a.txt", HTML, r"no document that can be used \(1 \u00d7 markup\)"),
        ("a.txt", ARABIC, r"1 \u00d7 right-to-left text"),
        ("a.jsonl", json.dumps([{"text": GOOD[0]}], indent=1), "not JSON Lines; write one object"),
        ("a.jsonl", "{'text': 1}\n{broken\n", "not JSON Lines"),
        ("a.jsonl", "[" * 10**5, "not JSON Lines"),
        (
            "a.jsonl",
            rows({"content": GOOD[0]}, {"content": GOOD[1]}),
            'has no "text" in most documents; give',
        ),
        ("a.csv", table(["id", "body"], ["1", GOOD[0]]), 'no column "text"; its columns are id, body'),
        ("a.csv", table([f"c{at}" for at in range(99)]), "c7, \u2026"),
        ("a.parquet", b"PAR1 and then nothing PAR1", "broken"),
        ("a.parquet", b"text\nno parquet\n", "no Parquet file"),
        ("a.pdf", b"%PDF", r"neither a folder nor a file that ends in \.txt, \.jsonl, \.csv, \.parquet"),
        ("a", b"x", "neither a folder"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, name: str, content: bytes | str, message: str
) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    path = put(tmp_path, name, content)
    with pytest.raises(BadCorpusError, match=message) as caught:
        drawn(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere.txt", "nowhere", "x" * 5000, "a\0b", ""])
def test_what_is_not_there_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadCorpusError, match=r"cannot be read|holds no \.txt file"):
        drawn(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read_it(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", GOOD[0])
    path.chmod(0)
    with pytest.raises(BadCorpusError, match="cannot be read: Permission denied"):
        drawn(path)


@pytest.mark.parametrize(
    ("name", "content", "skipped"),
    [
        ("a.txt", f"{GOOD[0]}\r\n{GOOD[1]}\r\n\r\n", {}),
        ("a.txt", b"\xef\xbb\xbf" + GOOD[0].encode(), {}),
        ("a.txt", f"{GOOD[0]}\n{GOOD[0]}\n", {"duplicate": 1}),
        ("a.txt", f"{GOOD[0]}\n{GOOD[0]} More was said.\n", {"near-duplicate": 1}),
        ("a.txt", f"{GOOD[0]}\nOne. Two.\n", {"fewer than ten units": 1}),
        ("a.txt", f"{GOOD[0]}\n{'Dr. A. B. C. ' * 5}\n", {"fewer than ten units": 1}),
        ("a.txt", f"{GOOD[0]}\n{GOOD[1] * 5000}\n", {"too long": 1}),
        ("a.txt", f"{GOOD[0]}\n{GOOD[1]}\0\n", {"not text": 1}),
        ("a.txt", f"{GOOD[0]}\nCaf\u00e9. {GOOD[1]}\n".encode() + b"\xe9t\xe9\n", {"not text": 1}),
        ("a.txt", f"{GOOD[0]}\n{HTML}\n{GOOD[1]}", {"markup": 1}),
        ("a.txt", f"{GOOD[0]}\n{ARABIC}\n", {"right-to-left text": 1}),
        ("a.txt", f"{GOOD[0]}\n{'!' * 10**6}\n{' ' * 10**6}x\n", {"fewer than ten units": 2}),
        ("a.jsonl", rows({"text": GOOD[0]}, {"text": GOOD[1]}) + "{broken\n", {"not JSON": 1}),
        ("a.jsonl", rows({"text": GOOD[0]}, {"text": GOOD[1]}, {"text": 3}), {"no text field": 1}),
        ("a.jsonl", rows({"text": GOOD[0]}, {"text": GOOD[1]}, 7), {"not JSON": 1}),
        (
            "a.jsonl",
            rows({"text": GOOD[0] + "\ud800"}, *({"text": f"{GOOD[1]} \u00e9"},) * 2),
            {"not text": 1},
        ),
        ("a.jsonl", rows({"text": GOOD[0], "id": 1}, {"text": GOOD[1], "id": 1}), {"the same id again": 1}),
        ("a.csv", table(["text"], [GOOD[0]], [GOOD[1]], []), {}),
        ("a.csv", table(["Title", " TEXT "], ["One", GOOD[0]]), {}),
        ("a.csv", table(["title", "text"], ["One", GOOD[0]], delimiter=";"), {}),
        ("a.csv", table(["title", "text"], ["One", GOOD[0]], ["Two", GOOD[1]], ["x"]), {"no text field": 1}),
        ("a.csv", f"text\n{GOOD[0]}\n{GOOD[1]}\na\rb\n", {"not CSV": 1}),
    ],
)
def test_a_document_that_cannot_be_used_is_counted(
    tmp_path: Path, name: str, content: bytes | str, skipped: Mapping[str, int]
) -> None:
    reading = drawn(put(tmp_path, name, content))
    assert skipped.items() <= reading.skipped.items()
    assert reading.documents


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv"])
def test_a_giant_line_is_passed_over_in_little_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    good = {"a.txt": GOOD[0], "a.jsonl": rows({"text": GOOD[0]}), "a.csv": table(["text"], [GOOD[0]])}[name]
    with path.open("w", encoding="utf-8") as file:
        file.write(good.strip() + "\n")
        file.writelines("word " * 10**5 for _ in range(100))
        file.write("\n" + good.strip().rpartition("\n")[2] + "\n")
    tracemalloc.start()
    reading = drawn(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert reading.skipped == {"too long": 1, "duplicate": 1}
    assert peak < 60_000_000


def test_a_quote_that_never_ends_swallows_no_more_than_a_cell(tmp_path: Path) -> None:
    line = "word " * 20 + "\n"
    path = put(tmp_path, "a.csv", table(["text"], [GOOD[0]]) + '"' + line * 200_000)
    assert drawn(path).skipped["too long"] == 1


def test_a_million_lines_of_one_word(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", GOOD[0] + "\n" + "".join(f"word{at}\n" for at in range(10**6)))
    assert drawn(path).skipped == {"fewer than ten units": 10**6}


def test_a_folder_is_a_document_a_file(tmp_path: Path) -> None:
    put(tmp_path, "b.TXT", GOOD[1])
    put(tmp_path, "a.txt", GOOD[0].replace(". ", ".\r\n"))
    put(tmp_path, "c.txt", "\u00e9".encode("latin-1"))
    put(tmp_path, "d.txt", b"a" * 16_000_001)
    put(tmp_path, "e.md", "no text")
    (tmp_path / "f.txt").mkdir()
    reading = drawn(tmp_path)
    assert [one.id.rpartition("/")[2] for one in reading.documents] == ["a", "b"]
    assert reading.skipped == {"not text": 1, "too long": 1}


def test_a_folder_without_texts_says_what_to_put_there(tmp_path: Path) -> None:
    with pytest.raises(BadCorpusError, match=r"holds no \.txt file; put a document into each"):
        drawn(tmp_path)


def test_what_is_known_about_a_document_is_kept(tmp_path: Path) -> None:
    known = {"id": "x1", "title": "T", "date": 1999, "url": "https://example.org/", "licence": "CC0"}
    path = put(tmp_path, "mine.jsonl", rows({"text": GOOD[0], "author": "Ada", **known}))
    (one,) = drawn(path).documents
    assert (one.id, one.title, one.date, one.url) == ("mine/x1", "T", "1999", "https://example.org/")
    assert (one.licence, one.attribution, one.resolvable) == ("CC0", "Ada", False)


def test_an_address_that_is_none_is_dropped(tmp_path: Path) -> None:
    path = put(tmp_path, "mine.jsonl", rows({"text": GOOD[0], "url": "javascript:alert(1)", "title": [1]}))
    (one,) = drawn(path).documents
    assert one.url is one.title is None
    assert one.licence.startswith("not stated")


STEPS = [f"{at}. {text}" for at, text in enumerate(sentences(10, 5), start=1)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.jsonl", rows({"title": "Cr\u00eape", "ingredients": ["2 eggs"], "steps": STEPS})),
        ("r.csv", table(["title", "ingredients", "steps"], ["Cr\u00eape", "2 eggs", json.dumps(STEPS)])),
        ("r.csv", table(["title", "ingredients", "steps"], ["Cr\u00eape", "2 eggs", "\n".join(STEPS)])),
    ],
)
def test_a_recipe_is_composed_of_its_parts(tmp_path: Path, name: str, content: str) -> None:
    (one,) = drawn(put(tmp_path, name, content), "recipes").documents
    lines = one.text.split("\n")
    assert lines[:5] == ["Crepe", "Ingredients:", "2 eggs", "Directions:", STEPS[0].partition(" ")[2]]
    assert one.unit is Unit.LINE


def test_parquet_is_read_like_lines(tmp_path: Path) -> None:
    texts = [*GOOD, GOOD[0], None, "Short."]
    path = parquet(tmp_path / "a.parquet", {"id": list("abcdef"), "text": texts})
    reading = drawn(path)
    assert [one.id for one in reading.documents] == ["a/a", "a/b", "a/c"]
    assert reading.skipped == {"duplicate": 1, "no text field": 1, "fewer than ten units": 1}


def test_recipes_in_parquet_are_composed(tmp_path: Path) -> None:
    columns = {"title": ["Toast"], "ingredients": [["bread"]], "steps": [STEPS]}
    (one,) = drawn(parquet(tmp_path / "a.parquet", columns), "recipes").documents
    assert one.text.startswith("Toast\nIngredients:\nbread\nDirections:\n")


def test_a_giant_cell_of_parquet_is_passed_over(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", {"text": [GOOD[0], "word " * 4_000_000]})
    assert drawn(path).skipped == {"too long": 1}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": [1, 2]}, "holds int64, not text"),
        ({"body": ["x"]}, 'no column "text"; its columns are body'),
    ],
)
def test_parquet_without_texts(tmp_path: Path, columns: Mapping[str, Any], message: str) -> None:
    with pytest.raises(BadCorpusError, match=message):
        drawn(parquet(tmp_path / "a.parquet", columns))


def test_parquet_that_breaks_off_in_the_middle(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet", {"text": [f"{at} {text}" for at in range(500) for text in GOOD]})
    content = bytearray(path.read_bytes())
    content[200 : len(content) // 2] = bytes(len(content) // 2 - 200)
    path.write_bytes(content)
    with pytest.raises(BadCorpusError, match="broken Parquet file"):
        drawn(path)


def test_a_data_set_needs_its_package() -> None:
    with pytest.raises(CorpusMissingError, match=r"package no_such_package; `\.venv/bin/pip install"):
        loader("no_such_package")


@pytest.mark.parametrize(
    "source", ["hf:", "hf:owner", "hf:../data", "hf:owner/name:a:b", "hf:../../etc/passwd", "hf:a b/c"]
)
def test_a_data_set_is_named_by_owner_and_name(source: str) -> None:
    with pytest.raises(BadCorpusError, match="write hf:owner/name or hf:owner/name:split"):
        read(source, "essays", seed=1, most=1)


def test_a_hub_out_of_reach_is_one_sentence() -> None:
    def offline(name: str, split: str) -> Iterator[Mapping[str, object]]:
        yield {"text": GOOD[0]}
        raise ConnectionError(f"Couldn't reach {name}:{split}\nTraceback")

    with pytest.raises(HubError, match=r"after 1 rows: Couldn't reach o/n:test; check") as caught:
        gather(found("hf:o/n:test", offline), ORIGIN, seed=1, most=5)
    assert "\n" not in str(caught.value)


def test_a_data_set_gives_its_rows() -> None:
    reading = gather(found("hf:o/n", lambda *_: [{"text": text} for text in GOOD]), ORIGIN, seed=1, most=5)
    assert [one.id for one in reading.documents] == ["x/1", "x/2", "x/3"]


def many(number: int) -> list[dict[str, object]]:
    texts: list[dict[str, object]] = [
        {"id": f"d{at}", "text": " ".join(sentences(14, at))} for at in range(number)
    ]
    return [*texts, {"id": "twin", "text": texts[3]["text"]}, {"id": "short", "text": "One. Two."}]


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_the_draw_does_not_depend_on_the_order(tmp_path: Path, most: int) -> None:
    objects = many(60)
    first = drawn(put(tmp_path, "a.jsonl", rows(*objects)), most=most)
    Random(3).shuffle(objects)
    second = drawn(put(tmp_path, "a.jsonl", rows(*objects)), most=most)
    assert {one.id for one in first.documents} == {one.id for one in second.documents}
    assert len(first.documents) == min(most, 60)


@pytest.mark.parametrize("room", [1, 5000, 20_000])
def test_a_draw_keeps_no_more_text_than_it_has_room_for(room: int) -> None:
    texts = documents(40, length=14) + documents(5, length=200)
    drawn_ids: set[frozenset[str]] = set()
    for seed in range(5):
        Random(seed).shuffle(texts)
        shelf = Shelf(seed=1, most=30, room=room)
        for one in texts:
            shelf.offer(one.text[:40], partial(replace, one))
        reading = shelf.reading()
        assert sum(len(one.text) for one in reading.documents) <= room
        assert len(reading.documents) + sum(reading.skipped.values()) == len(texts)
        drawn_ids.add(frozenset(one.text for one in reading.documents))
    assert len(drawn_ids) == 1


def test_another_seed_draws_others(tmp_path: Path) -> None:
    path = put(tmp_path, "a.jsonl", rows(*many(60)))
    one, again, other = ([doc.id for doc in drawn(path, seed=seed, most=9).documents] for seed in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_drawn_and_skipped_add_up(most: int) -> None:
    raw = [Raw(str(at), fields) for at, fields in enumerate(many(60))]
    reading = gather([*raw, Skip.NOT_JSON], ORIGIN, seed=1, most=most)
    assert len(reading.documents) + sum(reading.skipped.values()) == len(raw) + 1


def test_no_text_has_more_units_than_the_quick_count() -> None:
    odd = "One\u2026 Two\uff0e Three! (Four.) \u201cFive?\u201d Six.\n\nSeven:\nEight\r\nNine. Ten"
    for raw in (*GOOD, odd, "A. " * 50, "\u2026 A" * 30):
        for unit in Unit:
            assert len(spans(rendering(raw, unit), unit)) <= units_at_most(raw, unit)


def test_lines_are_joined_where_blank_lines_part_paragraphs() -> None:
    assert rendering("One\n two.\r\n \r\n\nThree\nfour.", Unit.SENTENCE) == "One two.\nThree four."
    assert rendering("One.\nTwo.", Unit.SENTENCE) == "One.\nTwo."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a" * (LONGEST + 1), Skip.LONG),
        ("<p>One.</p><br/>" + GOOD[0], Skip.MARKUP),
        ("If a < b and b > c, <b>then</b>. " + GOOD[0], None),
        ("The word \u05e9\u05dc\u05d5\u05dd means peace. " + GOOD[0], None),
        (GOOD[0], None),
    ],
)
def test_what_makes_a_document_unusable(text: str, reason: Skip | None) -> None:
    assert refusal(text, Unit.SENTENCE) is reason


@pytest.mark.parametrize("genre", ["speeches", "recipes", "stories", "news"])
def test_an_installed_corpus_is_read_by_the_same_rules(genre: str) -> None:
    try:
        reading = read(None, genre, seed=1, most=10)
    except CorpusMissingError as error:
        pytest.skip(str(error))
    assert 9 <= len(reading.documents) <= 10
    assert all(len(spans(one.text, one.unit)) >= 10 for one in reading.documents)
    assert reading.skipped["not drawn"] > 0
    assert all(one.resolvable for one in reading.documents)
