"""Writes the organiser's letters, invitations to tournaments, and announcements of contests."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from pbem.competitions.models import Edition, Entrant
from pbem.competitions.news import EditionEnded, LeftTournament, News, RoundBegan, TournamentBegan, Withdrew
from pbem.matches.models import Announcement, Match, Seat, Tournament, TournamentInvitation
from pbem.outbox.delivery.bounces import complained, may_be_disturbed
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import Notification, Section, notify, write_to_address, write_to_player
from pbem.players.models import Address, Player
from pbem.players.models.address import is_ours
from pbem.refusals import REFUSALS, Code

To = Announcement.To


def readers(tournament: Tournament, to: str = To.ALL) -> list[Player]:
    """Returns the players who get the letter. Invitees without an entry are in `unanswered`."""
    players = tournament.players()
    if to == To.OWING:
        owing = tournament.matches.filter(status=Match.Status.PLAYING, to_move=F("seats__side"))
        players = players.filter(pk__in=owing.values("seats__player"))
    return [] if to == To.MISSING else list(players)


def unanswered(tournament: Tournament) -> list[TournamentInvitation]:
    """Returns the open invitations of invitees who have neither entered nor declined."""
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
    """Sends a letter to each reader, with the `words` in their language and optionally the cross-table.

    `copy_to` gets a copy in `language`. Invitees without an entry (`To.MISSING`) get the invitation again,
    with the words.
    """
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
    """Writes to one player, regardless of subscriptions. None when they have no address."""
    cause = f"organiser:{now.isoformat()}"
    section: Section = {"kind": "organiser", "text": text}
    return write_to_player(player, cause=cause, section=section, match=match, now=now, answers=True)


def write_to_stranger(address: str, text: str, *, language: str, now: datetime) -> OutboundMail:
    section = _signed({"kind": "organiser", "text": text})
    return write_to_address(
        address, language=language, cause=f"organiser:{now.isoformat()}", section=section, now=now
    )


def _signed(section: Section) -> Section:
    """Adds the organiser's address to a stranger's letter. Answers of players go to the desk instead."""
    return section | ({"reply_to": settings.ORGANISER_EMAIL} if settings.ORGANISER_EMAIL else {})


# Invitations


@transaction.atomic
def invite_to(
    tournament: Tournament, email: str, *, language: str, host: str, note: str = "", now: datetime
) -> TournamentInvitation | None:
    """Invites an address to a tournament. None when it was invited before or takes part already.

    Raises ValidationError when no letter may be sent.
    """
    address = email.lower()
    readers = list(Player.objects.writing_from(address)[:2])
    if tournament.entries.filter(player__in=readers).exists():
        return None
    if tournament.invitations.filter(address=address).exists():
        return None
    _check(address, readers)
    invitation = TournamentInvitation.objects.create(tournament=tournament, address=address, asked_at=now)
    section: Section = {"kind": "event", "event": invitation.pk, "host": host, "note": note}
    cause = f"event:{invitation.pk}"
    if len(readers) == 1:
        write_to_player(readers[0], cause=cause, section=section, now=now)
    else:
        write_to_address(address, language=language, cause=cause, section=section, now=now)
    return invitation


def _check(address: str, readers: list[Player]) -> None:
    if is_ours(address):
        raise ValidationError(REFUSALS[Code.OUR_OWN_ADDRESS].sentence)
    if len(readers) > 1:
        raise ValidationError(_("Several players share this address: enter them by name."))
    if complained(address):
        raise ValidationError(_("A letter to this address was reported as spam; do not write to it again."))
    if readers and readers[0].silent_since:
        raise ValidationError(_("This player wants no letters."))
    if not readers and not may_be_disturbed(address):
        raise ValidationError(_("Anyone who reads this address wants no letters from us."))


# Competition events: one letter per player and round, and one at the end

State = Entrant.State
ROUND = "contest_begins"


def tell(news: News) -> None:
    """Subscribes to `pbem.competitions.tournaments`; runs in the transaction of the event."""
    match news:
        case RoundBegan(edition, number):
            section: Section = {"kind": ROUND, "edition": edition.pk, "round": number}
            _write(_of_round(edition, number), f"contest:{edition.pk}:{number}", section, news)
        case EditionEnded(edition):
            section = {"kind": "contest_over", "edition": edition.pk}
            _write(_placed(edition), f"contest:{edition.pk}:over", section, news)
        case Withdrew(entrant, stopped):
            section = {"kind": "contest_withdrawn", "entrant": entrant.pk, "matches": list(stopped)}
            opponents = Seat.objects.filter(match__in=stopped).values_list("player", flat=True)
            _write({*opponents, entrant.player_id}, f"contest:withdrawn:{entrant.pk}", section, news)
        case TournamentBegan(tournament):
            section = {"kind": ROUND, "tournament": tournament.pk, "round": 1}
            seated = Seat.objects.filter(match__tournament=tournament).values_list("player", flat=True)
            _write(set(seated), f"tournament:{tournament.pk}:begins", section, news)
        case LeftTournament(tournament, player, reason, erased, stopped):
            section = {
                "kind": "contest_withdrawn",
                "tournament": tournament.pk,
                "player": player.pk,
                "erased": erased,
                "reason": reason,
                "matches": list(stopped),
            }
            opponents = Seat.objects.filter(match__in=stopped).values_list("player", flat=True)
            cause = f"tournament:{tournament.pk}:left:{player.pk}:{news.now.timestamp():.0f}"
            _write({*opponents, player.pk}, cause, section, news)


def matches_of(section: Section) -> Q:
    """Returns a condition for all matches of the round."""
    if "tournament" in section:
        return Q(tournament=section["tournament"])
    return Q(tournament__edition=section["edition"], round=section["round"])


def _placed(edition: Edition) -> set[int]:
    return set(edition.entrants.filter(place__isnull=False).values_list("player", flat=True))


def _of_round(edition: Edition, number: int) -> set[int]:
    """Returns the players with a match or a bye in the round. All in the first of a ladder or hill."""
    seats = Seat.objects.filter(match__tournament__edition=edition, match__round=number)
    players = set(seats.values_list("player", flat=True))
    rows = edition.entrants.filter(~Q(byes=[]) | Q(position__isnull=False), state=State.PLAYING)
    ordered = edition.contest.has_order and number == 1
    return players | {row.player_id for row in rows if number in row.byes or ordered}


def _write(players: Collection[int], cause: str, section: Section, news: News) -> None:
    rows = Player.objects.filter(pk__in=players).order_by("pk")
    notify(Notification(player, cause=cause, section=section, now=news.now, fresh=True) for player in rows)
