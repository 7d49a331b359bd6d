"""Translates lines of older servers: `zertz move 105 alice secret Nd2,a3`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files

from pbem.inbox.commands.line import is_game, plain

_SYNTAX = tomllib.loads(files(__package__).joinpath("legacy_syntax.toml").read_text("utf-8"))
VERBS: Mapping[str, str] = _SYNTAX["verbs"]
MOVES: Mapping[str, str] = {word: VERBS[word] for word in _SYNTAX["moves"]}
LISTS: Mapping[str, str] = _SYNTAX["lists"]
CHALLENGE, WHICH = frozenset(_SYNTAX["challenge"]), frozenset(_SYNTAX["which"])
_BOARD = re.compile(r"#?([0-9]{1,9})(#[0-9]{1,4}\.{0,3})?")


def modern(text: str) -> Iterator[str]:
    """Yields what the line may mean, the likeliest first. Empty when no older server has such lines."""
    words = plain(text).split()
    if len(words) == 2 and words[0].lower() == "propose" and _BOARD.fullmatch(words[1]):
        yield f"DRAW {words[1]}"
    if len(words) < 2 or not is_game(words[0]):
        return
    game, verb, *rest = words
    verb = verb.lower()
    if verb == "help" and not rest:
        yield f"HELP {game}"
    elif verb in LISTS and (not rest or rest[-1].lower() in WHICH):
        yield LISTS[verb].format(game=game)
    elif verb in CHALLENGE and rest:
        who, *wishes = text.split(maxsplit=3)[2:]
        yield " ".join(("CHALLENGE", who, game, *wishes))
    elif verb in VERBS and rest and (board := _BOARD.fullmatch(rest[0])):
        yield from _about(VERBS[verb], board, rest[1:])


def _about(verb: str, board: re.Match[str], rest: list[str]) -> Iterator[str]:
    # Older servers want a name and a password in every line: try the text as it is, then without them.
    number = f"{board[1]} {board[2]}" if board[2] else board[1]
    for said in (rest, rest[2:]) if len(rest) > 1 else (rest,):
        if verb == "MOVE" and len(said) == 1 and said[0].lower() in MOVES:
            yield f"{MOVES[said[0].lower()]} {number}"
        elif said and verb in ("MOVE", "NEXT", "TRY"):
            apart = verb == "TRY" and not any(word.endswith((",", ";")) for word in said)
            yield f"{verb} {number} {('; ' if apart else ' ').join(said)}"
    if verb == "SAY":
        yield f"SAY {board[1]}:"
    elif verb not in ("MOVE", "NEXT", "TRY") and len(rest) in (0, 2):
        yield f"{verb} {number}"
