"""A model small enough to be made on the spot."""

import shutil
from pathlib import Path

import pytest

from tests.generators.texts import sentences


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random tiny GPT-2 with a small vocabulary trained on the tests' sentences."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    path = tmp_path_factory.mktemp("tiny")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<end>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences(500, 1), trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>")
    fast.save_pretrained(path)
    torch.set_num_threads(1)  # the tests run side by side, and such a model gains nothing by more
    torch.manual_seed(1)
    config = transformers.GPT2Config(
        vocab_size=len(fast), n_positions=2048, n_embd=32, n_layer=2, n_head=2, eos_token_id=0, bos_token_id=0
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(path)
    return path


CHAT = "{% for one in messages %}{{ one['role'] }}: {{ one['content'] }}<end>{% endfor %}"
ANSWER = "{% if add_generation_prompt %}bot, on {{ strftime_now('%Y') }}: {% endif %}"


@pytest.fixture(scope="session")
def tiny_chat(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model with a chat template, as if it were an instruct model."""
    path = tmp_path_factory.mktemp("chat") / "tiny"
    shutil.copytree(tiny, path)
    (path / "chat_template.jinja").write_text(CHAT + ANSWER, encoding="utf-8")
    return path
