"""The marks of our letters that the outbox prints and the inbox knows: the line below which nobody answers, and
what stands before the words of players."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext_lazy

# Short enough that no mail program wraps it, even behind several quote marks.
MARKER = gettext_lazy("===== answer above this line =====")
SAID = "  | "  # before each line that a player said
AGAIN = "  » "  # before each line that a player said in vain, and may copy with it

# Words between double bars, whatever the language, and whatever a mail program put before or after them.
_MARKER = re.compile(r"={5}[^=]{3,60}={5}")
_COPIED = re.compile(
    r"\s{0,8}[|»]\s*+(?![|»>])"
)  # both: somebody may know only how the letters of others look


def is_marker(line: str) -> bool:
    return _MARKER.search(line[:400]) is not None


def is_said(line: str) -> bool:
    """Whether a line of our letter is a player's."""
    return line.startswith((SAID, AGAIN))


def asked_again(text: str) -> Iterator[str]:
    """What a letter of ours asks to be sent again."""
    return (line.removeprefix(AGAIN) for line in text.split("\n") if line.startswith(AGAIN))


def without_mark(line: str) -> str | None:
    """What stands behind the mark of our letters; None where there is none."""
    mark = _COPIED.match(line)
    return line[mark.end() :] if mark else None
