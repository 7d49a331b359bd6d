"""Finds the letter of ours that a message answers, and what that letter was about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import Q, QuerySet

from pbem.inbox import digests
from pbem.inbox.digests import NO_TURN
from pbem.inbox.recipient import MoveRecipient, PlayRecipient, Recipient, answered_by
from pbem.mail.parsing.headers import HeaderSummary
from pbem.matches.models import Event, Seat
from pbem.matches.offers import CHALLENGE, asked_in
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.queue.sql import compiled_query

FEW = 3  # up to this many letters are looked up one by one, by a compiled query


def answered_letter(
    recipient: Recipient | None, headers: HeaderSummary, players: Sequence[Player]
) -> OutboundMail | None:
    """The letter of ours that this one answers, for its quoted lines. None when there is none."""
    if not players:
        return None
    if answered := answered_by(recipient):
        return answered
    named = _named(headers.correlates[:20], players)
    if named or not isinstance(recipient, MoveRecipient) or recipient.ply is None:
        return named
    # Some mail programs omit In-Reply-To; the reply address tells which board was shown.
    return _newest(_shown(player.pk, recipient.seat.match_id, recipient.ply) for player in players)


def _named(message_ids: Sequence[str], players: Sequence[Player]) -> OutboundMail | None:
    """The newest of these letters that one of the players received."""
    if len(players) * len(message_ids) > FEW:
        letters = _written().filter(player__in=players, message_id__in=message_ids)
        return letters.order_by("-pk").first()
    return _newest(_one(player.pk, message_id) for player in players for message_id in message_ids)


def _newest(found: Iterable[Iterable[OutboundMail]]) -> OutboundMail | None:
    return max(
        (letter for letters in found for letter in letters), key=lambda letter: letter.pk, default=None
    )


@compiled_query
def _one(player: int, message_id: str) -> QuerySet[OutboundMail]:
    return _written().filter(player=player, message_id=message_id)


@compiled_query
def _shown(player: int, match: int, ply: int) -> QuerySet[OutboundMail]:
    return _written().filter(player=player, match=match, ply=ply).order_by("-pk")[:1]


def _written() -> QuerySet[OutboundMail]:
    shown = ("kind", "player", "match", "ply", "text", "sections", "created_at")
    return OutboundMail.objects.exclude(text="").only(*shown)


def about(recipient: Recipient | None, answered: OutboundMail) -> Recipient | None:
    """Adds the match or boards of the answered letter to `play@`. This proves nothing about the sender.

    A board that was taken back since is no turn, as another one may have its number.
    """
    if not isinstance(recipient, PlayRecipient):
        return recipient
    if answered.kind == digests.DIGEST:
        return replace(recipient, answered=answered)
    if answered.ply is None or any(section.get("reply_to") for section in answered.sections):
        return recipient  # it shows no board, or asks something else
    seats = Seat.objects.select_related("match", "player")
    seat = seats.filter(match=answered.match_id, player=answered.player_id).first()
    ply = NO_TURN if _is_taken_back(answered) else answered.ply
    return replace(recipient, seat=seat, ply=ply) if seat else recipient


def _is_taken_back(answered: OutboundMail) -> bool:
    """Whether turns of its match were taken back after the last event in the letter."""
    told = [section["event"] for section in answered.sections if section.get("event")]
    since = Q(pk__gt=max(told)) if told else Q(happened_at__gte=answered.created_at)
    undone = Event.objects.filter(match=answered.match_id, kind=Event.Kind.UNDONE)
    return undone.filter(since).exists()


def asks(letter: OutboundMail | None, seat: Seat | None) -> str:
    """What the letter asks that still waits for YES or NO, as in Question. Empty when there is nothing.

    Only then are "sure" and "no thanks" answers.
    """
    if letter is None or seat is None or letter.match_id != seat.match_id:
        return ""
    question = asked_in(seat)
    if question is None or question.what == CHALLENGE:  # every letter of its match brings it
        return question.what if question else ""
    since = question.since()
    return question.what if since is not None and letter.created_at >= since else ""
