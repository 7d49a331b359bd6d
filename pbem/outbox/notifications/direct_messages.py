"""Sends welcomes, absences, boards for observers, direct messages, and confirmations of what was stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

from django.db import transaction

from pbem.matches.clock import absences
from pbem.matches.clock.deadlines import under_a_clock
from pbem.matches.models import Event, Match, Seat, Watching
from pbem.matches.services import revoke_tokens
from pbem.outbox.notifications.kinds import CLOCK_RUNS
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.outbox.signed_addresses import sealed_address
from pbem.players.blocks import may_write_to
from pbem.players.models import Absence, Message, Player
from pbem.players.subscriptions import Subscription
from pbem.players.tokens import Purpose, Token, expiry
from pbem.players.zones import likely_zones


def welcome(player: Player, cause: str, sent: datetime | None, *, now: datetime) -> None:
    """Welcomes a newcomer with the time zones guessed from an email `sent` then."""
    section: Section = {"kind": "welcome", "zones": list(likely_zones(player.language, sent))}
    write_to_player(player, cause=cause, section=section, now=now, answers=True)
    _asked_about_site(player, now)


# The question about the site, which the welcome asks as well


def ask_about_site(*, now: datetime, most: int) -> int:
    """Asks players who were not asked yet, at most `most`; returns how many were."""
    unasked = Player.objects.people().reachable().filter(site_asked_at=None).order_by("pk")[:most]
    return sum(_ask_about_site(player, now) for player in unasked)


@transaction.atomic
def _ask_about_site(player: Player, now: datetime) -> bool:
    written = write_to_player(player, cause="site", section={"kind": "site_asks"}, now=now)
    _asked_about_site(player, now)
    return written is not None


def _asked_about_site(player: Player, now: datetime) -> None:
    Player.objects.filter(pk=player.pk, site_asked_at=None).update(site_asked_at=now)


# Absences: one letter per opponent, however many matches they play

KINDS = {Event.Kind.AWAY: "away", Event.Kind.BACK: "here_again"}


def tell_of_absence(events: Sequence[Event]) -> None:
    """Subscribes to `pbem.matches.events`. Opponents are told only where the clock rests."""
    for event in events:
        _tell_of(event)


def _tell_of(event: Event) -> None:
    if event.kind not in KINDS or not event.match.agreed.rests:
        return
    seat = event.actor
    assert seat is not None
    section: Section = {"kind": KINDS[Event.Kind(event.kind)], "name": seat.player.name}
    section |= cast(Section, event.facts) | _days(seat.player, event.facts["since"], event.facts["until"])
    if not may_write_to(seat.player, seat.opponent.player):
        section["message"] = ""
    cause = f"absence:{seat.player_id}:{event.kind}:{event.happened_at:%Y%m%dT%H%M%S}"
    _write(seat.opponent, cause, section, event)
    if event.facts["absence"] == Absence.Kind.AUTOMATIC and event.kind == Event.Kind.AWAY:
        _write(seat, cause, section | {"kind": "day_taken"}, event)


def section_for(player: Player, now: datetime, **changed: Any) -> Section:
    """Returns the player's announced absences and days left. `changed` describes the last change."""
    section: Section = {
        "kind": "absences",
        "absences": [facts_of(absence) for absence in absences.pending(player, now)],
        "left": absences.days_left(player, now),
        "unmoved": [str(match.pk) for match in absences.unmoved(player)],
    }
    return section | cast(Section, changed)


def facts_of(absence: Absence) -> Section:
    """Returns the facts of an absence for a section."""
    since, until = absence.since.isoformat(), absence.until.isoformat()
    facts: Section = {"absence": absence.kind, "since": since, "until": until, "message": absence.message}
    return facts | _days(absence.player, since, until)


def _days(player: Player, since: str, until: str) -> Section:
    """Returns the first and last day in the player's zone. `last` is empty when the end is not midnight."""
    begin, end = (
        datetime.fromisoformat(moment).astimezone(ZoneInfo(player.zone)) for moment in (since, until)
    )
    whole = end.time() == datetime.min.time()
    return {
        "first": begin.date().isoformat(),
        "last": (end - timedelta(seconds=1)).date().isoformat() if whole else "",
    }


