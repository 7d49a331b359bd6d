"""Absences, pauses, and time given."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction

from pbem.inbox.commands.line import CommandLine, plain, typed
from pbem.inbox.commands.match_commands import Absences, Away, Back, Give, Pause
from pbem.inbox.handling.context import CommandContext, Verbs, count
from pbem.inbox.understanding.slots.dates import Day, read_day
from pbem.mail.parsing.redact_addresses import relayed
from pbem.matches import offers
from pbem.matches.clock import absences, stops
from pbem.matches.models import Offer
from pbem.outbox.notifications.direct_messages import facts_of, section_for
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(__name__)
_FROM = _WORDS.words("from")
_TO = _WORDS.words("to") | {"-"}
_ON = _WORDS.words("on")  # fino al 20 agosto, until the 20th
_FOR = _WORDS.words("for")
_DAYS = _WORDS.words("days")
_HOURS = _WORDS.words("hours")
_LISTS = _WORDS.words("list")
_NEXT_WEEK = _WORDS.words("next_week")
_NUMBER = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|º|°)?")
_SPAN = re.compile(r"\b([0-9]{1,2})[-–]([0-9]{1,2})(?=\s+[^\W\d_]{3})")
_UNITS = "|".join(_WORDS.either(unit) for unit in ("days", "day_letter", "hours"))
_LENGTH = re.compile(
    rf"(?:\[?#?(?P<match>[0-9]{{1,9}})\]?:?\s+)?(?P<number>[0-9]{{1,3}})\s*(?P<unit>{_UNITS})", re.IGNORECASE
)


def _read_away(line: CommandLine) -> Away | Absences | None:
    # In small letters only in a letter of its own, with a date: "Away until Monday" is said to opponents.
    words = _words(line)
    if line.match is not None:
        return None
    if not words or (len(words) == 1 and fold(words[0]) in _LISTS):
        return Absences() if line.clear else None
    away = _next_week(words) or _days(words) or _from_to(words)
    if away is None or line.clear:
        return away
    dated = all(day.month for day in (away.first, away.last) if day)
    return away if dated and not away.text and line.own is None else None


def _next_week(words: Sequence[str]) -> Away | None:
    """Reads a phrase for next week as Monday to Sunday."""
    said = " ".join(map(_word, words))
    return Away(Day(weekday=0, weeks=1), Day(weekday=6)) if said in _NEXT_WEEK else None


def _days(words: Sequence[str]) -> Away | None:
    """Reads 5 DAYS, PER 5 GIORNI."""
    if fold(words[0]) in _FOR:
        words = words[1:]
    match words:
        case [number, unit, *text] if re.fullmatch("[1-9][0-9]{0,2}", number) and _word(unit) in _DAYS:
            return Away(Day(ahead=0), days=int(number), text=_text(text))
    return None


def _from_to(words: Sequence[str]) -> Away | None:
    """Reads FROM 3 August TO 20 August, 3/8 - 20/8, TO Friday, 3 August (that day), 3 August FOR 5 DAYS."""
    begins = _first_of(words, _FROM)
    first = read_day(words[1:] if begins else words) or _short(words[1:] if begins else words)
    if first is None and not begins and _first_of(words, _TO):
        day, rest = Day(ahead=0), words
    elif first is not None:
        day, rest = first
    else:
        return None
    if rest and _first_of(rest, _TO):
        ahead = rest[1:]
        last = (
            read_day(ahead)
            or read_day(rest)
            or (read_day(ahead[1:]) if ahead and _first_of(ahead, _ON) else None)
        )
        return Away(day, last[0], text=_text(last[1])) if last else None
    if rest and (lasting := _days(rest)):
        return Away(day, days=lasting.days, text=lasting.text)
    return None if begins else Away(day, text=_text(rest))


def _short(words: Sequence[str]) -> tuple[Day, Sequence[str]] | None:
    """Reads 3 to 20 August, dal 3 al 20 agosto: the second day has the month."""
    match words:
        case [article, *rest] if _word(article) in _ON:
            return _short(rest)
        case [number, to, *ahead] if (day := _NUMBER.fullmatch(number)) and _word(to) in _TO:
            last = read_day(ahead) or read_day([to, *ahead])  # al 10
            if last and last[0].day:
                return Day(int(day[1]), last[0].month, last[0].year), words[1:]
    return None


def _read_absences(line: CommandLine) -> Absences | None:
    return None if line.rest or line.match is not None else Absences()


def _read_back(line: CommandLine) -> Back | None:
    if line.match is not None or not line.clear:
        return None
    words = _words(line)
    if not words:
        return Back()
    found = read_day(words[1:] if _first_of(words, _FROM) else words)
    return Back(found[0]) if found and not found[1] else None


def _read_pause(line: CommandLine) -> Pause | None:
    length = _length(line)
    if length is None:
        return _pause_until(line)
    return None if length[1] % 24 else Pause(length[1] // 24, length[0])


def _pause_until(line: CommandLine) -> Pause | None:
    """Reads UNTIL Monday, FINO AL 3 agosto, with the match before it or before the verb."""
    words = _words(line)
    number = next(iter(words[:1]), "")
    match = line.match
    if number.isdecimal() and match is None and len(words) > 1:
        match, words = int(number), words[1:]
    if not _first_of(words, _TO):
        return None
    found = read_day(words[1:]) or (read_day(words[2:]) if _first_of(words[1:], _ON) else None)
    return Pause(None, match, found[0]) if found and not found[1] else None


def _read_give(line: CommandLine) -> Give | None:
    length = _length(line)
    return Give(length[1], length[0]) if length else None


def _length(line: CommandLine) -> tuple[int | None, int] | None:
    """Returns the match, and the time in hours. None when the line has no length."""
    found = _LENGTH.fullmatch(plain(line.rest))
    if found is None or (found["match"] and line.match is not None):
        return None
    hours = int(found["number"]) * (1 if fold(found["unit"]) in _HOURS else 24)
    return (int(found["match"]) if found["match"] else line.match), hours


def _words(line: CommandLine) -> list[str]:
    """Splits `dall'8` into two words, `28-30 December` into four."""
    said = re.sub(r"(?<=ll)'(?=[0-9])", " ", typed(line.rest))
    return _SPAN.sub(r"\1 - \2", said).split()


def _first_of(words: Sequence[str], some: Collection[str]) -> bool:
    return bool(words) and _word(words[0]) in some


def _word(word: str) -> str:
    return fold(word).strip(",.")


def _text(words: Sequence[str]) -> str:
    return " ".join(words).lstrip(",:;-– ").strip()


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


VERBS: Verbs = {
    Away: (_read_away, _away),
    Back: (_read_back, _back),
    Absences: (_read_absences, _list),
    Pause: (_read_pause, _pause),
    Give: (_read_give, _give),
}
