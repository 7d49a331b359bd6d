"""Handlers for absences, pauses and time given."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction

from pbem.inbox.commands.absence.grammar import Absences, Away, Back, Give, Pause
from pbem.inbox.commands.command import Command
from pbem.inbox.handling.context import CommandContext, Handler, count
from pbem.inbox.understanding.slots.dates import Day
from pbem.mail.parsing.redact_addresses import relayed
from pbem.matches import offers
from pbem.matches.clock import absences, stops
from pbem.matches.models import Offer
from pbem.outbox.notifications.direct_messages import facts_of, section_for
from pbem.refusals import Code, Refused


def _list(context: CommandContext, command: Absences) -> None:
    _reply(context)


@transaction.atomic
def _away(context: CommandContext, away: Away) -> None:
    count("absences", context, refusal=Code.TOO_OFTEN_AWAY)
    days = away.between(_today(context))
    if days is None:
        raise Refused(Code.NO_SUCH_DAY)
    first, last = days
    absence = absences.go_away(
        context.player,
        first,
        last,
        message=relayed(away.text),
        now=context.now,
        arrived=context.arrival,
        letter=context.row.pk,
    )
    context.locked.clear()  # the player's clocks have been set anew
    _reply(context, done="announced", changed=facts_of(absence))


@transaction.atomic
def _back(context: CommandContext, back: Back) -> None:
    day = _day(context, back.day) if back.day else None
    absence = absences.come_back(context.player, day=day, now=context.now, letter=context.row.pk)
    context.locked.clear()
    done = "ended" if absence.pk else "taken back"
    _reply(context, done=done, changed=facts_of(absence))


@transaction.atomic
def _pause(context: CommandContext, pause: Pause) -> None:
    seat = context.seat(pause.match)
    days = pause.lasting(_today(context))
    if days is None:
        raise Refused(Code.NO_SUCH_DAY)
    count("asks", context, seat=seat, refusal=Code.TOO_MUCH_ASKED)
    stops.check(seat, days)
    offers.make(
        seat,
        Offer.Kind.PAUSE,
        days=days,
        now=context.now,
        arrived=context.arrival_in(seat),
        letter=context.row.pk,
    )


@transaction.atomic
def _give(context: CommandContext, give: Give) -> None:
    seat = context.seat(give.match)
    count("asks", context, seat=seat, refusal=Code.TOO_MUCH_ASKED)
    stops.give(seat, give.lasting, now=context.now, letter=context.row.pk)


def _day(context: CommandContext, day: Day) -> date:
    """Returns the next such day, counted from when the player wrote. Refuses K21."""
    found = day.on(_today(context))
    if found is None:
        raise Refused(Code.NO_SUCH_DAY)
    return found


def _today(context: CommandContext) -> date:
    """Returns the date in the player's zone when they wrote."""
    return context.arrival.astimezone(ZoneInfo(context.player.zone)).date()


def _reply(context: CommandContext, **changed: Any) -> None:
    context.reply(section_for(context.player, context.now, **changed))


HANDLERS: Mapping[type[Command], Handler] = {
    Absences: _list,
    Away: _away,
    Back: _back,
    Pause: _pause,
    Give: _give,
}