def _write(seat: Seat, cause: str, section: Section, event: Event) -> None:
    write_to_player(
        seat.player, cause=cause, section=section, match=seat.match, ply=seat.match.ply, now=event.happened_at
    )


# Observers: they see boards, never messages

OVER = {Event.Kind.ENDED, Event.Kind.VOIDED}
SEEN = {Event.Kind.MOVED, *OVER}


def tell_watchers(events: Sequence[Event]) -> None:
    """Subscribes to `pbem.matches.events`; runs in the transaction of the event."""
    for event in events:
        _tell_observers(event)


def _tell_observers(event: Event) -> None:
    match = event.match
    if not match.watchers or event.kind not in SEEN:
        return
    over = event.kind in OVER
    playing = [seat.player_id for seat in match.seated]  # a replacement player gets a player's letters
    watchings = match.watchings.filter(player__suspended_at__isnull=True).exclude(player__in=playing)
    watchings = watchings.select_related("player")
    for watching in watchings.prefetch_related("player__addresses"):
        watching.match = match
        if watching.shown == watching.told and not over:
            continue  # the observer's delay hides it still
        _tell(watching, f"watching:{match.pk}:{event.letter or event.pk}", now=event.happened_at)


def _tell(watching: Watching, cause: str, *, now: datetime) -> None:
    match, since = watching.match, min(watching.told, watching.shown)
    watching.told = watching.shown
    watching.save(update_fields=["told"])
    write_to_player(
        watching.player,
        cause=cause,
        section={"kind": "watched", "match": match.pk, "ply": watching.told, "since": since},
        match=match,
        ply=watching.told,
        now=now,
    )


def write(sender: Player, reader: Player, text: str, *, now: datetime) -> Message:
    """Sends a message to `reader`, with a reply address."""
    message = Message.objects.create(sender=sender, reader=reader, text=text, written_at=now)
    write_to_player(
        reader,
        cause=f"message:{message.pk}",
        section={"kind": "relayed", "message": message.pk, "reply_to": _answer_address(message)},
        now=now,
    )
    return message


def are_strangers(sender: Player, reader: Player) -> bool:
    """Tells whether they have no match in common, and the reader never wrote to the sender."""
    if Message.objects.between(reader, sender).exists():
        return False
    common = Match.objects.of(sender).filter(seats__player=reader)
    return not common.exclude(status__in=(Match.Status.PROPOSED, Match.Status.DECLINED)).exists()


def _answer_address(message: Message) -> str:
    expires = expiry(Purpose.WRITE, message.written_at.date())
    return sealed_address(Token(Purpose.WRITE, message.pk, 0, expires), message.salt)


# Unsubscription while a clock runs


def unsubscribe(player: Player, change: Callable[[], None], *, now: datetime) -> None:
    """Applies `change`, and sends one letter when it stops turn letters while a clock runs."""
    # Also after a complaint: the match could be lost unnoticed. It does not loop: a complaint about this
    # letter stops no further turn letters.
    if stops_turns(player, change):
        cause = f"unsubscribed:{player.pk}:{now:%Y%m%dT%H%M%S%f}"
        write_to_player(player, cause=cause, section={"kind": CLOCK_RUNS}, now=now, answers=True)


@transaction.atomic
def stops_turns(player: Player, change: Callable[[], None]) -> bool:
    """Applies `change`. True when it stops turn letters of a player with a running clock."""
    before = Player.objects.select_for_update().get(pk=player.pk)
    change()
    after = Player.objects.get(pk=player.pk)
    stopped = before.wants(Subscription.TURNS) and not after.wants(Subscription.TURNS)
    return stopped and bool(under_a_clock(player))


# Renewal of reply addresses


@transaction.atomic
def renew(seat: Seat, *, now: datetime) -> None:
    """Revokes all reply addresses of the seat, and sends the board with a new one."""
    revoke_tokens(seat)
    write_to_player(
        seat.player,
        cause=f"renewed:{seat.pk}:{len(seat.revoked_salts)}",
        section={"kind": "renewed", "match": seat.match_id},
        match=seat.match,
        ply=seat.match.ply,
        now=now,
        answers=True,
    )
