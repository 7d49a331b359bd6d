"""`make intents`: learns the model of pbem.intents from its examples, with scikit-learn.

python -m tests.intents             writes the model
python -m tests.intents --held-out  how many of a tenth of the examples the other nine tenths tell, and what not
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pbem.intents
from pbem.intents.classifier import MODEL, SCALE
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


def learned(taught: Sequence[Example]) -> dict[str, object]:
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - only who teaches has it
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    vectorizer = TfidfVectorizer(analyzer=features, sublinear_tf=True, min_df=2)
    found = vectorizer.fit_transform([text for *_, text in taught])
    model = LogisticRegression(C=REGULARISATION, max_iter=300).fit(found, [intent for _, intent, _ in taught])
    languages = sorted({language for language, *_ in taught})
    of_language = [
        Counter(each for spoken, _, text in taught if spoken == language for each in set(features(text)))
        for language in languages
    ]
    kept: dict[str, tuple[float, int, list[int], list[int]]] = {}
    for feature, at in sorted(vectorizer.vocabulary_.items()):
        weights = {
            number: round(weight * SCALE)
            for number, weight in enumerate(model.coef_[:, at])
            if abs(weight) >= LEAST
        }
        language = max(range(len(languages)), key=lambda each: of_language[each][feature])
        kept[feature] = (
            round(float(vectorizer.idf_[at]), 3),
            language,
            list(weights),
            list(weights.values()),
        )
    return {
        "examples": digest(taught),
        "languages": languages,
        "intents": list(model.classes_),
        "intercepts": [round(each * SCALE) for each in model.intercept_],
        "features": kept,
    }


def held_out(taught: Sequence[Example]) -> None:
    test, rest = taught[::TENTHS], [each for at, each in enumerate(taught) if at % TENTHS]
    write(learned(rest))
    wrong = [
        (intent, first, text)
        for _, intent, text in test
        if (first := pbem.intents.guesses(text)[0]).intent != intent
    ]
    for intent, first, text in wrong:
        print(f"{intent:10} {first.intent:10} {first.probability:.2f}  {text}")
    print(f"{len(test) - len(wrong)} of {len(test)}")


def write(model: dict[str, object]) -> None:
    text = json.dumps(model, ensure_ascii=False, separators=(",", ":"))
    (FOLDER / MODEL).write_bytes(gzip.compress(text.encode(), mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true")
    if parser.parse_args().held_out:
        held_out(examples())
    write(learned(examples()))


if __name__ == "__main__":
    main()
