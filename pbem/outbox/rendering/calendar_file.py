"""A deadline as a file that calendar programs read (RFC 5545): one event per match, which every turn moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from pbem.matches.models import Match
from pbem.outbox.rendering.mime import Attachment
from pbem.outbox.rendering.recipient import Reader

PRODUCT = "-//PBeM//Deadlines//EN"


def deadline_files(contexts: Iterable[Mapping[str, Any]], reader: Reader) -> list[Attachment]:
    """One for each match that the sections show and in which the reader is to move, if they want such files."""
    if reader.player is None or not reader.player.calendar_files:
        return []
    yours = [context for context in contexts if context.get("match") and context.get("yours")]
    due = {context["match"].pk: context for context in yours if context["match"].deadline}
    return [_attachment(context) for context in due.values()]


def _attachment(context: Mapping[str, Any]) -> Attachment:
    match: Match = context["match"]
    assert match.deadline
    file = _deadline_file(match, match.deadline, context["opponent"], context["title"])
    return Attachment(f"{match.game.key}-{match.pk}.ics", "calendar", file)


def _deadline_file(match: Match, deadline: datetime, opponent: str, title: str) -> str:
    """In the active language, for the player to move. The same turn with the same deadline gives the same bytes.

    A calendar knows the event by its UID and takes the highest SEQUENCE for the latest (RFC 5545, 3.8.7.4).
    """
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
    facts = {"title": title, "opponent": opponent, "number": match.pk}
    event.add("summary", gettext("Deadline: %(title)s against %(opponent)s [%(number)s]") % facts)
    event.add(
        "description", gettext("It is your turn. Answer the latest letter of match %(number)s.") % facts
    )
    event.add("transp", "TRANSPARENT")  # a deadline keeps nobody busy
    calendar.add_component(event)
    file: bytes = calendar.to_ical()
    return file.decode().replace("\r\n", "\n")
