"""What somebody wants who writes in words of their own: a text classifier, learned from examples.

`tests/pbem/intents/examples` has files for each language, a text on each line behind the name of its intent; `make
intents` learns `model.json.gz` from those of requests, `answers.json.gz` from those of answers to a question, and
`remarks.json.gz` from what is said beside a move. No word of a player is in them.
"""

from __future__ import annotations

import gzip
import json
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from math import exp, log, sqrt
from typing import Any, NamedTuple

from pbem.wording import fold

# Multinomial logistic regression on tf-idf: how probably a text is one of each intent. Only reads
# its model.

# What of a text the classifier sees: its words, the pairs of them, and pieces of words, which
# forgive slips.

_ADDRESS = re.compile(r"[^\s@]++@\S+")
_CELL = re.compile(r"\b[a-z]\s?\d\d?\b")  # b8, or `b8` of b8-b6
_WORD = re.compile(r"[^\W\d_]+|\d+|[?!@+]")
_PIECE = 4  # letters, of a word between its < and >


def features(text: str) -> Iterator[str]:
    """Each as often as the text has it. All numbers are one, and so are all addresses and all cells."""
    words = words_of(text)
    yield from words
    yield from map("_".join, pairwise(("^", *words, "$")))
    for word in words:
        framed = f"<{word}>"
        yield from (f"~{framed[at : at + _PIECE]}" for at in range(len(framed) - _PIECE + 1))


def words_of(text: str) -> list[str]:
    """In small letters, with one sign for all numbers, one for all addresses and one for all cells."""
    level = _CELL.sub(" + ", _ADDRESS.sub(" @ ", fold(text)))
    return ["#" if word.isdigit() else word for word in _WORD.findall(level)]


TALK = "TALK"  # words for another player: no wish
RETRACTED = "RETRACTED"  # what stands above is taken back
MODEL = "model.json.gz"
ANSWERS = "answers.json.gz"
REMARKS = "remarks.json.gz"
SCALE = 100  # of the weights, which are whole numbers there
LONGEST = 400  # characters
_RARE = 8.5  # idf, of what one in two thousand has


class Guess(NamedTuple):
    """`probability`: from 0 to 1, of all intents together 1."""

    intent: str
    probability: float


class Model(NamedTuple):
    """By the number that `features` gives to a feature: its `idf`, the `language` that has it most, and from which
    entry on, in `numbers` and `values`, the weights of the intents stand, those near zero left out."""

    languages: Sequence[str]
    intents: Sequence[str]
    intercepts: Sequence[int]
    features: Mapping[str, int]
    idf: Sequence[float]
    language: Sequence[int]
    begins: Sequence[int]
    numbers: Sequence[int]
    values: Sequence[int]

    @classmethod
    def of(cls, read: Mapping[str, Any]) -> Model:
        """Of what `tests.intents` has learned, in a twentieth of the memory that lists would take."""
        return cls(
            read["languages"],
            read["intents"],
            read["intercepts"],
            {feature: number for number, feature in enumerate(read["features"])},
            array("f", read["idf"]),
            bytes(read["language"]),
            array("L", read["begins"]),
            bytes(read["numbers"]),
            array("h", read["values"]),
        )


@lru_cache(maxsize=512)  # each way of reading a line asks for it anew
def guesses(text: str) -> tuple[Guess, ...]:
    """All intents, the most probable first; none of a text that is too long, or half of whose words no example has."""
    return guesses_of(model(), text)


@lru_cache(maxsize=512)
def answers(text: str) -> tuple[Guess, ...]:
    """What it says to a question: ACCEPT, DECLINE, REPORT (of a fraud, a stranger) or OTHER. As `guesses` has them."""
    return guesses_of(model(ANSWERS), text)


@lru_cache(maxsize=512)
def remarks(text: str) -> tuple[Guess, ...]:
    """What is said beside a move: TALK to the opponent; for ANOTHER, the ORGANISER, ONESELF; a CONFIDENCE or a SECRET;
    FORWARDED; or RETRACTED: it takes back what stands above."""
    return guesses_of(model(REMARKS), text)


def guesses_of(model: Model, text: str) -> tuple[Guess, ...]:
    """By that model."""
    words = [word for word in words_of(text) if word.isalpha()] if len(text) <= LONGEST else []
    if sum(word in model.features for word in words) < max(1, len(words) / 2):
        return ()
    scores = [each / SCALE for each in model.intercepts]
    for number, value in _tf_idf(model, text).items():
        for at in range(model.begins[number], model.begins[number + 1]):
            scores[model.numbers[at]] += value * model.values[at] / SCALE
    odds = [exp(score - max(scores)) for score in scores]
    total = sum(odds)
    found = (Guess(name, each / total) for name, each in zip(model.intents, odds, strict=True))
    return tuple(sorted(found, key=lambda guess: -guess.probability))


def _known(model: Model, text: str) -> Iterator[int]:
    return (model.features[feature] for feature in features(text) if feature in model.features)


def _tf_idf(model: Model, text: str) -> Mapping[int, float]:
    """With sublinear counts, of length 1, as scikit-learn's TfidfVectorizer has it."""
    values = {
        number: (1 + log(count)) * model.idf[number] for number, count in Counter(_known(model, text)).items()
    }
    length = sqrt(sum(value * value for value in values.values())) or 1
    return {number: value / length for number, value in values.items()}


def is_rare(word: str) -> bool:
    """Whether few examples have it: a name, or a slip."""
    ours = model()
    number = ours.features.get(fold(word))
    return number is None or ours.idf[number] > _RARE


@lru_cache(maxsize=512)
def language_of(text: str) -> str:
    """The language whose examples have most of it."""
    ours = model()
    had = Counter(ours.language[number] for number in _known(ours, text))
    return ours.languages[had.most_common(1)[0][0] if had else 0]


@cache
def model(file: str = MODEL) -> Model:
    return Model.of(json.loads(gzip.decompress(files(__package__).joinpath(file).read_bytes())))


__all__ = ["RETRACTED", "TALK", "Guess", "answers", "guesses", "is_rare", "language_of", "remarks"]
