"""A link for each answer, where there are few: it opens a letter to us with the answer already written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext

from pbem.outbox.rendering.blocks import render_block
from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.recipient import Reader

MOST_LINKS = 40  # more are no help, and mail programs cut off letters of 100 kB


@dataclass(frozen=True)
class Link:
    text: str
    url: str


def link_moves(contexts: Sequence[dict[str, Any]], reader: Reader, reply_to: str, subject: str) -> None:
    """Give the section that asks for a move its `links`."""
    if reader.player is None or not reader.player.move_links:
        return
    for context in contexts:
        board: Board | None = context.get("board")
        if board is not None and context["examples"]:
            context["links"] = _links(board.moves(MOST_LINKS), reply_to, subject)
        elif context["kind"] == "tried":
            context["links"] = _links([context["first"]], reply_to, subject)


def link_answers(contexts: Sequence[dict[str, Any]], reply_to: str, subject: str, *, one_match: bool) -> None:
    """Give each section that asks something its `answers`, the lines of the block of that name in its template;
    and the board on which more than a move may be written its `options`.

    The answer to a letter about several matches does not say which it is about.
    """
    for context in contexts:
        clear = one_match or "match" not in context or "reply_to" in context
        words = render_block(f"mail/{context['kind']}.txt", "answers", context) if clear else None
        options = _options(context) if context.get("examples") else ()
        context["answers"] = _links(_answers(words or ""), reply_to, subject)
        context["options"] = _links(options, reply_to, subject)


def _answers(block: str) -> list[str]:
    """A line each; those that are to be sent together are indented."""
    together = re.sub(r"(?m)(?<=\S)\n(?=    \S)", "\0", block)
    return [re.sub(r"\0 *", "\n", line) for line in together.split("\n")]


def _options(context: Mapping[str, Any]) -> Iterator[str]:
    """What may be written in the place of a move."""
    number = f"{context['numbered']}: " if "numbered" in context else ""
    if context["draw_offered"] and context["kind"] != "offer":
        yield number + gettext("DRAW") if number else gettext("YES DRAW")
        yield number + gettext("NO")
    if context["may_swap"]:
        yield number + gettext("SWAP")


def _links(lines: Iterable[str], reply_to: str, subject: str) -> list[Link]:
    words = filter(None, map(str.strip, lines))
    empty = mailto(reply_to, f"Re: {subject}", "")
    return [Link(word, empty + quote(_plain(word), safe="")) for word in words]


def _plain(answer: str) -> str:
    """With its first word in ASCII, which no program spoils: SI for SÌ."""
    first, blank, rest = answer.partition(" ")
    letters = unicodedata.normalize("NFKD", first)
    return "".join(each for each in letters if not unicodedata.combining(each)) + blank + rest


def link_taps(contexts: Sequence[dict[str, Any]], reply_to: str, subject: str) -> None:
    """Give each of the lines that a section has to send its `url`."""
    for context in contexts:
        for tap in context.get("taps", ()):
            tap["url"] = mailto(reply_to, f"Re: {subject}", tap["command"])


def mailto(address: str, subject: str, body: str) -> str:
    """The URL of a new letter (RFC 6068): a plus must be encoded, too, for some programs take it for a blank."""
    to = quote(address, safe="@")
    return f"mailto:{to}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
