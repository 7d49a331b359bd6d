"""Time controls: a capped Fischer bank per seat, and its notation. Pure; `now` is an argument."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Protocol

from pbem.wording import SOURCE, wording

NOTHING = timedelta()
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class Running(Protocol):
    """The time in which a clock runs: a calendar, or the reckoning of a turn."""

    def elapsed(self, since: datetime, until: datetime) -> timedelta: ...

    def after(self, since: datetime, lasting: timedelta) -> datetime | None: ...


@dataclass(frozen=True)
class Control:
    """A time control: `bank` at the start, `increment` per own move, at most `cap` in the bank.

    A fixed time per move is a bank that the increment fills: `3d/move` is `3d+3d<=3d`. `ceiling` limits the
    time of one player in the whole match.
    """

    bank: timedelta
    increment: timedelta
    cap: timedelta
    ceiling: timedelta | None = None

    def __post_init__(self) -> None:
        if not HOUR <= self.bank <= self.cap:
            raise ValueError(f"a bank of {written(self.bank)} and at most {written(self.cap)}")
        if self.increment < NOTHING or (self.ceiling is not None and self.ceiling < HOUR):
            raise ValueError("less than no time")

    def __str__(self) -> str:
        total = f" total={written(self.ceiling)}" if self.ceiling else ""
        if self.is_fixed:
            return f"{written(self.bank)}/move{total}"
        return f"{written(self.bank)}+{written(self.increment)}<={written(self.cap)}{total}"

    @property
    def is_fixed(self) -> bool:
        return self.bank == self.increment == self.cap


@dataclass(frozen=True)
class Bank:
    """A seat's time: `left` at the beginning of its turn (`since`), or for its next turn.

    `since` None: the clock rests. `used` counts towards the ceiling.
    """

    left: timedelta
    used: timedelta = NOTHING
    since: datetime | None = None

    @classmethod
    def full(cls, control: Control) -> Bank:
        return cls(control.bank)

    def begin(self, now: datetime) -> Bank:
        """Starts the clock."""
        return self if self.since else replace(self, since=now)

    def rest(self, now: datetime, running: Running) -> Bank:
        """Ends the turn: charges the elapsed time."""
        if self.since is None:
            return self
        elapsed = running.elapsed(self.since, now)
        return Bank(self.left - elapsed, self.used + elapsed)

    def given(self, more: timedelta) -> Bank:
        """Adds time, even above the cap; `used` stays."""
        return replace(self, left=self.left + more)

    def filled_up(self, least: timedelta | None) -> Bank:
        """Tops up the bank to `least`, after a takeback."""
        return self if least is None or self.left >= least else replace(self, left=least)

    def moved(self, control: Control, now: datetime, running: Running) -> Bank:
        """Ends the turn with a move: charges the elapsed time, and adds the increment up to the cap.

        A player who overstepped without losing continues with one increment.
        """
        rested = self.rest(now, running)
        left = max(rested.left, NOTHING)
        return replace(rested, left=max(left, min(left + control.increment, control.cap)))

    def limit(self, control: Control) -> timedelta:
        """Returns the time that may elapse from `since` on."""
        return self.left if control.ceiling is None else min(self.left, control.ceiling - self.used)

    def remaining(self, control: Control, now: datetime, running: Running) -> timedelta:
        """Returns the time left in this turn; negative when over."""
        return self.rest(now, running).limit(control)

    def deadline(self, control: Control, running: Running) -> datetime | None:
        """Returns when the time will be over. None while the clock rests, or stops before."""
        if self.since is None:
            return None
        return running.after(self.since, self.limit(control))


UNLIMITED = "none"  # explicitly no clock
HOUSE = "league"  # the default
# Presets; the first three are AbstractPlay's, in hours.
_PRESETS: Mapping[str, str] = {
    "fast": "24h+8h<=48h",
    "medium": "48h+24h<=96h",
    "slow": "72h+48h<=168h",
    "league": "10d+36h<=10d",  # Little Golem's
    "postal": "30d+3d<=60d",
    "weekly": "7d/move",
}
_WORDS = wording("pbem.matches")
PRESETS: Mapping[str, str] = {
    called: clock
    for name, clock in _PRESETS.items()
    for words in _WORDS.each("presets", name).values()
    for called in words
}
_UNITS = {
    letter: length
    for name, length in (("day", DAY), ("hour", HOUR))
    for letter in _WORDS.each("clock", name).values()
}
SPAN = rf"\d{{1,3}}(?:[.,]5)?(?:{'|'.join(_UNITS)})"
TOTAL = "|".join(_WORDS.each("clock", "total").values())
_MOVE = "|".join(_WORDS.each("clock", "move").values())
CLOCK = rf"(?P<bank>{SPAN})(?:\+(?P<increment>{SPAN})(?:(?:<=|≤)(?P<cap>{SPAN}))?|(?:/(?:{_MOVE}))?)"
_CLOCK = re.compile(CLOCK, re.IGNORECASE)


def parse(text: str) -> Control:
    """Reads `10d+36h<=10d`, `3d/move` or `3d`, a preset; in Italian `10g+36o`, `3g/mossa`.

    The default cap is the bank. Raises ValueError for other texts.
    """
    name = text.strip().lower()
    said = _CLOCK.fullmatch(re.sub(r"\s", "", PRESETS.get(name, name)))
    if said is None:
        raise ValueError(f"{text!r} is not a clock; write 10d+36h<=10d or 3d/move")
    bank = span(said["bank"])
    if said["increment"] is None:
        return Control(bank, bank, bank)
    return Control(bank, span(said["increment"]), span(said["cap"]) if said["cap"] else bank)


def preset(control: Control, language: str) -> str:
    """Returns the clock's name in the language; "" without one."""
    plain = replace(control, ceiling=None)
    name = next((name for name, clock in _PRESETS.items() if parse(clock) == plain), None)
    return _WORDS.of(language, "presets", name)[0] if name else ""


