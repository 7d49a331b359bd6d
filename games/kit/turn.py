"""A turn with removals before and after its action, as in GIPF and YINSH: `xc7-g7;xd5;g7-g6`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from games.protocol import UnreadableMove

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SIGNS = dict(zip(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\u00d7\u2192"), "------x>", strict=True))
LONGEST = 200  # characters of a turn


@dataclass(frozen=True, slots=True)
class Turn:
    """What is removed before the action, the action, and what is removed after it; a removal is written with an x.

    The action is empty where removals decide the game.
    """

    before: tuple[str, ...] = ()
    action: str = ""
    after: tuple[str, ...] = ()

    def __str__(self) -> str:
        action = (self.action,) if self.action else ()
        return ";".join((*map(_marked, self.before), *action, *map(_marked, self.after)))


def turn(parts: Iterable[str]) -> Turn:
    """Returns the turn of these parts in order. Raises ValueError for more than one action."""
    before, actions, after = list[str](), list[str](), list[str]()
    for part in parts:
        if part.startswith("x"):
            (after if actions else before).append(part[1:])
        else:
            actions.append(part)
    if len(actions) > 1 or not (before or actions):
        raise ValueError("a turn has one action")
    return Turn(tuple(before), "".join(actions), tuple(after))


def tidy(text: str, longest: int = LONGEST) -> str:
    """Returns the text in small letters, with plain hyphens and single blanks, without a full stop at its end.

    Raises UnreadableMove for a text that is too long.
    """
    if len(text) > longest:
        raise UnreadableMove(text)
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS).translate(_INVISIBLE)).casefold()
    return " ".join(plain.split()).rstrip(" .,;!")


def _marked(removal: str) -> str:
    return f"x{removal}"
