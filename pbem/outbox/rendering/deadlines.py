"""Deadlines as calendars (RFC 5545): one event per match, which each turn moves."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext

from pbem.matches.models import Match
from pbem.outbox.rendering.mime import Attachment
from pbem.outbox.rendering.recipient import Context, Reader
from pbem.players.models import Player

if TYPE_CHECKING:
    from icalendar import Calendar, Event  # loaded only for the few players who want calendars

PRODUCT = "-//PBeM//Deadlines//EN"
MOST = 200  # events
FRESH = timedelta(minutes=15)  # how often a calendar program may ask again


def deadline_files(contexts: Iterable[Context], reader: Reader) -> list[Attachment]:
    """Returns a file for each match in which the reader is to move, if they want calendar files."""
    if reader.player is None or not reader.player.calendar_files:
        return []
    yours = [context["match"] for context in contexts if context.get("match") and context.get("yours")]
    due = {match.pk: match for match in yours if match.deadline}
    return [
        Attachment(f"{match.game.key}-{match.pk}.ics", "calendar", _deadline_file(match, reader.language))
        for match in due.values()
    ]


def deadlines(player: Player) -> bytes:
    """Returns the deadlines of all matches in which it is the player's turn, as one calendar."""
    due = Match.objects.waiting_for(player).exclude(deadline=None).order_by("deadline", "pk")
    calendar = _calendar()
    calendar.add("name", "PBeM")  # RFC 7986; the X- properties are what older programs read
    calendar.add("x-wr-calname", "PBeM")
    calendar.add("x-wr-timezone", player.zone)
    calendar.add("refresh-interval", FRESH, parameters={"value": "DURATION"})
    for match in due.prefetch_related("seats__player")[:MOST]:
        calendar.add_component(_event(match, player.language))
    content: bytes = calendar.to_ical()
    return content


def _deadline_file(match: Match, language: str) -> str:
    calendar = _calendar()
    calendar.add_component(_event(match, language))
    content: bytes = calendar.to_ical()
    return content.decode().replace("\r\n", "\n")


def _calendar() -> Calendar:
    from icalendar import Calendar  # noqa: PLC0415 - see above

    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    return calendar


def _event(match: Match, language: str) -> Event:
    """Returns the event of a deadline. The same turn and deadline give the same bytes."""
    # Calendars identify an event by its UID, and its versions by SEQUENCE (RFC 5545, 3.8.7.4).
    from icalendar import Event  # noqa: PLC0415 - see above

    seat, deadline = match.moving, match.deadline
    assert seat is not None
    assert deadline is not None
    event = Event()
    event.add("uid", f"match-{match.pk}@{settings.MAIL_DOMAIN}")
    event.add("sequence", match.ply)
    event.add("dtstamp", seat.running_since or match.started_at or deadline)
    event.add("dtstart", deadline.astimezone(UTC))
    title, opponent = match.game.phrases(language)["name"], seat.opponent.player.name
    facts = {"title": title, "opponent": opponent, "number": match.pk}
    event.add("summary", gettext("Deadline: %(title)s against %(opponent)s [%(number)s]") % facts)
    event.add(
        "description", gettext("It is your turn. Answer the latest letter of match %(number)s.") % facts
    )
    event.add("transp", "TRANSPARENT")  # does not block time
    return event
