"""What happened to a match and the letters about it, in one list: the newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from games.move_numbers import numbered
from pbem.desk.base.pages import page_of
from pbem.desk.letters.verdicts import named
from pbem.inbox.models import OK, InboundMail
from pbem.matches.models import Event, Match, Turn
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import in_words

LETTERS = 50  # the newest of each direction
EVENTS = 300


@dataclass(frozen=True)
class Happening:
    """A line of the list. `sign` is an arrow for letters; `again` is the button of a letter that waits for somebody:
    (the permission it needs, its address, what stands on it)."""

    when: datetime
    sign: str
    what: str
    who: str
    said: str = ""
    href: str = ""
    trouble: bool = False
    again: tuple[str, str, str] | None = None


def timeline(match: Match, turns: Sequence[Turn], moves: Mapping[int, str]) -> list[Happening]:
    """Three questions, whatever happened; `moves` are the turns as the desk writes them.

    Of what happened in one moment, the last to be written stands first.
    """
    played = {turn.ply: moves[turn.pk] for turn in turns if turn.undone_by_id is None}
    # Not by key alone: PostgreSQL then reads a table from its newest row on, to its end where a match has few.
    events = match.events.order_by("-happened_at", "-pk")[:EVENTS]
    arrived = InboundMail.objects.filter(match=match).order_by("-received_at", "-pk")
    left = OutboundMail.objects.filter(match=match).order_by("-created_at", "-pk")
    lines = [
        *_left(left.defer("sections", "text")[:LETTERS]),
        *_events(match, events, played),
        *_arrived(arrived.defer("raw")[:LETTERS]),
    ]
    return sorted(lines, key=lambda line: line.when, reverse=True)


def _events(match: Match, events: Iterable[Event], played: Mapping[int, str]) -> Iterator[Happening]:
    for event in events:
        event.match = match
        who = event.actor.player.name if event.actor else ""
        said = "; ".join(filter(None, [_move(event, played), *_words(event.facts)]))
        what = event.get_kind_display()
        if event.facts.get("entered"):
            what = gettext("entered by the organiser")
        yield Happening(event.happened_at, "•", what, who, said, page_of(event))


def _move(event: Event, played: Mapping[int, str]) -> str:
    """Of a move: its number and how it is written, while it stands."""
    ply = event.facts.get("first")
    if event.kind != Event.Kind.MOVED or ply not in played:
        return ""
    return numbered(ply, played[ply])


def _words(facts: Mapping[str, Any]) -> Iterator[str]:
    for name in ("text", "reason"):
        if said := facts.get(name):
            yield str(said)


def _arrived(letters: Iterable[InboundMail]) -> Iterator[Happening]:
    for letter in letters:
        again = None
        if letter.is_shunted:
            again = (
                "inbox.change_inboundmail",
                _press(letter, "open-again"),
                gettext("Open again"),
            )
        yield Happening(
            letter.received_at,
            "→",
            gettext("letter %(number)s") % {"number": letter.pk},
            letter.sender,
            named(letter.verdict) if letter.verdict else gettext("not opened yet"),
            page_of(letter),
            trouble=letter.verdict not in ("", OK),
            again=again,
        )


def _left(letters: Iterable[OutboundMail]) -> Iterator[Happening]:
    for letter in letters:
        again = None
        if letter.status in (OutboundMail.Status.FAILED, OutboundMail.Status.HELD):
            again = (
                "outbox.change_outboundmail",
                _press(letter, "send-again"),
                gettext("Send again"),
            )
        yield Happening(
            letter.created_at,
            "←",
            in_words(letter.kind),
            letter.address,
            " ".join(
                filter(
                    None, [str(letter.get_status_display()), named(letter.verdict) if letter.verdict else ""]
                )
            ),
            page_of(letter),
            trouble=again is not None,
            again=again,
        )


def _press(letter: InboundMail | OutboundMail, verb: str) -> str:
    return reverse(f"admin:{letter._meta.app_label}_{letter._meta.model_name}_press", args=[letter.pk, verb])
