"""Reads and writes the turns of Zèrtz: `Bd4, a1` in Italian, `Wd4,a1` in English, `g5xe3`.

Rings are named along the lattice, as in PerGioco ("seed"), or counted from the start of each row, as on
gipf.com ("gipf"). `B` is white in Italian (bianca) and black in English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from games.protocol import (
    LANGUAGES,
    AmbiguousMove,
    IllegalMove,
    Notation,
    Objection,
    UnreadableMove,
    phrases_of,
)
from games.zertz.board import Colour, Jump, Move, Placement
from games.zertz.rules import Position
from games.zertz.variants import Rules

# Rows up to this one are read on every board: on 37 rings, `h4` is answered with its mistake. Later letters are
# read only where a row has them: `gr8` should not be a grey marble on r8.
LAST_ROW = "i"


@dataclass(frozen=True)
class Grammar:
    """The patterns of moves on one board.

    A placement has the groups colour, cell, removed and taken. A station is a ring of a jump, with an
    optional colour of the marble taken before it.
    """

    placement: re.Pattern[str]
    jump: re.Pattern[str]
    jump_with_colours: re.Pattern[str]  # gipf.com: `x d1Gd3Wd5`
    station: re.Pattern[str]


@cache
def grammar(last_row: str, colours: str) -> Grammar:
    """Returns the patterns for a board with this last row, and these small letters for colours."""
    ring = f"[a-{max(last_row, LAST_ROW)}][1-9][0-9]?"
    marble = f"[{colours}] ?{ring}"
    return Grammar(
        placement=re.compile(
            rf"(?P<colour>[{colours}]) ?(?P<cell>{ring})"
            rf"(?:[ ,;/-]*(?P<removed>{ring})|[ ,;/]*-)?"  # `Bd4, a1`, or `Bd4,-` and `Bd4`: no removal
            rf"(?:[ ,]*x ?(?P<taken>{marble}(?:[ ,]*{marble})*))?"  # gipf.com: the marbles of an island
        ),
        jump=re.compile(rf"{ring}(?:(?: ?[x:-] ?| ){ring})+"),
        jump_with_colours=re.compile(rf"(?:x ?)?{ring}(?: ?{marble})+"),
        station=re.compile(rf"([{colours}]?) ?({ring})"),
    )


# characters, more than any turn with its islands needs
LONGEST = 200

_DASHES_AND_TIMES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212\u00d7", "------x")


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    tidy, forms = _tidy(text), _forms(position.rules)
    if found := forms.placement.fullmatch(tidy):
        return _read_placement(position, text, found, notation)
    if forms.jump.fullmatch(tidy) or forms.jump_with_colours.fullmatch(tidy):
        return _read_jump(position, text, forms.station.findall(tidy), notation)
    raise UnreadableMove(text)


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move in `notation`, without blanks."""
    rules = position.rules
    if isinstance(move, Jump):
        return "x".join(cell(rules, name, notation) for name in move.path)
    put = f"{letters(notation.language)[move.colour]}{cell(rules, move.cell, notation)}"
    return f"{put},{cell(rules, move.removed, notation)}" if move.removed else put


def cell(rules: Rules, name: str, notation: Notation) -> str:
    """Returns the name of a ring in `notation`."""
    return rules.board.from_row_start(name) if notation.coordinates == "gipf" else name


@cache
def letters(language: str) -> Sequence[str]:
    """Returns the letters of white, grey and black."""
    pieces = phrases_of(__package__, language)["pieces"]
    return [pieces[colour.kind]["letter"] for colour in Colour]


@cache
def _colours(language: str) -> Mapping[str, Colour]:
    """Maps small letters to colours: those of the language, then unused ones of other languages."""
    own_last = sorted(LANGUAGES, key=lambda one: one == language)
    return {
        letter.lower(): colour
        for one in own_last
        for letter, colour in zip(letters(one), Colour, strict=True)
    }


def _forms(rules: Rules) -> Grammar:
    return grammar(rules.board.rows[-1][0][0], "".join(_colours(LANGUAGES[0])))


def _tidy(text: str) -> str:
    """Normalises the text: lower case, plain blanks, hyphens and x, no full stop."""
    if len(text) > LONGEST:
        raise UnreadableMove(text)
    plain = unicodedata.normalize("NFKC", text.translate(_DASHES_AND_TIMES)).casefold()
    return " ".join(plain.split()).removesuffix(".").rstrip()


def _read_placement(position: Position, text: str, found: re.Match[str], notation: Notation) -> Placement:
    colours, removed = _colours(notation.language), found["removed"]
    move = Placement(
        colours[found["colour"]],
        _canonical(position.rules, found["cell"], notation),
        _canonical(position.rules, removed, notation) if removed else None,
    )
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    if found["taken"]:
        claimed = {
            (_canonical(position.rules, ring, notation), colours[letter])
            for letter, ring in _forms(position.rules).station.findall(found["taken"])
        }
        taken = position.taken(move)
        if claimed != set(taken):
            code = "isolates_other" if taken else "isolates_nothing"
            cells, pieces = tuple(ring for ring, _ in taken), tuple(colour.kind for _, colour in taken)
            raise IllegalMove(text, Objection(code, cells, pieces))
    return move


def _read_jump(position: Position, text: str, stations: list[tuple[str, str]], notation: Notation) -> Jump:
    path = tuple(_canonical(position.rules, ring, notation) for _, ring in stations)
    claimed = [_colours(notation.language)[letter] for letter, _ in stations if letter]
    move = Jump(path)
    if objection := position.objection(move):
        # Start and end are enough when only one complete chain leads from one to the other.
        if (
            claimed
            or len(path) > 2
            or objection.code not in ("not_a_jump", "nothing_to_jump", "landing_occupied")
        ):
            raise IllegalMove(text, objection)
        chains = [chain for chain in position.jumps() if (chain.path[0], chain.path[-1]) == path]
        if len(chains) > 1:
            raise AmbiguousMove(text, tuple(map(str, chains)))
        if not chains:
            raise IllegalMove(text, objection)
        move = chains[0]
    for claim, (ring, colour) in zip(claimed, position.taken(move), strict=False):
        if claim != colour:
            raise IllegalMove(text, Objection("other_colour", (ring,), (colour.kind,)))
    return move


def _canonical(rules: Rules, written: str, notation: Notation) -> str:
    """Returns the lattice name of a ring, which need not be on the board."""
    return rules.board.to_lattice(written) if notation.coordinates == "gipf" else written
