"""Documents and judges for tests, made by dice; no package, no model."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from generators.backends import fake
from generators.build import Builder, Condition, Tally, whole
from generators.corpora.document import Document
from generators.judges import UNSAFE, Judges
from generators.plan import Wanted
from generators.segment import HEAD_ENDS, Unit
from generators.writers import Writer


@dataclass(frozen=True)
class Judge:
    """Finds a verb in everything, English in all but `foreign`, harm only in what is scored."""

    foreign: str | None = None
    scored: tuple[str, float] = ("", 0.0)

    def english(self, text: str) -> float:
        return 0.0 if text == self.foreign else 1.0

    def scores(self, texts: Sequence[str]) -> Sequence[float]:
        harmful, score = self.scored
        return [score if text == harmful else 0.0 for text in texts]

    def has_verb(self, text: str) -> bool:
        return bool(text)


def judges(
    *, foreign: str | None = None, scored: tuple[str, float] = ("", 0.0), unsafe: float = UNSAFE
) -> Judges:
    """Judges that refuse nothing but what they are told."""
    judge = Judge(foreign, scored)
    return Judges(judge, judge, judge, unsafe)


def sentences(number: int, seed: int) -> list[str]:
    dice = Random(seed)
    return [fake._sentence(dice) for _ in range(number)]


def document(name: str, text: str, *, unit: Unit = Unit.SENTENCE) -> Document:
    return Document(
        id=f"tests/{name}",
        genre="recipes" if unit is Unit.LINE else "stories",
        text=text,
        corpus="tests",
        version="1",
        licence="none",
        unit=unit,
        resolvable=False,
    )


def documents(number: int, *, length: int = 30) -> list[Document]:
    return [document(f"{at:03}", " ".join(sentences(length, 1000 + at))) for at in range(number)]


def recipe(name: str, steps: int, seed: int = 1) -> Document:
    head = f"{name}\nIngredients:\n2 eggs\n1 cup milk\n{HEAD_ENDS}"
    return document(name, "\n".join([head, *sentences(steps, seed)]), unit=Unit.LINE)


def filled(writer: Writer, count: int, *, texts: int = 20, seed: int = 1) -> Tally:
    """Build passages of stories with one writer, or fail as the command does."""
    builder = Builder({"stories": documents(texts)}, seed, judges())
    (tally,) = builder.fill([Condition("stories", writer, count)])
    return whole(Wanted("stories", writer.name, None, count), tally)
