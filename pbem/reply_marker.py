"""Marks in our letters that the inbox recognises: the reply line, and prefixes of players' words."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy

# Short enough that no mail program wraps it, even behind several quote marks.
MARKER = gettext_lazy("===== answer above this line =====")
SAID = "  | "  # before each line of a player
AGAIN = "  » "  # before each line that a player wrote in vain, and may copy with it

# Words between double bars, in any language, with anything that a mail program put around them.
_MARKER = re.compile(r"={5}[^=]{3,60}={5}")
_COPIED = re.compile(r"\s{0,8}[|»]\s*+(?![|»>])")  # both, since a player may imitate the letters of others


def is_marker(line: str) -> bool:
    return _MARKER.search(line[:400]) is not None


def is_said(line: str) -> bool:
    """Tells whether a line of our letter is a player's."""
    return line.startswith((SAID, AGAIN))


def asked_again(text: str) -> Iterator[str]:
    """Yields the lines that a letter of ours asks to send again."""
    return (line.removeprefix(AGAIN) for line in text.split("\n") if line.startswith(AGAIN))


def without_mark(line: str) -> str | None:
    """Returns the line without our mark. None when it has none."""
    mark = _COPIED.match(line)
    return line[mark.end() :] if mark else None