@cache
def agreed(clock: str, total: str) -> Control | None:
    """Returns the control of two words, read by `parse` and `span`; "" is omitted. None without limits."""
    ceiling = span(total) if total else None
    if clock and clock != UNLIMITED:
        return replace(parse(clock), ceiling=ceiling)
    return Control(ceiling, NOTHING, ceiling) if ceiling is not None else None


def span(text: str) -> timedelta:
    """Reads `36h`, `1.5d`, in Italian `36o`, `1,5g`."""
    unit = text.lstrip("0123456789.,")
    return float(text.removesuffix(unit).replace(",", ".")) * _UNITS[unit.lower()]


def written(length: timedelta) -> str:
    """Returns the text that `span` reads."""
    hours = length / HOUR
    return f"{hours / 24:g}d" if hours % 24 == 0 else f"{hours:g}h"


# Terms in words: `7 days per move` is `7d/move`

_LENGTHS: Mapping[str, timedelta] = {"day": DAY, "hour": HOUR, "week": 7 * DAY}


def _all(*keys: str) -> tuple[str, ...]:
    """Returns the words of all languages."""
    return tuple(word for words in _WORDS.each(*keys).values() for word in words)


def _either(words: Iterable[str]) -> str:
    """Returns a pattern of the words, the longest first; a blank matches any white space."""
    known = [re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True)]
    return f"(?:{'|'.join(known)})" if known else "(?!)"


_UNITS_SPELLED = {word: _LENGTHS[name] for name in _LENGTHS for word in _all("spelled", name)}
_UNITS_SPELLED |= {
    letter: _LENGTHS[name] for name in ("day", "hour") for letter in _WORDS.each("clock", name).values()
}
_NUMBERS = dict.fromkeys(_all("spelled", "one"), 1) | {
    word: number
    for words in _WORDS.each("spelled", "numbers").values()
    for number, word in enumerate(words, 2)
}
_LENGTH = rf"(?:[0-9]{{1,3}}(?:[.,]5)?\s*|{_either(_NUMBERS)}(?:['’]\s*|\s+)){_either(_UNITS_SPELLED)}(?![\w'’]|\s*=)"
_MOVE_SPELLED = _either(_WORDS.each("clock", "move").values())
_PER_MOVE = rf"(?:\s*/\s*{_MOVE_SPELLED}|\s+{_either(_all('spelled', 'per_move'))})(?!\w)"
_PLUS = rf"(?:\s*\+\s*|\s+{_either(_all('spelled', 'plus'))}\s+)"
_MORE = rf"(?:\s+{_either(_all('spelled', 'more'))})?"
_AT_MOST = rf"(?:\s*(?:<=|≤)\s*|\s+{_either(_all('spelled', 'at_most'))}\s+)"
_BEFORE = rf"(?:{_either(_all('spelled', 'before'))}[:=]?\s+)?"
_AFTER = rf"(?:\s+{_either(_all('spelled', 'after'))}(?!\w))?"
_IN_TOTAL = rf"\s+{_either(_all('spelled', 'in_total'))}(?![\w=])"
_CLOCK_SPELLED = re.compile(
    rf"(?<![\w=<≤+/.,-]){_BEFORE}(?:"
    rf"(?P<total>{_LENGTH}){_IN_TOTAL}"
    rf"|(?P<bank>{_LENGTH})(?:{_PLUS}(?P<more>{_LENGTH}){_MORE}(?:{_PER_MOVE})?"
    rf"(?:{_AT_MOST}(?P<cap>{_LENGTH}))?|{_PER_MOVE})?"
    rf"|(?P<preset>{_either(PRESETS)})(?![\w=-]))(?:{_AFTER})",
    re.IGNORECASE,
)
_HYPHENED = [word for name in _WORDS.of(SOURCE, "terms") for word in _all("terms", name) if "-" in word]
_SPACED = re.compile(
    rf"(?<![\w=-]){_either(word.replace('-', ' ') for word in _HYPHENED)}(?![\w=-])", re.IGNORECASE
)


def as_tokens(text: str) -> str:
    """Returns the terms without blanks: `10 days + 36 hours, no takebacks` is `10d+36h no-takebacks`."""
    joined = _SPACED.sub(lambda said: "-".join(said[0].split()), text)
    return _CLOCK_SPELLED.sub(_token, joined)


def _token(said: re.Match[str]) -> str:
    if said["preset"]:
        return said["preset"]
    if said["total"]:
        return f"total={_short(said['total'])}"
    more = f"+{_short(said['more'])}" if said["more"] else ""
    cap = f"<={_short(said['cap'])}" if said["cap"] else ""
    return f"{_short(said['bank'])}{more}{cap}"


def _short(length: str) -> str:
    """Returns `7d` for `a week`."""
    found = re.fullmatch(r"(.*?)['’\s]*+([^\W\d_]+)", length)
    assert found, "it fits _LENGTH"
    number, unit = found[1].casefold(), found[2].casefold()
    count = _NUMBERS.get(number) or float(number.replace(",", "."))
    return written(count * _UNITS_SPELLED[unit])
