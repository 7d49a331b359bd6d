"""How text letters are set: 72 columns, indents, quotes, and moves in columns."""

import textwrap
from collections.abc import Sequence

from django import template

from pbem.outbox.board import Numbered

register = template.Library()
COLUMNS = 72


@register.filter
def wrapped(text: str) -> str:
    """Each line wrapped to 72 columns; indented and empty lines stay as they are."""
    return "\n".join(_wrap(line) for line in str(text).strip("\n").split("\n"))


@register.filter
def indented(text: str) -> str:
    return textwrap.indent(textwrap.fill(str(text), COLUMNS - 4), "    ")


@register.filter
def quoted(text: str) -> str:
    """A message of the opponent: wrapped, behind a bar."""
    lines = [piece for line in str(text).split("\n") for piece in (textwrap.wrap(line, COLUMNS - 4) or [""])]
    return "\n".join(f"  | {line}" for line in lines)


@register.filter
def columns(score: Sequence[Numbered]) -> str:
    """Numbered moves side by side, as many as fit."""
    cells = [f"{turn.ply:>4}. {turn.move}" for turn in score]
    width = max(map(len, cells)) + 2
    per_row = max(1, COLUMNS // width)
    rows = [cells[start : start + per_row] for start in range(0, len(cells), per_row)]
    return "\n".join("".join(cell.ljust(width) for cell in row).rstrip() for row in rows)


def _wrap(line: str) -> str:
    if len(line) <= COLUMNS or line.startswith("    "):
        return line
    return textwrap.fill(line, COLUMNS, break_long_words=False, break_on_hyphens=False)
