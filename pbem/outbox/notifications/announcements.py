"""Letters that the organiser writes: to one player, or to all players of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.db import transaction

from pbem.matches.models import Announcement, Match, Tournament
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import Notification, Section, notify, write_to_address, write_to_player
from pbem.players.models import Player


@transaction.atomic
def announce(
    tournament: Tournament, words: Mapping[str, str], *, standings: bool = False, now: datetime
) -> list[OutboundMail]:
    """A letter to each player, with the `words` of their language where there are some, and the cross-table of then."""
    said = {language: text.strip() for language, text in words.items() if text.strip()}
    announcement = Announcement.objects.create(
        tournament=tournament, words=said, standings=standings, written_at=now
    )
    section: Section = {"kind": "announcement", "announcement": announcement.pk}
    return notify(
        Notification(player, cause=f"announcement:{announcement.pk}", section=section, now=now, fresh=True)
        for player in tournament.players()
    )


def write(player: Player, text: str, *, match: Match | None = None, now: datetime) -> OutboundMail | None:
    """To one player, who gets it whatever letters they want; None where they have no address."""
    cause = f"organiser:{now.isoformat()}"
    section: Section = {"kind": "organiser", "text": text}
    return write_to_player(player, cause=cause, section=section, match=match, now=now, answers=True)


def write_to_stranger(address: str, text: str, *, language: str, now: datetime) -> OutboundMail:
    section = _signed({"kind": "organiser", "text": text})
    return write_to_address(
        address, language=language, cause=f"organiser:{now.isoformat()}", section=section, now=now
    )


def _signed(section: Section) -> Section:
    """A stranger's answer goes to the organiser, if they have said where; those of players come to the desk's queue."""
    return section | ({"reply_to": settings.ORGANISER_EMAIL} if settings.ORGANISER_EMAIL else {})
