"""Whether words that would go to the opponent are for somebody else: then their writer is asked first."""

from __future__ import annotations

import re
from collections.abc import Callable

from pbem.intents import RETRACTED, TALK, is_rare, remarks

# How probably they are for others, to be asked about: beside a move, where most of what is said is talk, and alone.
BESIDE_MOVE, ALONE = 0.8, 0.25
_CALLED = re.compile(r"^((?:\w+\s+)?)([^\W\d_a-z][\w'’-]+)(?=\s?[,:])|(?<=@)([\w'’-]+)", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n\s*\n")
_OPPONENT, _OTHER = "Bruno", "Carla"  # as the examples call them


def may_be_for_others(
    text: str, opponent: str, *, alone: bool, is_player: Callable[[str], bool] = lambda name: False
) -> bool:
    """Whether one of its paragraphs may be; `alone`: there is no move above. A guess: it only asks."""
    return any(
        _for_others(each, opponent) >= (ALONE if alone or _calls(each, opponent, is_player) else BESIDE_MOVE)
        for each in _PARAGRAPH.split(text)
    )


def _for_others(paragraph: str, opponent: str) -> float:
    found = remarks(as_in_examples(paragraph, opponent))
    return sum(guess.probability for guess in found if guess.intent not in (TALK, RETRACTED))


def _calls(paragraph: str, opponent: str, is_player: Callable[[str], bool]) -> bool:
    """Whether it begins with the name of another player."""
    called = _CALLED.match(paragraph)
    name = called[2] or "" if called else ""
    return name not in ("", opponent) and is_player(name)


def as_in_examples(text: str, opponent: str) -> str:
    """In one line, with the names that the examples have: the opponent's, and that of whoever else is addressed."""
    named = re.sub(rf"\b{re.escape(opponent)}\b", _OPPONENT, text, flags=re.IGNORECASE)
    return " ".join(_CALLED.sub(_as_called, named).split())


def _as_called(match: re.Match[str]) -> str:
    """`Marco, the keys`; not `Well, the keys`."""
    greeting, name = match[1] or "", match[2] or match[3]
    return f"{greeting}{_OTHER}" if name != _OPPONENT and is_rare(name) else match[0]
