import re
from dataclasses import replace
from pathlib import Path

import pytest

from generators.backends import backend_named
from generators.backends.base import PLAIN_TEMPLATE, Prompt
from generators.backends.instruction import INSTRUCTION, message
from generators.decoding import Decoding
from generators.errors import BackendMissingError, GenerationError
from generators.raw import Calls, FileLog
from generators.segment import PARSER, Unit, body
from tests.generators.texts import sentences

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("nupunkt")

from generators.backends.sampling import LOOKS, Seen, draw, penalised  # noqa: E402
from generators.backends.transformers import TransformersBackend  # noqa: E402

PROMPTS = [Prompt(" ".join(sentences(count, count)), Unit.SENTENCE, 10 - count) for count in (9, 2, 7, 4, 8)]
SEEDS = [11, 12, 13, 14, 15]


@pytest.fixture(scope="module")
def backend(tiny: Path) -> TransformersBackend:
    return TransformersBackend(str(tiny), cache=tiny, dtype="float32")


@pytest.fixture(scope="module")
def chatting(tiny_chat: Path) -> TransformersBackend:
    return TransformersBackend(str(tiny_chat), cache=tiny_chat, dtype="float32", chat=True)


def test_a_row_does_not_depend_on_its_neighbours(backend: TransformersBackend) -> None:
    together = backend.continuations(PROMPTS, Decoding(), seeds=SEEDS)
    alone = [
        backend.continuations([prompt], Decoding(), seeds=[seed])[0]
        for prompt, seed in zip(PROMPTS, SEEDS, strict=True)
    ]
    assert together == alone


def test_texts_come_back_in_the_order_of_the_prompts(backend: TransformersBackend) -> None:
    forward = backend.continuations(PROMPTS, Decoding(), seeds=SEEDS)
    backward = backend.continuations(PROMPTS[::-1], Decoding(), seeds=SEEDS[::-1])
    assert forward == backward[::-1]


def test_another_seed_writes_another_text(backend: TransformersBackend) -> None:
    one, other = backend.continuations([PROMPTS[0]] * 2, Decoding(), seeds=[1, 2])
    assert one != other


def test_a_row_stops_when_its_units_are_there(backend: TransformersBackend) -> None:
    prompt = Prompt("Cake\nDirections:\nStir.", Unit.LINE, 1)
    (text,) = backend.continuations([prompt], Decoding(), seeds=[3])
    assert len(body(text, Unit.LINE)) <= 4


def test_a_spoilt_unit_ends_the_row(backend: TransformersBackend) -> None:
    patient = backend.continuations([PROMPTS[1]], Decoding(), seeds=[5])[0]
    hasty_prompt = Prompt(PROMPTS[1].text, Unit.SENTENCE, PROMPTS[1].needed, spoilt=bool)
    hasty = backend.continuations([hasty_prompt], Decoding(), seeds=[5])[0]
    assert patient.startswith(hasty)


def test_a_unit_without_an_end_ends_the_row(backend: TransformersBackend) -> None:
    prompt = replace(PROMPTS[1], longest=40)
    patient, hasty = (backend.continuations([one], Decoding(), seeds=[5])[0] for one in (PROMPTS[1], prompt))
    assert patient.startswith(hasty)
    assert len(hasty) < len(patient)
    assert max(map(len, body(hasty, Unit.SENTENCE))) > 40


def test_a_prompt_is_encoded_as_it_stands_inside_a_longer_text(backend: TransformersBackend) -> None:
    prompt = PROMPTS[0]
    longer = backend._tokenizer(prompt.text + " " + "The mayor sold bread.").input_ids
    tokens = backend._manner.tokens(prompt, 10**6)
    assert longer[: len(tokens)] == tokens


def test_suppressed_signs_are_never_written(backend: TransformersBackend) -> None:
    texts = backend.continuations(PROMPTS, Decoding(suppressed="e"), seeds=SEEDS)
    assert not any("e" in text for text in texts)


def test_an_instruct_model_is_asked_in_its_own_template(chatting: TransformersBackend) -> None:
    tokens = chatting._manner.tokens(PROMPTS[0], 10**6)
    assert chatting._tokenizer.decode(tokens) == f"user: {message(PROMPTS[0])}<end>bot, on 1 January 2025: "


def test_the_record_holds_the_instruction_and_names_the_chat_template(
    backend: TransformersBackend, chatting: TransformersBackend
) -> None:
    assert backend.template == PLAIN_TEMPLATE
    assert chatting.template.startswith(INSTRUCTION)
    assert re.search(r"chat template, sha256:[0-9a-f]{64}\)$", chatting.template)


@pytest.mark.parametrize("unit", Unit)
def test_a_reply_begins_with_the_gap_between_two_units(chatting: TransformersBackend, unit: Unit) -> None:
    prompt = Prompt("Cake\nDirections:\nStir.", unit, 1)
    (text,) = chatting.continuations([prompt], Decoding(), seeds=[3])
    assert text[0] == unit.gap
    assert not text[1].isspace()


def test_a_row_of_a_chat_does_not_depend_on_its_neighbours(chatting: TransformersBackend) -> None:
    together = chatting.continuations(PROMPTS, Decoding(), seeds=SEEDS)
    (alone,) = chatting.continuations(PROMPTS[2:3], Decoding(), seeds=SEEDS[2:3])
    assert alone == together[2]


