import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")
pytest.importorskip("nupunkt")

from generators.backends import backend_named
from generators.backends.base import PLAIN_TEMPLATE, Prompt
from generators.backends.instruction import INSTRUCTION
from generators.backends.openai_compatible import Endpoint, OpenAIBackend
from generators.build import Tally
from generators.decoding import DOUBLE_QUOTES, Decoding
from generators.errors import EndpointError, GenerationError, TooFewPassagesError
from generators.passage_files import write_records
from generators.raw import Calls, FileLog, batch_key
from generators.segment import Unit
from generators.writers import ModelWriter
from tests.generators.endpoint import KEY, Server, serving, text_for
from tests.generators.texts import filled

BAD_WAYS = ("html", "shape", "null", "none", "empty", "binary", "surrogate", "failing", "unheard-of")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("endpoint")) as started:
        yield started


def asking(server: Server, model: str, *, key: str | None = None, **more: Any) -> OpenAIBackend:
    return OpenAIBackend(Endpoint(server.url, model, **{"retries": 2, **more}), key=key)


def prompts(number: int, unit: Unit = Unit.SENTENCE) -> list[Prompt]:
    return [Prompt(f"This is text number {at}.", unit, 1 + at % 9) for at in range(number)]


def continued(backend: OpenAIBackend, number: int, decoding: Decoding | None = None) -> list[str]:
    asked = prompts(number)
    return [text or "" for text in backend.continuations(asked, decoding or Decoding(), seeds=range(number))]


def wanted(number: int) -> list[str]:
    return [text_for(seed, prompt.needed) for seed, prompt in enumerate(prompts(number))]


def built(
    backend: OpenAIBackend, folder: Path, count: int = 10, *, resume: bool = False, texts: int = 10
) -> Tally:
    log = Calls(FileLog(folder / "raw.jsonl", resume=resume))
    writer = ModelWriter(backend, Decoding(suppressed=DOUBLE_QUOTES), log)
    return filled(writer, count, texts=texts)


def told(server: Server, model: str, *, key: str | None = None, **more: Any) -> str:
    """Return how a backend that is of no use says so at its first call."""
    with pytest.raises(EndpointError) as caught:
        continued(asking(server, model, key=key, **more), 20)
    return str(caught.value)


def test_a_build_by_a_good_server_gives_its_texts(server: Server, tmp_path: Path) -> None:
    records = built(asking(server, "good"), tmp_path).kept
    last = [(one.sentences[-1].text or "?", one.generator.seed or 0) for one in records if one.generator]
    assert len(last) == 9
    assert all(text in text_for(seed, 9) for text, seed in last)


def test_the_record_says_what_was_done_and_not_what_was_wished(server: Server, tmp_path: Path) -> None:
    records = built(asking(server, "good"), tmp_path).kept
    (generator, *_) = [record.generator for record in records if record.generator]
    assert generator.decoding == Decoding().record()
    assert (generator.name, generator.model) == ("openai", "good")
    assert generator.revision == "by vllm, root good-7b"
    assert generator.prompt_template == PLAIN_TEMPLATE


def test_texts_come_back_in_the_order_of_the_prompts(server: Server) -> None:
    assert continued(asking(server, "slow#order"), 30) == wanted(30)


def test_no_more_requests_are_under_way_than_allowed(server: Server) -> None:
    continued(asking(server, "slow#bound", concurrency=3), 20)
    assert server.seen("slow#bound")["most"] in {2, 3}


def test_every_setting_is_on_the_wire(server: Server) -> None:
    decoding = Decoding(0.9, 40, 0.7, 1.2, 0.3, 0.4)
    asking(server, "good#wire").continuations(prompts(1), decoding, seeds=[77])
    (body,) = server.seen("good#wire")["bodies"]
    assert body == {
        "model": "good#wire",
        "prompt": "This is text number 0.",
        "max_tokens": 60,
        "temperature": 0.7,
        "top_p": 0.9,
        "top_k": 40,
        "min_p": 0.0,
        "repetition_penalty": 1.2,
        "repeat_penalty": 1.2,
        "repeat_last_n": -1,
        "samplers": ["penalties", "temperature", "top_k", "top_p"],
        "frequency_penalty": 0.3,
        "presence_penalty": 0.4,
        "seed": 77,
        "n": 1,
        "stream": False,
    }


def test_greedy_is_a_temperature_of_zero_and_all_tokens_are_minus_one(server: Server) -> None:
    continued(asking(server, "good#greedy"), 1, Decoding(top_p=0))
    (body,) = server.seen("good#greedy")["bodies"]
    assert (body["temperature"], body["top_p"], body["top_k"]) == (0, 1, -1)


