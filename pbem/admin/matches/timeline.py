"""Merges the events of a match and the letters about it into one list, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from games.move_numbers import numbered
from pbem.admin.base.pages import page_of
from pbem.admin.letters.verdicts import named
from pbem.inbox.models import OK, InboundMail
from pbem.matches.models import Event, Match, Turn
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import in_words

LETTERS = 50  # the newest in each direction
EVENTS = 300


@dataclass(frozen=True)
class Happening:
    """A line of the list. `sign` is an arrow for letters; `again` is the button of a shunted letter:
    (permission, address, label)."""

    when: datetime
    sign: str
    what: str
    who: str
    said: str = ""
    href: str = ""
    trouble: bool = False
    again: tuple[str, str, str] | None = None


def timeline(match: Match, turns: Sequence[Turn], moves: Mapping[int, str]) -> list[Happening]:
    """Returns the list, with three queries; `moves` are the turns in the desk's notation.

    At the same moment, the row written last comes first.
    """
    played = {turn.ply: moves[turn.pk] for turn in turns if turn.undone_by_id is None}
    # By key alone PostgreSQL scans the table from its newest row, to the end when a match has few.
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
    """Returns the number and notation of a move that still stands; "" for other events."""
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