def test_a_long_text_loses_its_beginning_and_never_the_instruction(chatting: TransformersBackend) -> None:
    tokens = chatting._manner.tokens(PROMPTS[0], 10**6)
    whole = chatting._tokenizer.decode(tokens)
    kept = chatting._tokenizer.decode(chatting._manner.tokens(PROMPTS[0], len(tokens) - 30))
    head, _, _ = whole.partition(PROMPTS[0].text)
    assert len(kept) < len(whole)
    assert kept.startswith(head)
    assert kept.endswith(PROMPTS[0].text[-20:] + "<end>bot, on 1 January 2025: ")
    with pytest.raises(GenerationError, match="larger context"):
        chatting.continuations(PROMPTS[:1], Decoding(context=64), seeds=SEEDS[:1])


def test_a_model_without_a_chat_template_is_refused(tiny: Path) -> None:
    with pytest.raises(GenerationError, match="has no chat template and cannot be instructed"):
        backend_named("transformers", model=str(tiny), cache=tiny, chat=True)


def test_what_was_written_as_plain_text_is_no_reply_of_a_chat(
    tiny_chat: Path, chatting: TransformersBackend, tmp_path: Path
) -> None:
    log = Calls(FileLog(tmp_path / "raw.jsonl", resume=False))
    plain = TransformersBackend(str(tiny_chat), cache=tiny_chat, dtype="float32")
    texts = [log.continuations(one, PROMPTS[:1], Decoding(), seeds=SEEDS[:1]) for one in (plain, chatting)]
    assert texts[0] != texts[1]


def test_a_row_of_parsed_sentences_stops_when_they_are_there(backend: TransformersBackend) -> None:
    pytest.importorskip(PARSER)
    prompt = Prompt(PROMPTS[4].text, Unit.PARSED, 2)
    (text,) = backend.continuations([prompt], Decoding(), seeds=[7])
    (longer,) = backend.continuations([replace(prompt, needed=9)], Decoding(), seeds=[7])
    assert longer.startswith(text)


def test_a_missing_model_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(BackendMissingError, match="make install-all"):
        TransformersBackend(str(tmp_path), cache=tmp_path)


def test_top_p_zero_is_greedy() -> None:
    logits = torch.tensor([[0.0, 3.0, 1.0], [5.0, 1.0, 4.0]])
    assert draw(logits, Decoding(top_p=0), torch.tensor([0.99, 0.99])).tolist() == [1, 0]


def test_no_token_outside_top_k_or_top_p_is_drawn() -> None:
    logits = torch.tensor([[4.0, 3.0, 2.0, 1.0]]).repeat(400, 1)
    uniforms = torch.rand(400, generator=torch.Generator().manual_seed(1))
    assert set(draw(logits, Decoding(top_k=2), uniforms).tolist()) == {0, 1}
    assert set(draw(logits, Decoding(top_p=0.7), uniforms).tolist()) == {0, 1}


def test_pure_sampling_follows_the_distribution() -> None:
    logits = torch.tensor([[0.5, 0.3, 0.2]]).log().repeat(4000, 1)
    uniforms = torch.rand(4000, generator=torch.Generator().manual_seed(1))
    drawn = draw(logits, Decoding(), uniforms)
    assert drawn.bincount().div(4000).tolist() == pytest.approx([0.5, 0.3, 0.2], abs=0.03)


def test_the_penalties_are_those_of_the_papers() -> None:
    seen = Seen(torch.tensor([[0, 2, 0]]), torch.tensor([[0, 0]]))
    logits = torch.tensor([[2.0, 1.0, -1.0]])
    repetition = penalised(logits.clone(), seen, Decoding(repetition_penalty=2.0))
    others = penalised(logits.clone(), seen, Decoding(frequency_penalty=0.5, presence_penalty=0.25))
    assert repetition.tolist() == [[1.0, 1.0, -2.0]]
    assert others.tolist() == [[0.75, 1.0, -1.0]]


def test_a_large_vocabulary_is_drawn_from_as_its_distribution_says() -> None:
    weights = torch.zeros(2000)
    weights[[3, 700, 1999]] = torch.tensor([0.5, 0.3, 0.2])
    uniforms = torch.rand(4000, generator=torch.Generator().manual_seed(1))
    drawn = draw(weights.log().repeat(4000, 1), Decoding(), uniforms)
    shares = [float((drawn == token).float().mean()) for token in (3, 700, 1999)]
    assert shares == pytest.approx([0.5, 0.3, 0.2], abs=0.03)


def test_a_nucleus_larger_than_any_look_is_drawn_from_evenly() -> None:
    size = 2 * LOOKS[-1]
    uniforms = torch.rand(64, generator=torch.Generator().manual_seed(1))
    drawn = draw(torch.zeros(64, size), Decoding(top_p=0.9), uniforms)
    assert len(set(drawn.tolist())) > 60


@pytest.mark.parametrize("decoding", [Decoding(), Decoding(top_p=0.9), Decoding(top_k=5), Decoding(top_p=0)])
def test_a_row_draws_the_same_token_in_any_company(decoding: Decoding) -> None:
    dice = torch.Generator().manual_seed(1)
    logits = torch.randn(8, 3000, generator=dice) * torch.tensor([0.1, 9.0]).repeat(4)[:, None]
    uniforms = torch.rand(8, generator=dice)
    together = draw(logits.clone(), decoding, uniforms).tolist()
    alone = [int(draw(logits[row : row + 1].clone(), decoding, uniforms[row : row + 1])) for row in range(8)]
    assert together == alone
