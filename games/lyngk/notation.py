"""Reads and writes turns: `c1-c2`, and `I,c1-c2` with a claim in the letters of each language, or in its words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from games.lyngk.board import COLOURS, PASS, Move
from games.lyngk.rules import KINDS, Position
from games.protocol import LANGUAGES, IllegalMove, Notation, Objection, UnreadableMove, phrases_of

# Points just off the board are read, so that the answer can explain the mistake.
_POINT = "[a-j] ?[0-9]"
_WAY = rf"{_POINT}(?: ?(?:->|[>:-])? ?{_POINT})*"
_PASS = re.compile("pass|passo|passa|--")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SIGNS = dict(zip(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\u2192"), "------>", strict=True))
_LONGEST = 60  # characters


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove or IllegalMove."""
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS).translate(_INVISIBLE)).casefold()
    tidy = " ".join(plain.split()).rstrip(" .,;!")
    colours, written = _claims(notation.language)
    found = written.fullmatch(tidy) if len(text) <= _LONGEST else None
    if found:
        claim = colours.get(found["claim"] or "", "")
        points = [
            point.replace(" ", "") for point in re.findall(_POINT, found["way"] or found["alone"] or "")
        ]
        if len(points) < 2:
            raise IllegalMove(text, _missing(position, claim, points))
        move = Move(claim, points[0], points[-1])
    elif _PASS.fullmatch(tidy):
        move = PASS
    else:
        raise UnreadableMove(text)
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move with the language's letter of a claimed colour."""
    if not move.claim:
        return str(move)
    letter = phrases_of(__package__, notation.language)["pieces"][KINDS[move.claim]]["letter"]
    return f"{letter},{move.origin}-{move.target}"


def _missing(position: Position, claim: str, points: list[str]) -> Objection:
    """Returns what else to write beside a claim or one point: the choices, if there are any."""
    if position.outcome():
        return Objection("finished")
    there = points[0] if points else ""
    turns = [move for move in position.moves() if move.claim == claim and there in ("", move.origin)]
    if turns and there:
        return Objection("where_to", tuple(move.target for move in turns))
    if turns:
        return Objection("which_move", (turns[0].origin, turns[0].target))
    return position.objection(Move(claim, there, there)) or Objection("nowhere")


@cache
def _claims(language: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Returns the colour of each letter of a language and of each word of any, and the pattern of a turn."""
    spoken = {
        word: colour
        for each in LANGUAGES
        for colour in COLOURS
        for word in phrases_of(__package__, each)["pieces"][KINDS[colour]]["spoken"]
    }
    pieces = phrases_of(__package__, language)["pieces"]
    letters = {pieces[KINDS[colour]]["letter"].casefold(): colour for colour in COLOURS}
    verbs = [verb for each in LANGUAGES for verb in phrases_of(__package__, each)["claiming"]]
    words, initials, verb = (
        "|".join(sorted(said, key=len, reverse=True)) for said in (spoken, letters, verbs)
    )
    claim = rf"(?:(?:{verb}) ?)?(?P<claim>{words}|(?:{initials})(?=[ ,;:+&]*{_POINT}))"
    return spoken | letters, re.compile(rf"{claim}[ ,;:+&]*(?P<way>{_WAY})?|(?P<alone>{_WAY})")
