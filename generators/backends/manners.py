"""How a prompt is put to a model on this machine: as a text to go on with, or as an instruction."""

import hashlib
from dataclasses import replace
from typing import Any, Protocol

from generators.backends import instruction
from generators.backends.base import PLAIN_TEMPLATE, Prompt
from generators.errors import GenerationError
from generators.segment import Unit

A_DAY = "{% macro strftime_now(_) %}1 January 2025{% endmacro %}"
"""What a chat template that asks for the day is told, so that a seed writes the same tomorrow."""


class Manner(Protocol):
    """Puts prompts to a model and understands what it wrote.

    Attributes:
        template: how, as passage files say it.
    """

    template: str

    def tokens(self, prompt: Prompt, room: int) -> list[int]:
        """Encode a prompt; what is longer than the room loses its beginning."""
        ...

    def continuation(self, prompt: Prompt, written: str) -> str:
        """Return what comes after the prompt, beginning with the white space between."""
        ...


class Plain:
    """Lets the model go on as if it had written the text itself."""

    template = PLAIN_TEMPLATE

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def tokens(self, prompt: Prompt, room: int) -> list[int]:
        """Encode a prompt the way it would be encoded inside a longer text.

        A prompt that ended in a space, or at a place where the tokenizer would have gone
        on, would make the seam unlike any other place between two sentences.
        """
        inside = self._tokenizer(prompt.text + prompt.unit.gap + "A").input_ids
        return list(inside[:-1])[-room:]

    def continuation(self, prompt: Prompt, written: str) -> str:
        """Return what was written, after white space that the prompt's tokens hold already."""
        return (prompt.unit.gap if prompt.unit is Unit.LINE else "") + written


class Instructed:
    """Asks an instruct model to go on, in the chat template that it was made with."""

    def __init__(self, tokenizer: Any, model: str) -> None:
        """Find the template.

        Raises:
            GenerationError: the model has none.
        """
        try:
            self._chat_template: str = tokenizer.get_chat_template()
        except ValueError as error:
            raise GenerationError(
                f"The model {model} has no chat template and cannot be instructed; "
                "leave chat out, or name an instruct model."
            ) from error
        digest = hashlib.sha256(self._chat_template.encode()).hexdigest()
        self.template = (
            f"{instruction.INSTRUCTION}\n\n"
            f"(as the user's one message in the model's own chat template, sha256:{digest})"
        )
        self._tokenizer = tokenizer

    def tokens(self, prompt: Prompt, room: int) -> list[int]:
        """Encode the whole chat; only the text in it can lose its beginning.

        Raises:
            GenerationError: there is no room for the instruction.
        """
        tokens = self._chat(prompt)
        excess = len(tokens) - room
        if excess <= 0:
            return tokens
        text = self._tokenizer(prompt.text, add_special_tokens=False).input_ids
        if excess >= len(text):
            raise GenerationError(
                f"{room} tokens of the context are too few to instruct a model in; allow a larger context."
            )
        return self._chat(replace(prompt, text=self._tokenizer.decode(text[excess:]).strip()))

    def continuation(self, prompt: Prompt, written: str) -> str:
        """Return what of the reply goes on."""
        return instruction.continuation(prompt, written)

    def _chat(self, prompt: Prompt) -> list[int]:
        """Encode the message up to where the reply begins; a model that can think aloud is not to."""
        encoded = self._tokenizer.apply_chat_template(
            [{"role": "user", "content": instruction.message(prompt)}],
            chat_template=A_DAY + self._chat_template,
            add_generation_prompt=True,
            return_dict=False,
            enable_thinking=False,
        )
        return list(encoded)
