"""Deadlines as calendar files (RFC 5545): one event per match, which each turn moves."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from django.conf import settings
from django.utils.translation import gettext

from pbem.matches.models import Match
from pbem.outbox.rendering.mime import Attachment
from pbem.outbox.rendering.recipient import Context, Reader

PRODUCT = "-//PBeM//Deadlines//EN"


def deadline_files(contexts: Iterable[Context], reader: Reader) -> list[Attachment]:
    """Returns a file for each match in which the reader is to move, if they want calendar files."""
    if reader.player is None or not reader.player.calendar_files:
        return []
    yours = [context for context in contexts if context.get("match") and context.get("yours")]
    due = {context["match"].pk: context for context in yours if context["match"].deadline}
    return [
        Attachment(
            f"{match.game.key}-{match.pk}.ics", "calendar", _deadline_file(match, match.deadline, context)
        )
        for context in due.values()
        for match in [context["match"]]
    ]


def _deadline_file(match: Match, deadline: datetime, context: Context) -> str:
    """Returns the event of a deadline. The same turn and deadline give the same bytes."""
    # Calendars identify an event by its UID, and its versions by SEQUENCE (RFC 5545, 3.8.7.4).
    from icalendar import Calendar, Event  # noqa: PLC0415 - few players want them

    seat = match.moving
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    event = Event()
    event.add("uid", f"match-{match.pk}@{settings.MAIL_DOMAIN}")
    event.add("sequence", match.ply)
    event.add("dtstamp", (seat and seat.running_since) or match.started_at or deadline)
    event.add("dtstart", deadline.astimezone(UTC))
    facts = {"title": context["title"], "opponent": context["opponent"], "number": match.pk}
    event.add("summary", gettext("Deadline: %(title)s against %(opponent)s [%(number)s]") % facts)
    event.add(
        "description", gettext("It is your turn. Answer the latest letter of match %(number)s.") % facts
    )
    event.add("transp", "TRANSPARENT")  # does not block time
    calendar.add_component(event)
    file: bytes = calendar.to_ical()
    return file.decode().replace("\r\n", "\n")
