"""A link for each answer, where there are few: it opens a letter to us with the answer already written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext

from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.recipient import Reader

MOST_LINKS = 40  # more are no help, and mail programs cut off letters of 100 kB
ASKING = ("challenge", "offer")


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
        if context["kind"] == "turn" and board is not None and context["examples"]:
            moves = board.moves(MOST_LINKS)
            context["links"] = [Link(move, mailto(reply_to, f"Re: {subject}", move)) for move in moves]


def link_answers(contexts: Sequence[dict[str, Any]], reply_to: str, subject: str) -> None:
    """Give the sections that ask for a YES or a NO their `answers`."""
    for context in contexts:
        if context["kind"] in ASKING:
            words = gettext("YES"), gettext("NO")
            context["answers"] = [Link(word, mailto(reply_to, f"Re: {subject}", word)) for word in words]


def link_taps(contexts: Sequence[dict[str, Any]], reply_to: str, subject: str) -> None:
    """Give each of the lines that a section has to send its `url`."""
    for context in contexts:
        for tap in context.get("taps", ()):
            tap["url"] = mailto(reply_to, f"Re: {subject}", tap["command"])


def mailto(address: str, subject: str, body: str) -> str:
    """The URL of a new letter (RFC 6068): a plus must be encoded, too, for some programs take it for a blank."""
    to = quote(address, safe="@")
    return f"mailto:{to}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
