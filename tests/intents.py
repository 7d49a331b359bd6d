"""`make intents`: learns the models of pbem.intents from their examples, with scikit-learn.

python -m tests.intents             writes the models
python -m tests.intents --held-out  how many of a tenth of the examples the other nine tenths tell, and what not; of
                                    each tenth of answers, how many are taken for a consent for sure
python -m tests.intents --evaluate  how well free wording is read, by set, language and what is answered (20 minutes)
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import django
from django.apps import apps

import pbem.intents
from pbem.intents import (
    ANSWERS,
    MODEL,
    REMARKS,
    SCALE,
    TALK,
    Guess,
    features,
    guesses_of,
    short_of,
    words_of,
)
from pbem.intents.weights import Model, packed
from pbem.wording import fold

if not apps.ready:  # as a program, and not in a test
    os.environ |= {"DJANGO_SETTINGS_MODULE": "pbem.settings", "DEVELOPMENT": "1"}
    django.setup()

from pbem.inbox.handling.talk import as_in_examples

FOLDER = Path(pbem.intents.__file__).parent
EXAMPLES = Path(__file__).parent / "pbem" / "intents" / "examples"
SEPARATOR = " | "
REGULARISATION = 40.0
TENTHS = 10
SURE = 0.93  # of a consent that is acted on

# Requests are answers too: those for help against somebody are a report, and one in so many of the others and of talk,
# if it has that many words, shows what answers nothing; except of those that an invitation may be answered with.
REPORTING, TO_REPORTS = ("HUMAN", "REPORT"), 2
ANSWERING = re.compile(
    "BACK|BLOCK|CHALLENGE|CLOSE|DRAW|ENTER|FORGET|JOIN|LEAVE|MUTE|OFFER|OPEN|PLAY|PUZZLE|REMATCH|RESIGN|ROBOT"
    "|START|STOP|UNDO|WITHDRAW"
)
TO_OTHERS, TO_TALK, OF_WORDS = 20, 3, 4

# For whom the words of a request are, if not for the opponent.
TO_WHOM = {
    TALK: TALK,
    **dict.fromkeys(("HUMAN", "REPORT", "BLOCK", "MUTE", "ERASE", "MYDATA", "COST"), "ORGANISER"),
    **dict.fromkeys(("NOTE", "PLAN", "PLANNED"), "ONESELF"),
}

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_BEGINS, _OFTEN = ("", *'.!?:;"“«(-–'), 3
OPPONENT = "Bruno"  # in the examples
Example = tuple[str, str, str]  # its language, its intent, and the text


def examples(kind: str = "requests") -> list[Example]:
    return read(EXAMPLES, kind)


def read(folder: Path, kind: str) -> list[Example]:
    """Those of all languages. Raises ValueError for a line without its intent."""
    found: list[Example] = []
    for file in sorted(folder.glob(f"{kind}.*.txt")):
        for line in file.read_text("utf-8").splitlines():
            intent, text = line.split(SEPARATOR, 1)
            found.append((file.suffixes[0][1:], intent, text))
    return found


def of_requests() -> list[Example]:
    """Those of requests, and those that are short or in odd words."""
    return [*examples(), *examples("wishes")]


def of_answers() -> list[Example]:
    """Those of answers, and of requests."""
    requests = examples()
    reports = [(language, "REPORT", text) for language, intent, text in requests if intent in REPORTING]
    others = [
        (language, intent, text)
        for language, intent, text in requests
        if intent not in REPORTING and not ANSWERING.fullmatch(intent) and len(text.split()) >= OF_WORDS
    ]
    some = [each for each in others if each[1] != TALK][::TO_OTHERS]
    talk = [each for each in others if each[1] == TALK][::TO_TALK]
    nothing = [(language, "OTHER", text) for language, _, text in (*some, *talk)]
    return [*examples("answers"), *reports[::TO_REPORTS], *nothing]


def of_remarks() -> list[Example]:
    """Those of what is said beside a move, and of requests: those for others, and of the rest, which an opponent may
    read, one in so many."""
    requests = examples()
    others = [each for each in requests if each[1] not in TO_WHOM][::TO_TALK]
    found = [
        *examples("remarks"),
        *((language, TO_WHOM[intent], text) for language, intent, text in requests if intent in TO_WHOM),
        *((language, TALK, text) for language, _, text in others),
    ]
    return [(language, intent, as_in_examples(text, OPPONENT)) for language, intent, text in found]


class Task(NamedTuple):
    """`min_df`: how many of the examples must have a feature; weights below `least` are not worth their room."""

    file: str
    examples: Callable[[], list[Example]]
    min_df: int
    least: float
    tolerance: float = 1e-4  # of the optimisation


TASKS = REQUESTS, TO_QUESTIONS, TO_MOVES = (
    Task(MODEL, of_requests, 2, 0.2, tolerance=1e-3),
    Task(ANSWERS, of_answers, 1, 0.4),
    Task(REMARKS, of_remarks, 2, 0.4),
)


def digest(taught: Sequence[Example]) -> str:
    """What the model says of the examples that it was learned from."""
    return hashlib.sha256(json.dumps(taught).encode()).hexdigest()


def learned(task: Task, taught: Sequence[Example]) -> dict[str, Any]:
    """As `packed` takes it."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - only who teaches has it
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    except ImportError:
        sys.exit("To learn needs scikit-learn: .venv/bin/pip install scikit-learn")
    vectorizer = TfidfVectorizer(analyzer=features, sublinear_tf=True, min_df=task.min_df)
    found = vectorizer.fit_transform([text for *_, text in taught])
    fitted = LogisticRegression(C=REGULARISATION, max_iter=300, tol=task.tolerance).fit(
        found, [intent for _, intent, _ in taught]
    )
    known = vectorizer.get_feature_names_out()
    kept = [
        [(number, round(each * SCALE)) for number, each in enumerate(weights) if abs(each) >= task.least]
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
        "names": names_in(taught),
        "short": known_by_heart(taught),
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


def names_in(taught: Sequence[Example]) -> list[str]:
    """The words that are written with a capital inside a sentence, and hardly otherwise."""
    capital, small = Counter[str](), Counter[str]()
    for _, _, text in taught:
        for word in _WORD.finditer(text):
            inside = text[: word.start()].rstrip()[-1:] not in _BEGINS
            level = fold(word[0].removesuffix("'s"))
            capital[level] += inside and word[0].istitle()
            small[level] += word[0].islower()
    return sorted(word for word, number in capital.items() if number >= _OFTEN and number > small[word])


def known_by_heart(taught: Sequence[Example]) -> dict[str, str]:
    """The intents of those of few words, where all agree."""
    found: dict[str, set[str]] = {}
    for _, intent, text in taught:
        words = words_of(text)
        if any(map(str.isalpha, words)) and (short := short_of(words)):
            found.setdefault(short, set()).add(intent)
    return {text: next(iter(said)) for text, said in sorted(found.items()) if len(said) == 1}


def held_out(task: Task) -> None:
    taught = task.examples()
    test, rest = taught[::TENTHS], [each for at, each in enumerate(taught) if at % TENTHS]
    model = Model.of(packed(learned(task, rest)))
    right = 0
    for _, intent, text in test:
        first = next(iter(guesses_of(model, text)), Guess("", 0))
        right += first.intent == intent
        if first.intent != intent:
            print(f"{intent:10} {first.intent:10} {first.probability:.2f}  {text}")
    print(f"{right} of {len(test)}")


def is_consent(found: Sequence[Guess]) -> bool:
    return any(guess.intent == "ACCEPT" and guess.probability >= SURE for guess in found)


def consents() -> None:
    """By language, how many answers there are of each kind, and how many of them are taken for a consent for sure."""
    ours, rest = examples("answers"), of_answers()[len(examples("answers")) :]
    there, taken = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for tenth in range(TENTHS):
        taught = [each for at, each in enumerate(ours) if at % TENTHS != tenth]
        model = Model.of(packed(learned(TO_QUESTIONS, [*taught, *rest])))
        for language, intent, text in ours[tenth::TENTHS]:
            there[language, intent] += 1
            if is_consent(guesses_of(model, text)):
                taken[language, intent] += 1
                if intent != "ACCEPT":
                    print(f"{intent:10} {text}")
    for key in sorted(there):
        print(*key, f"{taken[key]} of {there[key]}")


def write(file: str, model: dict[str, Any]) -> None:
    """Replaces the file, which other processes may have in memory."""
    new = (FOLDER / file).with_suffix(".new")
    new.write_bytes(packed(model))
    new.replace(FOLDER / file)


def evaluate() -> None:
    from tests.understanding import evaluation  # noqa: PLC0415 - there are no models before

    print(f"{'':24}" + "".join(f"{name:>9}" for name in evaluation.Figures._fields))
    for name, figures in evaluation.evaluate().items():
        print(f"{name:24}" + "".join(f"{figure:>9}" for figure in figures), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--evaluate", action="store_true")
    options = parser.parse_args()
    if options.evaluate:
        evaluate()
    elif options.held_out:
        for task in TASKS:
            held_out(task)
        consents()
    else:
        for task in TASKS:
            write(task.file, learned(task, task.examples()))


if __name__ == "__main__":
    main()
