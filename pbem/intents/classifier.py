"""Multinomial logistic regression on tf-idf: how probably a text is one of each intent. Only reads its model."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import exp, log, sqrt
from typing import NamedTuple

from pbem.intents.features import features, words_of

TALK = "TALK"  # words for another player: no wish
MODEL = "model.json.gz"
SCALE = 100  # of the weights, which are whole numbers there
LONGEST = 400  # characters


class Guess(NamedTuple):
    """`probability`: from 0 to 1, of all intents together 1."""

    intent: str
    probability: float


class Model(NamedTuple):
    """By feature its `idf`, the number of the `language` that has it most, and its `weights` by the number of the
    intent, those near zero left out."""

    languages: Sequence[str]
    intents: Sequence[str]
    intercepts: Sequence[int]
    idf: Mapping[str, float]
    language: Mapping[str, int]
    weights: Mapping[str, Mapping[int, int]]


@lru_cache(maxsize=512)  # each way of reading a line asks for it anew
def guesses(text: str) -> tuple[Guess, ...]:
    """All intents, the most probable first; none of a text that is too long, or half of whose words no example has."""
    model = _model()
    words = [word for word in words_of(text) if word.isalpha()]
    if len(text) > LONGEST or sum(word in model.idf for word in words) < max(1, len(words) / 2):
        return ()
    scores = [each / SCALE for each in model.intercepts]
    for feature, value in _tf_idf(text, model.idf).items():
        for intent, weight in model.weights[feature].items():
            scores[intent] += value * weight / SCALE
    odds = [exp(score - max(scores)) for score in scores]
    found = (Guess(name, each / sum(odds)) for name, each in zip(model.intents, odds, strict=True))
    return tuple(sorted(found, key=lambda guess: -guess.probability))


def _tf_idf(text: str, idf: Mapping[str, float]) -> Mapping[str, float]:
    """With sublinear counts, of length 1, as scikit-learn's TfidfVectorizer has it."""
    counted = Counter(feature for feature in features(text) if feature in idf)
    values = {feature: (1 + log(count)) * idf[feature] for feature, count in counted.items()}
    length = sqrt(sum(value * value for value in values.values())) or 1
    return {feature: value / length for feature, value in values.items()}


@lru_cache(maxsize=512)
def language_of(text: str) -> str:
    """The language whose examples have most of it."""
    model = _model()
    had = Counter(model.language[feature] for feature in features(text) if feature in model.language)
    return model.languages[had.most_common(1)[0][0]] if had else model.languages[0]


@cache
def _model() -> Model:
    read = json.loads(gzip.decompress(files(__package__).joinpath(MODEL).read_bytes()))
    known = read["features"].items()
    return Model(
        read["languages"],
        read["intents"],
        read["intercepts"],
        {feature: idf for feature, (idf, *_) in known},
        {feature: language for feature, (_, language, *_) in known},
        {feature: dict(zip(numbers, values, strict=True)) for feature, (*_, numbers, values) in known},
    )
