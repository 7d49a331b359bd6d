"""Slots of a sentence: the game, the player, the address, the number and the robot that it names."""

from __future__ import annotations

import re

from pbem.inbox.commands.phrases import game_pattern
from pbem.inbox.understanding.normalization import bare, without_courtesy
from pbem.inbox.understanding.slots.names import is_name
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_EMAIL = re.compile(r"(?<![\w.+@-])[^\W_][\w.+'-]{0,63}@[\w.-]{1,190}\w")
_NUMBER = re.compile(r"(?<![\w.])#?([0-9]{1,9})(?![\w.:])")
_COUNTED, _HOURS = _WORDS.words("counted"), _WORDS.words("at_the_hour")
_YEARS, _YEAR = _WORDS.words("in_the_year"), 4  # digits
_NAME = re.compile(r"(?<=(?:[^\W_]|['’]) )[A-ZÀ-Þ][\w.'-]{1,23}(?<![.'-])|(?<=, )[A-ZÀ-Þ][\w'-]{1,23}")
_MILD = re.compile(rf"\b(?:{'|'.join(re.escape(bare(words)) for words in _WORDS.words('mild'))})\b")
TAKES_OFFER = _WORDS.words("takes_offer")  # beside the offering player's name
_ROBOT = re.compile(r"\brobot[ -]?(?:n[ °.]*)?([1-3])\b", re.IGNORECASE)
_SIGNS = ",.;:!?() "
_STRONG, _MIDDLE = (
    re.compile(rf"\b(?:{'|'.join(re.escape(bare(word)) for word in _WORDS.words('robots', key))})")
    for key in ("strong", "middle")
)


def robot_in(text: str) -> str:
    """Returns the robot of the strength that the text asks for, by default the first."""
    if named := _ROBOT.search(text):
        return f"Robot-{named[1]}"
    level = _MILD.sub(" ", bare(text))
    number = next((n for n, form in ((3, _STRONG), (2, _MIDDLE)) if form.search(level)), 1)
    return f"Robot-{number}"


def blanks_in(text: str) -> dict[str, str]:
    """Returns the game, the player, the address and the number that the text names."""
    found = {
        "game": game_pattern().search(bare(text)),
        "email": _EMAIL.search(text),
        "number": _number(text),
    }
    filled = {name: text[slice(*hit.span())] for name, hit in found.items() if hit}
    names = (
        [filled["email"]] if "email" in filled else [name for name in _NAME.findall(text) if is_name(name)]
    )
    return filled | ({"who": names[0]} if len(names) == 1 else {})


def _number(text: str) -> re.Match[str] | None:
    """Finds the number of a match or an offer; no hour, year or count."""
    kind = without_courtesy(text.rstrip("!?. "))
    for found in _NUMBER.finditer(kind):
        before = fold(" ".join(kind[: found.start()].split()[-1:]))
        last = not kind[found.end() :].strip(_SIGNS)
        if before in _YEARS and found[1][:2] in ("19", "20") and len(found[1]) == _YEAR:
            continue
        if before and (before in _COUNTED or (last and before not in _HOURS)):
            return _NUMBER.search(text, found.start())
    return None
