"""What two players agree on beside the rules of the game, read from the words of a challenge."""

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
    """Every field is a value that JSON knows, and its default is what a match has that says nothing.

    `forced`: the service plays a move where the rules leave no other. `absence`: clocks rest
    while a player is away, and the match may be paused; an event may want neither.
    `automatic`: a day of absence is taken for anyone who has nearly used up their time, and wants that. `gifts`: a
    player may give the other time.
    `rated`: its result changes the ratings of both: see `pbem.ratings`.
    `pair`: a second match with the sides changed begins with it.
    `pie`: the second player may take the first move over as their own; None: as the game has it.
    `clock` and `total` are as `pbem.matches.clock.control` writes them; "" says nothing of a clock, and is no ceiling.
    `policy`: what it costs to let one's time run out, a key of `pbem.matches.clock.deadlines.POLICIES`.
    `nonstop`: nights, weekends, holidays and absences count like any other time.
    `hold`: minutes for which the letter about a move waits, and its player may take it back. `takebacks`: later
    on, the opponent may let them.
    `private`: nobody but the players sees the match.
    `learning`: a player may ask a robot for hints, as long as the match is not rated.
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
        """None where nobody's time is limited."""
        return agreed(self.clock, self.total)

    @property
    def clocked(self) -> Terms:
        """With the clock of the house where nothing was said of any: to have none has to be asked for."""
        return self if self.clock or self.total else replace(self, clock=str(parse(HOUSE)))

    @property
    def rests(self) -> bool:
        """Whether a clock stands still while its player is away."""
        return self.absence and not self.nonstop

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Terms:
        """From what `kept` gave."""
        return cls(**kept)

    def kept(self) -> dict[str, Any]:
        """What differs from the defaults, for a row."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value != getattr(NONE, name)}


NONE = Terms()

_WORDS = wording(__package__)


def _said(name: str) -> str:
    """How the term is written in any language; a hyphen may be left out."""
    return _WORDS.either("terms", name).replace(r"\-", "-?")


# How each term is written, in every language, without case.
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
    # As players of older servers write it, in days.
    (r"(?:--?)?forfeittime=(\d{1,3})", lambda terms, said: _timed(terms, clock=f"{said[1]}d")),
    (r"(?:--?)?totaltime=(\d{1,3})", lambda terms, said: _timed(terms, total=f"{said[1]}d")),
    (r"(?:--?)?nagtime=\d{1,3}", lambda terms, said: terms),  # every player chooses their own reminders
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
    """The terms, and the words that are none: the game's own. Refuses K01 (a clock that cannot run)."""
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
    """Written in one way, however it was said."""
    try:
        if clock:
            terms = replace(terms, clock=str(parse(clock)))
        if total:
            terms = replace(terms, total=written(span(total)))
        agreed(terms.clock, terms.total)
    except ValueError:
        raise Refused(Code.BAD_CLOCK, text=clock or total) from None
    return terms
