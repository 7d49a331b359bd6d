"""Collects news and writes it into daily or weekly digests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction

from pbem.matches.models import Match
from pbem.outbox.models import SEND_MAIL, DigestItem, OutboundMail, again, new_letter
from pbem.outbox.notifications.kinds import Section, Trait, kinds
from pbem.players.models import Player
from pbem.players.subscriptions import Subscription
from pbem.queue.enqueue import enqueue_on_commit

# Due times

Cadence = Player.Cadence


def next_digest(player: Player, now: datetime) -> datetime:
    """Returns the next digest hour of the player after `now`, on their digest day if weekly.

    An hour skipped by summer time is one hour later; a repeated one is its first occurrence. For letters on
    each move it is `now`.
    """
    if player.cadence == Cadence.MOVE:
        return now
    zone = ZoneInfo(player.zone)
    day = now.astimezone(zone).date()
    while True:
        due = datetime.combine(day, time(player.digest_hour), zone).astimezone(UTC)
        weekly = player.cadence == Cadence.WEEKLY
        if due > now and not (weekly and day.weekday() != player.digest_day):
            return due
        day += timedelta(days=1)


KEPT = kinds(Trait.WAITS)
SWEPT = 2000  # items at a time
MOST_BOARDS = 20  # per letter; further matches show messages only


def waits(player: Player, section: Section) -> bool:
    return player.cadence != Player.Cadence.MOVE and section["kind"] in KEPT and "alarm" not in section


def keep(player: Player, section: Section, *, match: Match, ply: int | None, now: datetime) -> None:
    """Keeps a section for the player's next digest."""
    if player.wants(Subscription.DIGESTS):
        due = next_digest(player, now)
        DigestItem.objects.create(
            player=player, match=match, section=section | {"ply": ply}, kept_at=now, due_at=due
        )


def reschedule(player: Player, *, now: datetime) -> None:
    """Reschedules the kept items after the player has changed hour, zone or cadence."""
    DigestItem.objects.filter(player=player).update(due_at=next_digest(player, now))


def due(*, now: datetime) -> Iterable[int]:
    """Returns the players with due digests, from the items due longest, at most SWEPT."""
    items = DigestItem.objects.filter(due_at__lte=now).order_by("due_at")
    return dict.fromkeys(items.values_list("player", flat=True)[:SWEPT])


@transaction.atomic
def write(pk: int, *, now: datetime) -> OutboundMail | None:
    """Writes the digest of one player. None when nothing is left to say."""
    # The items are locked: of two sweeps, the second finds none.
    player = Player.objects.get(pk=pk)
    items = list(DigestItem.objects.filter(player=player).order_by("pk").select_for_update(of=("self",)))
    DigestItem.objects.filter(pk__in=[item.pk for item in items]).delete()
    sections = _sections(player, items)
    if not sections or not player.email or not player.wants(Subscription.DIGESTS):
        return None
    return _post(player, sections, now)


def _sections(player: Player, items: Sequence[DigestItem]) -> list[Section]:
    """Returns the overview and a section per match with news, those waiting for the reader first."""
    kept: dict[int, list[Section]] = {}
    for item in items:
        kept.setdefault(item.match_id, []).append(item.section)
    matches = {match.pk: match for match in Match.objects.filter(pk__in=kept)}
    news = {pk: told for pk, told in kept.items() if _says(told, matches[pk], player)}
    if not news:
        return []
    waiting = {match.pk: match for match in Match.objects.waiting_for(player)}
    shown = sorted((matches | waiting).values(), key=lambda match: _urgency(match, waiting))
    shown = [match for match in shown if match.pk in news or match.pk in waiting]
    numbers = _numbers(player, shown)
    overview = [
        {"number": numbers[match.pk], "match": match.pk, "ply": match.ply, "renewed": _renewed(match, player)}
        for match in shown
    ]
    told = [match for match in shown if match.pk in news]
    sections: list[Section] = [{"kind": "digest", "shown": overview}]
    for place, match in enumerate(told):
        number, brief = numbers[match.pk], place >= MOST_BOARDS
        board: Section = {"kind": "digested", "number": number, "match": match.pk, "ply": match.ply}
        sections.append(board | {"news": news[match.pk], "brief": brief})
    return sections


def _says(told: Sequence[Section], match: Match, player: Player) -> bool:
    """Tells whether the news still matters: unplayed turns, and messages only after the end."""
    if match.status != Match.Status.PLAYING:
        return any(section["kind"] == "message" for section in told)
    yours = match.moving is not None and match.moving.player_id == player.pk
    return yours or any(section["kind"] != "turn" or section["ply"] == match.ply for section in told)


def _urgency(match: Match, waiting: Mapping[int, Match]) -> tuple[bool, bool, Any, int]:
    """Sorts matches that wait for the reader first, by deadline."""
    return match.pk not in waiting, match.deadline is None, match.deadline or 0, match.pk


def _numbers(player: Player, shown: Sequence[Match]) -> Mapping[int, int]:
    """Numbers the matches 1, 2, 3, or by their own numbers where those could be confused."""
    if Match.objects.alive().of(player).filter(pk__lte=len(shown)).exists():
        return {match.pk: match.pk for match in shown}
    return {match.pk: number for number, match in enumerate(shown, start=1)}


def _renewed(match: Match, player: Player) -> int:
    """Counts the revoked salts of the reader's seat, to which the digest's reply address is tied."""
    return next(len(seat.revoked_salts) for seat in match.seated if seat.player_id == player.pk)


def _post(player: Player, sections: list[Section], now: datetime) -> OutboundMail:
    day = now.astimezone(ZoneInfo(player.zone)).date()
    cause = f"digest:{player.pk}:{day}"
    while OutboundMail.objects.filter(cause=cause, player=player).exists():
        cause = again(cause)  # they have changed the hour
    row = new_letter(cause, player.email, sections, player.language, now, player=player)
    row.save()
    enqueue_on_commit(SEND_MAIL, row.pk)
    return row
