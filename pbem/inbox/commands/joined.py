"""Splits a line with two commands, or with a command and talk: `draw? I'm tired, Rex`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pbem.inbox.commands.agreement import agrees, is_friendly
from pbem.inbox.commands.command import Command
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_JOINING = _WORDS.either("joining")
_PARTS = re.compile(rf"(?:,\s*|\s+)(?:{_JOINING})\s+|(?<=[.!?;:])\s+|,\s+|\s+[-–—]\s+", re.IGNORECASE)
_BEGINS = re.compile(rf"^(?:{_JOINING})\s+(?=\S)", re.IGNORECASE)
_LEADING = _WORDS.words("leading")
_MOST_PARTS, _MOST_WORDS = 4, 20
_SIGNS = " ,;:."

Said = Callable[[str], Command | None]


def both(text: str, said: Said) -> Sequence[Command]:
    """Returns the commands of all parts. Empty unless every part is a different command."""
    parts = _parts(text)
    found = [command for part in parts if (command := said(part))]
    return found if len(set(found)) == len(found) == len(parts) > 1 else ()


def beside(text: str, command: Command, said: Said) -> str:
    """Returns the text beside the only part that is the command, else ""."""
    parts = [part for part in _parts(text) if said(part) == command]
    return _without(text, parts[0]) if len(parts) == 1 and len(_parts(text)) > 1 else ""


def with_friendly_words(text: str, said: Said) -> tuple[Command, str] | None:
    """Splits a command from friendly words after it: `b1-b3 good luck Ben`. None when there is none."""
    words = text.split()
    if len(words) > _MOST_WORDS:
        return None
    for at in range(1, len(words)):
        behind = _BEGINS.sub("", " ".join(words[at:]), count=1)
        if is_friendly(behind) and (command := said(" ".join(words[:at]).strip(_SIGNS))):
            return command, behind
    return None


def _parts(text: str) -> Sequence[str]:
    if len(text.split()) > _MOST_WORDS:
        return ()
    parts = [part.strip(_SIGNS) for part in _PARTS.split(text)]
    return [part for part in parts if part] if len(parts) <= _MOST_PARTS else ()


def _without(text: str, part: str) -> str:
    before, _, after = text.partition(part)
    after = _BEGINS.sub("", after.lstrip(_SIGNS + "?!"), count=1)
    before = re.sub(rf"\s+(?:{_JOINING})$", "", before.strip(_SIGNS), flags=re.IGNORECASE)
    said = [said for said in (before, after.strip()) if any(map(str.isalpha, said)) and not _leads_in(said)]
    if len(said) == 2 and said[0].endswith(("!", "?")):
        return f"{said[0]} {said[1][:1].upper()}{said[1][1:]}"
    return ", ".join(said)


def _leads_in(said: str) -> bool:
    """Whether the words only lead to the rest: `By the way`, or a yes."""
    return fold(said.strip(_SIGNS + "!")) in _LEADING or bool(agrees(said))