def test_a_strict_server_is_told_only_what_openai_knows(server: Server) -> None:
    backend = asking(server, "good#strict", extensions=False)
    assert continued(backend, 1) == wanted(1)
    assert server.seen("good#strict")["bodies"][0].keys().isdisjoint({"top_k", "min_p", "samplers"})
    with pytest.raises(GenerationError, match="top_k"):
        continued(backend, 1, Decoding(top_k=40))


def test_a_chat_is_instructed_and_its_reply_joined_by_the_gap(server: Server) -> None:
    backend = asking(server, "good#chat", chat=True)
    prompt = Prompt("Cake\nDirections:\nStir.", Unit.LINE, 2)
    (text,) = backend.continuations([prompt], Decoding(), seeds=[4])
    (body,) = server.seen("good#chat")["bodies"]
    assert text == "\n" + text_for(4, 2).strip()
    assert body["messages"][0]["content"].endswith("\n\nCake\nDirections:\nStir.")
    assert "at least 2 more steps" in body["messages"][0]["content"]


def test_a_chat_is_recorded_with_its_instruction(server: Server, tmp_path: Path) -> None:
    records = built(asking(server, "good", chat=True), tmp_path).kept
    assert {record.generator.prompt_template for record in records if record.generator} == {INSTRUCTION}


def test_what_was_written_as_plain_text_is_no_chat(server: Server, tmp_path: Path) -> None:
    built(asking(server, "good#both"), tmp_path)
    asked = len(server.seen("good#both")["bodies"])
    built(asking(server, "good#both", chat=True), tmp_path, resume=True)
    assert len(server.seen("good#both")["bodies"]) == 2 * asked


@pytest.mark.parametrize(("way", "tries"), [("busy-once", 2), ("failing-twice", 3)])
def test_a_passing_failure_costs_nothing_but_a_try(server: Server, way: str, tries: int) -> None:
    assert continued(asking(server, way), 6) == wanted(6)
    assert server.seen(way)["tries"] == [tries] * 6


@pytest.mark.parametrize("way", BAD_WAYS)
def test_a_useless_answer_is_no_continuation_and_the_others_go_on(server: Server, way: str) -> None:
    texts = continued(asking(server, f"good,{way}"), 6)
    assert texts == [text if at % 2 == 0 else "" for at, text in enumerate(wanted(6))]


def test_an_answer_that_is_cut_off_is_asked_for_again_and_then_given_up(server: Server) -> None:
    assert continued(asking(server, "good,cut", retries=1), 4) == [wanted(4)[0], "", wanted(4)[2], ""]
    assert sorted(server.seen("good,cut")["tries"]) == [1, 1, 2, 2]


def test_an_answer_that_drips_for_ever_is_given_up(server: Server) -> None:
    assert continued(asking(server, "good,dripping", timeout_s=1, retries=0), 2) == [wanted(1)[0], ""]


def test_a_build_by_a_bad_server_keeps_nothing_but_good_texts(server: Server, tmp_path: Path) -> None:
    tally = built(asking(server, "good,html,null,failing,surrogate,good#build"), tmp_path)
    shown = [part.text or "" for record in tally.kept for part in record.sentences]
    assert len(tally.kept) == 10
    assert tally.refused["machine: too few units"] > 0
    assert all(text.endswith(".") and text.isascii() for text in shown)


def test_a_build_without_a_text_ends_and_says_why(server: Server, tmp_path: Path) -> None:
    with pytest.raises(TooFewPassagesError, match="too few units"):
        built(asking(server, "empty"), tmp_path, texts=1)


def test_a_finished_build_asks_for_nothing_again(server: Server, tmp_path: Path) -> None:
    first = built(asking(server, "good#again"), tmp_path).kept
    asked = len(server.seen("good#again")["bodies"])
    assert built(asking(server, "good#again"), tmp_path, resume=True).kept == first
    assert len(server.seen("good#again")["bodies"]) == asked


def test_a_request_that_failed_is_asked_again_by_the_next_attempt(server: Server, tmp_path: Path) -> None:
    calls = Calls(FileLog(tmp_path / "raw.jsonl", resume=False))
    backend, asked = asking(server, "html,good#mended", retries=0), prompts(2)
    first = calls.continuations(backend, asked, Decoding(), seeds=[0, 1])
    backend = asking(server, "good#mended", retries=0)
    again = Calls(FileLog(tmp_path / "raw.jsonl", resume=True))
    second = again.continuations(backend, asked, Decoding(), seeds=[0, 1])

    assert list(first) == ["", wanted(2)[1]]
    assert list(second) == wanted(2)


def test_two_servers_of_one_model_are_not_mixed_up(server: Server) -> None:
    one = asking(server, "good")
    others = (
        asking(server, "good", extensions=False),
        OpenAIBackend(Endpoint(f"{server.url}/", "good")),
    )
    keys = {batch_key(each, prompts(1), Decoding(), [1]) for each in (one, *others)}
    assert len(keys) == 3


