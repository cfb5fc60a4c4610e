"""Genres as people write them."""

from game.language import say, unsaid

_WORDS = {
    "daily": (unsaid("Daily"), unsaid("daily")),
    "news": (unsaid("News"), unsaid("news")),
    "recipes": (unsaid("Recipes"), unsaid("recipes")),
    "speeches": (unsaid("Speeches"), unsaid("speeches")),
    "stories": (unsaid("Stories"), unsaid("stories")),
}
"""By itself, and within a sentence. A deck may bring others, which are called what their slug says."""


def genre_words(genre: str) -> str:
    """Return a genre as it is written by itself."""
    words, _ = _WORDS.get(genre, (genre.replace("-", " ").capitalize(), ""))
    return say(words)


def genre_within(genre: str) -> str:
    """Return a genre as it is written within a sentence."""
    _, words = _WORDS.get(genre, ("", genre.replace("-", " ")))
    return say(words)
