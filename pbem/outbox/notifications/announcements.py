"""Letters that the organiser writes: to one player, or to all players of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F

from pbem.matches.models import Announcement, Match, Tournament, TournamentInvitation
from pbem.outbox.delivery.bounces import may_be_disturbed
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import Notification, Section, notify, write_to_address, write_to_player
from pbem.players.models import Address, Player

To = Announcement.To


def readers(tournament: Tournament, to: str = To.ALL) -> list[Player]:
    """Whose letter it is; who was invited and has not signed up is no player: see `unanswered`."""
    players = tournament.players()
    if to == To.OWING:
        owing = tournament.matches.filter(status=Match.Status.PLAYING, to_move=F("seats__side"))
        players = players.filter(pk__in=owing.values("seats__player"))
    return [] if to == To.MISSING else list(players)


def unanswered(tournament: Tournament) -> list[TournamentInvitation]:
    """Those who were invited, have not said no, and do not take part."""
    entered = Address.objects.verified().filter(player__entries__tournament=tournament).values("email")
    asked = tournament.invitations.exclude(address__in=entered)
    return [each for each in asked.filter(agreed__isnull=True) if may_be_disturbed(each.address)]


@transaction.atomic
def announce(
    tournament: Tournament,
    words: Mapping[str, str],
    *,
    subjects: Mapping[str, str] | None = None,
    to: str = To.ALL,
    standings: bool = False,
    copy_to: str = "",
    language: str = "",
    now: datetime,
) -> list[OutboundMail]:
    """A letter to each of them, with the `words` of their language where there are some, and the cross-table of then;
    `copy_to` gets one in `language`. Who has not entered gets the invitation again, with the words, to say yes to."""
    announcement = Announcement.objects.create(
        tournament=tournament,
        words=_said(words),
        subjects=_said(subjects or {}),
        to=to,
        standings=standings,
        written_at=now,
    )
    section: Section = {"kind": "announcement", "announcement": announcement.pk}
    cause = f"announcement:{announcement.pk}"
    if copy_to:
        language = language or settings.LANGUAGE_CODE
        write_to_address(copy_to, language=language, cause=f"{cause}:copy", section=section, now=now)
    if to == To.MISSING:
        return [_asked_again(each, announcement, cause, now) for each in unanswered(tournament)]
    return notify(
        Notification(player, cause=cause, section=section, now=now, fresh=True)
        for player in readers(tournament, to)
    )


def _asked_again(
    invitation: TournamentInvitation, announcement: Announcement, cause: str, now: datetime
) -> OutboundMail:
    player = Player.objects.writing_from(invitation.address).first()
    before = (
        OutboundMail.objects.filter(cause=f"event:{invitation.pk}").values_list("language", flat=True).first()
    )
    language = player.language if player else before or settings.LANGUAGE_CODE
    note = announcement.in_language(language)
    section: Section = {"kind": "event", "event": invitation.pk, "host": "", "note": note}
    return write_to_address(
        invitation.address, language=language, player=player, cause=cause, section=section, now=now
    )


def _said(words: Mapping[str, str]) -> dict[str, str]:
    return {language: text.strip() for language, text in words.items() if text.strip()}


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
