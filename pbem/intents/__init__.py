"""Text classifier for requests, answers and remarks in a player's own words.

`make intents` trains the models from `tests/pbem/intents/examples`, which has one file per language and one
labelled text per line: `model.weights` from requests, `answers.weights` from answers to a question, and
`remarks.weights` from text beside a move. No player's text is in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from itertools import pairwise
from math import exp, log, sqrt
from pathlib import Path
from typing import NamedTuple

from pbem.intents.weights import Model, read
from pbem.wording import fold

# Multinomial logistic regression on tf-idf.

# Features: words, pairs of words, and pieces of words, which tolerate typing errors.

_ADDRESS = re.compile(r"[^\s@]++@\S+")
_CELL = re.compile(r"\b[a-z]\s?\d\d?\b")  # b8, or `b8` of b8-b6
_WORD = re.compile(r"[^\W\d_]+|\d+|[?!@+]")
_PIECE = 4  # letters of a word framed by < and >


def features(text: str) -> Iterator[str]:
    """Yields the features of a text, with repetitions."""
    words = words_of(text)
    yield from words
    yield from map("_".join, pairwise(("^", *words, "$")))
    for word in words:
        framed = f"<{word}>"
        yield from (f"~{framed[at : at + _PIECE]}" for at in range(len(framed) - _PIECE + 1))


def words_of(text: str) -> list[str]:
    """Returns the words in lower case, with one sign each for numbers, addresses and cells."""
    level = _CELL.sub(" + ", _ADDRESS.sub(" @ ", fold(text)))
    return ["#" if word.isdigit() else word for word in _WORD.findall(level)]


TALK = "TALK"  # text for another player; no request
RETRACTED = "RETRACTED"  # the text above is taken back
MODEL = "model.weights"
ANSWERS = "answers.weights"
REMARKS = "remarks.weights"
SCALE = 100  # of the weights, which are stored as integers
LONGEST = 400  # characters
FEW = 4  # words and signs of an example that is known by heart
_RARE = 8.5  # idf of a word in one of two thousand examples


class Guess(NamedTuple):
    """An intent and its probability; the probabilities of all intents add up to 1."""

    intent: str
    probability: float


@lru_cache(maxsize=512)  # a line is classified several times
def guesses(text: str) -> tuple[Guess, ...]:
    """Returns all intents, the most probable first. Empty when it is too long or mostly unknown."""
    return guesses_of(model(), text)


@lru_cache(maxsize=512)
def answers(text: str) -> tuple[Guess, ...]:
    """The same for an answer to a question: ACCEPT, DECLINE, REPORT (of a fraud or a stranger) or OTHER."""
    return guesses_of(model(ANSWERS), text)


@lru_cache(maxsize=512)
def remarks(text: str) -> tuple[Guess, ...]:
    """The same for text beside a move: TALK to the opponent, text for ANOTHER, the ORGANISER or ONESELF, a
    CONFIDENCE or a SECRET, FORWARDED text, or RETRACTED for text that takes back what stands above."""
    return guesses_of(model(REMARKS), text)


def guesses_of(model: Model, text: str) -> tuple[Guess, ...]:
    """Classifies the text by that model. Empty when it is too long or mostly unknown."""
    said = words_of(text) if len(text) <= LONGEST else []
    if known := model.short.get(short_of(said)):
        return (Guess(known, 1.0),)
    words = [word for word in said if word.isalpha()]
    if sum(model.number_of(word) is not None for word in words) < max(1, len(words) / 2):
        return ()
    scores = [float(each) for each in model.intercepts]
    begins, numbers, weights = model.begins, model.numbers, model.values
    for number, value in _tf_idf(model, text).items():
        its = slice(begins[number], begins[number + 1])
        for intent, weight in zip(numbers[its].tolist(), weights[its].tolist(), strict=True):
            scores[intent] += value * weight
    highest = max(scores)
    odds = [exp((score - highest) / SCALE) for score in scores]
    total = sum(odds)
    found = (Guess(name, each / total) for name, each in zip(model.intents, odds, strict=True))
    return tuple(sorted(found, key=lambda guess: -guess.probability))


def short_of(words: Sequence[str]) -> str:
    """Returns the key of a text of few words, a repeated sign once; "" for a longer text."""
    said = [word for before, word in pairwise(("", *words)) if word.isalnum() or word != before]
    return " ".join(said) if len(said) <= FEW else ""


def _known(model: Model, text: str) -> Iterator[int]:
    return (number for number in map(model.number_of, features(text)) if number is not None)


def _tf_idf(model: Model, text: str) -> Mapping[int, float]:
    """Returns the normalised tf-idf with sublinear counts, as scikit-learn's TfidfVectorizer does."""
    values = {
        number: (1 + log(count)) * model.idf[number] for number, count in Counter(_known(model, text)).items()
    }
    length = sqrt(sum(value * value for value in values.values())) or 1
    return {number: value / length for number, value in values.items()}


def is_rare(word: str) -> bool:
    """Whether few examples have the word, as for a name or a typing error."""
    ours = model()
    number = ours.number_of(fold(word))
    return number is None or ours.idf[number] > _RARE


def is_known_name(word: str) -> bool:
    """Whether the examples write the word with a capital."""
    return fold(word) in model().names


@lru_cache(maxsize=512)
def language_of(text: str) -> str:
    """Returns the language of the examples that share most features with the text."""
    ours = model()
    had = Counter(ours.language[number] for number in _known(ours, text))
    return ours.languages[had.most_common(1)[0][0] if had else 0]


@cache
def model(file: str = MODEL) -> Model:
    return read(Path(__file__).with_name(file))


class Bar(Enum):
    """A threshold, by what depends on the guess."""

    CERTAIN = "so that one of its sentences is believed less"
    SURE = "so that a sketch is believed less"
    USUAL = "so that it is worth a question"
    REFUSED = "for nobody else will read it"


PROBABILITY: Mapping[Bar, float] = {Bar.CERTAIN: 0.9, Bar.SURE: 0.65, Bar.REFUSED: 0.35}


def has_intent(intent: str, text: str, *, bar: Bar = Bar.SURE) -> bool:
    """Whether `intent` is the likeliest intent of the text and reaches the bar."""
    return any(each.intent == intent and each.probability >= PROBABILITY[bar] for each in guesses(text)[:1])


def bar_of(intent: str, text: str) -> Bar:
    """Returns CERTAIN or SURE, the highest bar that the intent reaches, else USUAL."""
    return next((bar for bar in (Bar.CERTAIN, Bar.SURE) if has_intent(intent, text, bar=bar)), Bar.USUAL)


__all__ = [
    "PROBABILITY",
    "RETRACTED",
    "TALK",
    "Bar",
    "Guess",
    "answers",
    "bar_of",
    "guesses",
    "has_intent",
    "is_known_name",
    "is_rare",
    "language_of",
    "remarks",
]
