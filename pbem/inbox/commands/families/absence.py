"""Being away, being here again, and time that players agree on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.dates import Day, read_day
from pbem.inbox.commands.spoken import Spoken, fold, plain, typed
from pbem.inbox.commands.verb import Verb, verb

_FROM = {"from", "since", "starting", "dal", "da", "dall"}
_TO = {"to", "until", "till", "through", "thru", "-", "al", "fino", "a", "sino", "all"}
_AND_ON = {"al", "a", "all", "the"}  # fino al 20 agosto, until the 20th
_DAYS = {"day", "days", "giorno", "giorni"}
_HOURS = {"h", "hour", "hours", "ora", "ore"}
_LISTS = {"list", "elenco", "lista"}
_LENGTH = re.compile(
    rf"(?:\[?#?(?P<match>[0-9]{{1,9}})\]?:?\s+)?(?P<number>[0-9]{{1,3}})\s*(?P<unit>d|g|{'|'.join(_DAYS | _HOURS)})",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Absences(Command):
    """Lists the absences that you have announced, and how many days you have left this year."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Away(Command):
    """You are away: your clocks stand still, and your opponents are told. AWAY 3 August TO 20 August, AWAY TO
    Friday, AWAY 5 DAYS; what you write after that, they read too. The word alone lists what you have announced."""

    first: Day
    last: Day | None = None
    days: int | None = None
    text: str = ""
    all_matches: ClassVar[bool] = True


@dataclass(frozen=True)
class Back(Command):
    """You are here again: an absence ends now. BACK 3 August takes back one that has not begun."""

    day: Day | None = None
    all_matches: ClassVar[bool] = True


@dataclass(frozen=True)
class Pause(Command):
    """Asks your opponent for a pause of the match: no clock runs for so many days, if he answers YES."""

    days: int
    match: int | None = None


@dataclass(frozen=True)
class Give(Command):
    """Gives your opponent so much more time, as in GIVE 3 DAYS or GIVE 12 HOURS."""

    hours: int
    match: int | None = None

    @property
    def lasting(self) -> timedelta:
        return timedelta(hours=self.hours)


def _away(said: Spoken) -> Away | Absences | None:
    """In small letters only in a letter of its own, with a date: "Away until Monday" is said to opponents."""
    words = _words(said)
    if said.match is not None:
        return None
    if not words or (len(words) == 1 and fold(words[0]) in _LISTS):
        return Absences() if said.clear else None
    away = _days(words) or _from_to(words)
    if away is None or said.clear:
        return away
    dated = all(day.month for day in (away.first, away.last) if day)
    return away if dated and not away.text and said.own is None else None


def _days(words: Sequence[str]) -> Away | None:
    """5 DAYS, PER 5 GIORNI."""
    if fold(words[0]) in {"for", "per"}:
        words = words[1:]
    match words:
        case [number, unit, *text] if re.fullmatch("[1-9][0-9]{0,2}", number) and _word(unit) in _DAYS:
            return Away(Day(ahead=0), days=int(number), text=_text(text))
    return None


def _from_to(words: Sequence[str]) -> Away | None:
    """FROM 3 August TO 20 August, 3/8 - 20/8, TO Friday, 3 August (that day), 3 August FOR 5 DAYS."""
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
        last = read_day(ahead) or (read_day(ahead[1:]) if ahead and _first_of(ahead, _AND_ON) else None)
        return Away(day, last[0], text=_text(last[1])) if last else None
    if rest and (lasting := _days(rest)):
        return Away(day, days=lasting.days, text=lasting.text)
    return None if begins else Away(day, text=_text(rest))


def _short(words: Sequence[str]) -> tuple[Day, Sequence[str]] | None:
    """3 to 20 August, dal 3 al 20 agosto: the month comes with the second day."""
    match words:
        case [number, to, *ahead] if re.fullmatch("[0-9]{1,2}", number) and _word(to) in _TO:
            last = read_day(ahead)
            if last and last[0].month:
                return Day(int(number), last[0].month, last[0].year), words[1:]
    return None


def _back(said: Spoken) -> Back | None:
    if said.match is not None or not said.clear:
        return None
    words = _words(said)
    if not words:
        return Back()
    found = read_day(words[1:] if _first_of(words, _FROM) else words)
    return Back(found[0]) if found and not found[1] else None


def _pause(said: Spoken) -> Pause | None:
    length = _length(said)
    if length is None or length[1] % 24:
        return None
    return Pause(length[1] // 24, length[0])


def _give(said: Spoken) -> Give | None:
    length = _length(said)
    return Give(length[1], length[0]) if length else None


def _length(said: Spoken) -> tuple[int | None, int] | None:
    """The match, and how many hours."""
    found = _LENGTH.fullmatch(plain(said.rest))
    if found is None or (found["match"] and said.match is not None):
        return None
    hours = int(found["number"]) * (1 if fold(found["unit"]) in _HOURS else 24)
    return (int(found["match"]) if found["match"] else said.match), hours


def _words(said: Spoken) -> list[str]:
    """`dall'8` is two."""
    return re.sub(r"(?<=ll)'(?=[0-9])", " ", typed(said.rest)).split()


def _first_of(words: Sequence[str], some: set[str]) -> bool:
    return bool(words) and _word(words[0]) in some


def _word(word: str) -> str:
    return fold(word).strip(",.")


def _text(words: Sequence[str]) -> str:
    return " ".join(words).lstrip(",:;-– ").strip()


VERBS: Sequence[Verb] = (
    verb(
        Away,
        _away,
        en=("AWAY", "AWAY [from] day [TO day] [text]"),
        it=(
            "ASSENTE",
            "ASSENTE [dal] giorno [AL giorno] [testo]",
            "Sei via: i tuoi orologi si fermano e i tuoi avversari lo sanno. ASSENTE dal 3 agosto AL 20 agosto,"
            " ASSENTE FINO A venerdì, ASSENTE 5 GIORNI; leggono anche ciò che scrivi dopo. La parola da sola"
            " elenca le assenze che hai annunciato.",
        ),
    ),
    verb(
        Back,
        _back,
        en=("BACK", "BACK [day]"),
        it=(
            "TORNATO TORNATA",
            "TORNATO [giorno]",
            "Sei di nuovo qui: l'assenza finisce adesso. TORNATO 3 agosto ritira un'assenza che non è ancora"
            " cominciata.",
        ),
    ),
    verb(
        Absences,
        lambda said: None if said.rest or said.match is not None else Absences(),
        en=("ABSENCES", "ABSENCES or AWAY"),
        it=(
            "ASSENZE",
            "ASSENZE oppure ASSENTE",
            "Elenca le assenze che hai annunciato, e quanti giorni ti restano quest'anno.",
        ),
    ),
    verb(
        Pause,
        _pause,
        en=("PAUSE", "PAUSE [match] n DAYS"),
        it=(
            "PAUSA SOSPENDO",
            "PAUSA [partita] n GIORNI",
            "Chiede al tuo avversario una pausa della partita: se risponde SÌ, per quei giorni nessun orologio"
            " corre.",
        ),
    ),
    verb(
        Give,
        _give,
        en=("GIVE", "GIVE [match] n DAYS or HOURS"),
        it=(
            "CONCEDO REGALO",
            "CONCEDO [partita] n GIORNI oppure ORE",
            "Dà al tuo avversario altrettanto tempo in più, come in CONCEDO 3 GIORNI o CONCEDO 12 ORE.",
        ),
    ),
)