def test_a_few_failures_at_first_do_not_end_the_job(server: Server) -> None:
    backend = asking(server, "html,good#first", retries=0)
    assert backend.continuations(prompts(3), Decoding(), seeds=[0, 2, 4]) == [None, None, None]
    assert backend.continuations(prompts(1), Decoding(), seeds=[1]) == [text_for(1, 1)]


def test_a_server_that_always_fails_ends_the_job(server: Server) -> None:
    assert told(server, "failing#always") == f"The server at {server.url} cannot answer (500: Out of order.)."


def test_a_page_that_is_no_service_ends_the_job(server: Server) -> None:
    assert "is no completion; is the address right" in told(server, "html#always")


def test_an_unknown_model_ends_the_job_at_once(server: Server) -> None:
    sentence = told(server, "gone", concurrency=2)
    assert "name one that it serves" in sentence
    assert "The model gone does not exist." in sentence
    assert len(server.seen("gone")["bodies"]) == 2


def test_a_missing_key_is_asked_for(server: Server) -> None:
    assert "asks for a key; put one into ROFT_GENERATION_KEY" in told(server, "locked")
    with pytest.raises(EndpointError, match="asks for a key"):
        OpenAIBackend(Endpoint(f"{server.root}/locked/v1", "good"))


def test_a_server_that_is_gone_for_long_ends_the_job_that_it_began(server: Server) -> None:
    backend = asking(server, "good,html#later", retries=0)
    assert continued(backend, 2) == [wanted(1)[0], ""]
    odd = [2 * at + 1 for at in range(100)]
    with pytest.raises(EndpointError, match="no completion"):
        backend.continuations(prompts(100), Decoding(), seeds=odd)
    assert 2 + 64 <= len(server.seen("good,html#later")["bodies"]) < 2 + 64 + 16


def test_where_nobody_listens_the_job_ends_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://ada:secret@127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(EndpointError, match="No server answers at http://127") as caught:
            OpenAIBackend(Endpoint(url, "good"))
    assert "secret" not in str(caught.value)


def test_the_key_goes_to_the_server_and_nowhere_else(server: Server, tmp_path: Path) -> None:
    backend = asking(server, "good#key", key=f" {KEY}\n")
    write_records(tmp_path / "out.jsonl", built(backend, tmp_path).kept)
    assert server.seen("good#key")["headers"][0]["authorization"] == f"Bearer {KEY}"
    assert not any(KEY in path.read_text() for path in tmp_path.iterdir())
    assert KEY not in repr(backend._wire)


@pytest.mark.parametrize("place", ["locked", "echo"])
def test_no_error_repeats_the_key(server: Server, place: str) -> None:
    with pytest.raises(EndpointError) as caught:
        continued(OpenAIBackend(Endpoint(f"{server.root}/{place}/v1", "x"), key="wrong-key"), 20)
    assert "wrong-key" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_keys_for_another_service_stay_here(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of-another")
    continued(asking(server, "good#env"), 1)
    assert "of-another" not in str(server.seen("good#env")["headers"])


def test_a_key_that_cannot_be_one_is_refused_without_being_shown(server: Server) -> None:
    with pytest.raises(GenerationError, match="ROFT_GENERATION_KEY") as caught:
        asking(server, "good", key="kéy")
    assert "kéy" not in str(caught.value)


def test_requests_keep_the_pace(server: Server) -> None:
    continued(asking(server, "good#pace", requests_per_minute=600), 5)
    times = sorted(server.seen("good#pace")["times"])
    assert times[-1] - times[0] > 0.3


def test_a_server_that_lists_no_models_has_no_known_revision(server: Server) -> None:
    backend = OpenAIBackend(Endpoint(f"{server.root}/bare/v1", "good"))
    assert backend.revision == "unknown"
    assert continued(backend, 2) == wanted(2)


def test_the_back_end_has_a_name_and_finds_the_key(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROFT_GENERATION_KEY", KEY)
    url = f"{server.root}/locked/v1"
    assert (
        backend_named("openai", model="good", cache=tmp_path, endpoint=Endpoint(url, "good")).revision
        != "unknown"
    )


def test_a_missing_address_is_named(tmp_path: Path) -> None:
    with pytest.raises(GenerationError, match="needs a model and the address"):
        backend_named("openai", model="good", cache=tmp_path)


@pytest.mark.parametrize(
    "more",
    [
        {"url": "localhost:8000/v1"},
        {"url": "http://[a/v1"},
        {"url": "http://a:b/v1"},
        {"concurrency": 0},
        {"timeout_s": 0},
        {"retries": -1},
        {"requests_per_minute": 0},
    ],
)
def test_an_endpoint_without_meaning_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(GenerationError):
        Endpoint(**{"url": "http://localhost:8000/v1", "model": "good", **more})
