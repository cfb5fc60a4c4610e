"""Length and punctuation of sentences, by who wrote them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles

from game.passage import Author, Passage
from generators import cues
from generators.cells import Home

RATES = ("commas", "semicolons", "dashes", "apostrophes", "digits", "brackets")
"""Cues of style that count signs for 100 characters."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean and the quartiles of some numbers."""

    mean: float
    quartiles: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Profile:
    """Sentences of one author in one genre.

    Attributes:
        generator: None for the human sentences of the genre.
        rates: signs for 100 characters, over all sentences together.
        last: how large a share of the sentences ends in each sign.
    """

    genre: str
    author: Author
    generator: str | None
    sentences: int
    characters: Spread
    words: Spread
    rates: Mapping[str, float]
    last: Mapping[str, float]


def profiles(passages: Sequence[Passage], homes: Sequence[Home]) -> Sequence[Profile]:
    """Describe the sentences after the first, by genre, author and generator, humans first."""
    texts: dict[tuple[str, str, Author], list[str]] = {}
    for passage, home in zip(passages, homes, strict=True):
        for sentence in passage.sentences[1:]:
            generator = home.generator or "" if sentence.author is not Author.HUMAN else ""
            texts.setdefault((home.genre, generator, sentence.author), []).append(sentence.text)
    return [
        _profile(genre, author, generator or None, texts[genre, generator, author])
        for genre, generator, author in sorted(texts)
    ]


def _profile(genre: str, author: Author, generator: str | None, texts: Sequence[str]) -> Profile:
    measured = [cues.style(text) for text in texts]
    characters = sum(map(len, texts))
    ends = Counter(_last(text) for text in texts)
    return Profile(
        genre=genre,
        author=author,
        generator=generator,
        sentences=len(texts),
        characters=_spread([one["characters"] for one in measured]),
        words=_spread([one["words"] for one in measured]),
        rates={
            name: sum(one[name] * len(text) for one, text in zip(measured, texts, strict=True)) / characters
            for name in RATES
        },
        last={sign: many / len(texts) for sign, many in ends.most_common()},
    )


def _spread(numbers: Sequence[float]) -> Spread:
    several = numbers if len(numbers) > 1 else [*numbers, *numbers]
    low, middle, high = quantiles(several, n=4, method="inclusive")
    return Spread(fmean(numbers), (low, middle, high))


def _last(text: str) -> str:
    sign = text.strip()[-1]
    if sign.isalpha():
        return "a letter"
    return "a digit" if sign.isdigit() else sign
