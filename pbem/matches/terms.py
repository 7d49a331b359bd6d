"""Terms of a match beside the rules of the game, read from the words of a challenge."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from pbem.matches.clock.control import (
    CLOCK,
    HOUSE,
    PRESETS,
    SPAN,
    TOTAL,
    UNLIMITED,
    Control,
    agreed,
    as_tokens,
    parse,
    span,
    written,
)
from pbem.refusals import Code, Refused
from pbem.wording import wording


@dataclass(frozen=True)
class Terms:
    """The terms; each field is a JSON value, with the default of a match that says nothing.

    `forced`: the service plays a move when it is the only legal one. `absence`: clocks rest while a player is
    away, and the match may be paused.
    `automatic`: a day of absence is taken for players who want it when their time is nearly over. `gifts`:
    players may give each other time.
    `rated`: the result changes both ratings, see `pbem.ratings`.
    `pair`: a second match begins with sides changed.
    `pie`: the second player may take over the first move; None: as the game has it.
    `clock` and `total` are written as in `pbem.matches.clock.control`; "" is no clock, or no ceiling.
    `policy`: the cost of running out of time, a key of `pbem.matches.clock.deadlines.POLICIES`.
    `nonstop`: nights, weekends, holidays and absences count like other time.
    `hold`: minutes for which the letter about a move waits, and the player may take it back. `takebacks`:
    later ones, with the opponent's consent.
    `private`: only the players see the match.
    `learning`: players may ask a robot for hints while the match is unrated.
    """

    forced: bool = False
    hold: int = 0
    takebacks: bool = True
    absence: bool = True
    automatic: bool = True
    gifts: bool = True
    rated: bool = False
    pair: bool = False
    pie: bool | None = None
    clock: str = ""
    total: str = ""
    policy: str = "loss"
    nonstop: bool = False
    private: bool = False
    learning: bool = False

    @property
    def control(self) -> Control | None:
        """Returns the time control. None without limits."""
        return agreed(self.clock, self.total)

    @property
    def clocked(self) -> Terms:
        """Returns the terms with the house clock, unless a clock or none was asked for."""
        return self if self.clock or self.total else replace(self, clock=str(parse(HOUSE)))

    @property
    def rests(self) -> bool:
        """Returns whether a clock stands still while its player is away."""
        return self.absence and not self.nonstop

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Terms:
        """Reads what `kept` returned."""
        return cls(**kept)

    def kept(self) -> dict[str, Any]:
        """Returns the values that differ from the defaults, for a row."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value != getattr(NONE, name)}


NONE = Terms()

_WORDS = wording(__package__)


def _said(name: str) -> str:
    """Returns the pattern of the term in all languages; hyphens are optional."""
    return _WORDS.either("terms", name).replace(r"\-", "-?")


# Patterns of the terms in all languages, case-insensitive.
WORDS: tuple[tuple[str, Callable[[Terms, re.Match[str]], Terms]], ...] = (
    (_said("forced"), lambda terms, said: replace(terms, forced=True)),
    (
        rf"(?:{_said('hold')})=([0-9]{{1,3}})m?",
        lambda terms, said: replace(terms, hold=min(int(said[1]), 120)),
    ),
    (_said("no_takebacks"), lambda terms, said: replace(terms, takebacks=False)),
    (_said("no_absences"), lambda terms, said: replace(terms, absence=False)),
    (_said("no_automatic_absence"), lambda terms, said: replace(terms, automatic=False)),
    (_said("no_gifts"), lambda terms, said: replace(terms, gifts=False)),
    (_said("rated"), lambda terms, said: replace(terms, rated=True)),
    (_said("unrated"), lambda terms, said: replace(terms, rated=False)),
    (_said("pair"), lambda terms, said: replace(terms, pair=True)),
    (_said("pie"), lambda terms, said: replace(terms, pie=True)),
    (_said("no_pie"), lambda terms, said: replace(terms, pie=False)),
    (rf"{CLOCK}|{'|'.join(PRESETS)}", lambda terms, said: _timed(terms, clock=said[0])),
    (rf"(?:{TOTAL})=({SPAN})", lambda terms, said: _timed(terms, total=said[1])),
    # As on older servers, in days.
    (r"(?:--?)?forfeittime=(\d{1,3})", lambda terms, said: _timed(terms, clock=f"{said[1]}d")),
    (r"(?:--?)?totaltime=(\d{1,3})", lambda terms, said: _timed(terms, total=f"{said[1]}d")),
    (r"(?:--?)?nagtime=\d{1,3}", lambda terms, said: terms),  # ignored: reminders are a player's preference
    (_said("timeout_loss"), lambda terms, said: replace(terms, policy="loss")),
    (_said("timeout_claim"), lambda terms, said: replace(terms, policy="claim")),
    (_said("timeout_absence"), lambda terms, said: replace(terms, policy="absence")),
    (_said("timeout_adjudicate"), lambda terms, said: replace(terms, policy="adjudicate")),
    (_said("nonstop"), lambda terms, said: replace(terms, nonstop=True)),
    (_said("private"), lambda terms, said: replace(terms, private=True)),
    (_said("learning"), lambda terms, said: replace(terms, learning=True)),
    (_said("no_clock"), lambda terms, said: replace(terms, clock=UNLIMITED, total="")),
)


def read_terms(words: Iterable[str]) -> tuple[Terms, list[str]]:
    """Returns the terms and the other words. Refuses K01 (a clock that cannot run)."""
    terms, rest = NONE, []
    for word in as_tokens(" ".join(words)).split():
        for pattern, put in WORDS:
            if said := re.fullmatch(pattern, word, re.IGNORECASE):
                terms = put(terms, said)
                break
        else:
            rest.append(word)
    return terms, rest


def _timed(terms: Terms, *, clock: str = "", total: str = "") -> Terms:
    """Returns the terms with the clock in its canonical spelling."""
    try:
        if clock:
            terms = replace(terms, clock=str(parse(clock)))
        if total:
            terms = replace(terms, total=written(span(total)))
        agreed(terms.clock, terms.total)
    except ValueError:
        raise Refused(Code.BAD_CLOCK, text=clock or total) from None
    return terms
