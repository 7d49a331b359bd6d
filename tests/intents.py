"""`make intents`: learns the model of pbem.intents from its examples, with scikit-learn.

python -m tests.intents             writes the model
python -m tests.intents --held-out  how many of a tenth of the examples the other nine tenths tell, and what not
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pbem.intents
from pbem.intents.classifier import MODEL, SCALE, Guess, Model, guesses_of
from pbem.intents.features import features

FOLDER = Path(pbem.intents.__file__).parent
EXAMPLES = Path(__file__).parent / "pbem" / "intents" / "examples"
SEPARATOR = " | "
LEAST = 0.2  # weights below it change nothing that is worth their room
REGULARISATION = 40.0
TENTHS = 10

Example = tuple[str, str, str]  # its language, its intent, and the text


def examples() -> list[Example]:
    """Those of all languages. Raises ValueError for a line without its intent."""
    found: list[Example] = []
    for file in sorted(EXAMPLES.glob("*.txt")):
        for line in file.read_text("utf-8").splitlines():
            intent, text = line.split(SEPARATOR, 1)
            found.append((file.suffixes[0][1:], intent, text))
    return found


def digest(taught: Sequence[Example]) -> str:
    """What the model says of the examples that it was learned from."""
    return hashlib.sha256(json.dumps(taught).encode()).hexdigest()


def learned(taught: Sequence[Example]) -> dict[str, Any]:
    """As Model.of reads it."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - only who teaches has it
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    except ImportError:
        sys.exit("To learn needs scikit-learn: .venv/bin/pip install scikit-learn")
    vectorizer = TfidfVectorizer(analyzer=features, sublinear_tf=True, min_df=2)
    found = vectorizer.fit_transform([text for *_, text in taught])
    fitted = LogisticRegression(C=REGULARISATION, max_iter=300).fit(
        found, [intent for _, intent, _ in taught]
    )
    known = vectorizer.get_feature_names_out()
    kept = [
        [(number, round(each * SCALE)) for number, each in enumerate(weights) if abs(each) >= LEAST]
        for weights in fitted.coef_.T
    ]
    languages = sorted({language for language, *_ in taught})
    return {
        "examples": digest(taught),
        "languages": languages,
        "intents": list(fitted.classes_),
        "intercepts": [round(each * SCALE) for each in fitted.intercept_],
        "features": list(known),
        "idf": [round(float(each), 3) for each in vectorizer.idf_],
        "language": _spoken(known, taught, languages),
        "begins": [0, *accumulate(map(len, kept))],
        "numbers": [number for weights in kept for number, _ in weights],
        "values": [value for weights in kept for _, value in weights],
    }


def _spoken(known: Sequence[str], taught: Sequence[Example], languages: Sequence[str]) -> list[int]:
    """The number of the language that has a feature in most of its examples."""
    had = {language: Counter[str]() for language in languages}
    for language, _, text in taught:
        had[language].update(set(features(text)))
    return [max(range(len(languages)), key=lambda at: had[languages[at]][each]) for each in known]


def held_out(taught: Sequence[Example]) -> None:
    test, rest = taught[::TENTHS], [each for at, each in enumerate(taught) if at % TENTHS]
    model = Model.of(learned(rest))
    right = 0
    for _, intent, text in test:
        first = next(iter(guesses_of(model, text)), Guess("", 0))
        right += first.intent == intent
        if first.intent != intent:
            print(f"{intent:10} {first.intent:10} {first.probability:.2f}  {text}")
    print(f"{right} of {len(test)}")


def write(model: dict[str, Any]) -> None:
    text = json.dumps(model, ensure_ascii=False, separators=(",", ":"))
    (FOLDER / MODEL).write_bytes(gzip.compress(text.encode(), mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true")
    if parser.parse_args().held_out:
        held_out(examples())
    else:
        write(learned(examples()))


if __name__ == "__main__":
    main()
