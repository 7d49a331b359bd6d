"""Separates what a person wrote in a reply from all that the mail program put around it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.mail.parsing.quotes import (
    attribution,
    is_end,
    is_footer,
    is_quoted,
    is_rule,
    is_signature,
    legal_notice,
    unmarked_quote,
)
from pbem.mail.parsing.sent_text import ours, sent_again

LINES = 3_000  # of a letter with all its quotations


def new_text(text: str, sent: str | None = None) -> tuple[str, ...]:
    """The lines that were typed, blank ones between them kept, none at either end."""
    return split_text(text, sent)[0]


def split_text(text: str, sent: str | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that were typed, and those below a signature mark.

    Above a quotation, below it and between are all read. A letter quoted without marks ends the reading,
    unless nothing stands above it and we know from `sent` what in it is ours.
    """
    lines = _lines(text)
    known = ours(lines, sent) if sent else [False] * len(lines)
    again = sent_again(lines, sent) if sent else {}
    kept: list[str] = []
    below: list[str] = []
    at = 0
    while at < len(lines):
        line, written = lines[at], any(kept)
        if at in again and not known[at]:
            kept.append(again[at])
            at += 1
        elif is_quoted(line):
            at += 1
        elif said := attribution(lines, at):
            at += said
            if not _quotes(lines, at) and (written or not sent):
                break
        elif announced := unmarked_quote(lines, at):
            at += announced
            if written or not sent:
                break
        elif known[at] or is_footer(line):
            at += 1
        elif notice := legal_notice(lines, at):
            at += notice
        elif is_signature(line) or (written and is_end(line)):
            below = _signature(lines, at + 1)
            break
        else:
            kept.append(line)
            at += 1
    return _trimmed(kept), _trimmed(below)


def _signature(lines: Sequence[str], at: int) -> list[str]:
    """What stands below its mark, without legal notices and what is quoted below."""
    kept: list[str] = []
    while at < len(lines) and not is_quoted(lines[at]):
        notice = legal_notice(lines, at)
        kept += [] if notice else [lines[at]]
        at += notice or 1
    return kept


def _lines(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        line = line.rstrip()
        if line or lines[-2:] != ["", ""]:
            lines.append(line)
        if len(lines) == LINES:
            break
    return lines


def _quotes(lines: Sequence[str], at: int) -> bool:
    """Whether the next line that is not blank carries a quote mark."""
    return next((is_quoted(line) for line in lines[at : at + 5] if line), False)


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    said = [index for index, line in enumerate(lines) if line.strip() and not is_rule(line)]
    return tuple(lines[said[0] : said[-1] + 1]) if said else ()
