"""Reads one line: a command if the whole line fits a verb's grammar or is a move, otherwise talk."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources import files

from games.move_numbers import MoveNumber
from pbem.inbox.commands.command import Command, Letters
from pbem.inbox.commands.line import (
    GUARD,
    LONGEST_LINE,
    CommandLine,
    IsMove,
    cells_in,
    is_game,
    names_cell,
    number_of,
    plain,
    typed,
)
from pbem.inbox.commands.match_commands import Accept, Decline, Move
from pbem.inbox.commands.phrases import in_other_words, unwrapped
from pbem.inbox.commands.verbs import VERBS_OF, readers
from pbem.inbox.understanding.normalization import unquoted, without_courtesy, without_last_smileys
from pbem.wording import fold, wording

# Translates lines of older servers: `zertz move 105 alice secret Nd2,a3`.

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


_MARK = re.compile(r"(?:[-*•·–—]\s+|[0-9]{1,2}(?:\.{3}|[.…)])\s*)(?=\S)")
_BOLD = re.compile(r"([*_`]{1,2})(?=[^\s*_`])(.*[^\s*_`])\1")  # bold type in plain text
_VERB = re.compile(r"([^\W\d_]+['’`´]?)(\s?:|[.!](?=$))?(?:\s+(.*)|$)")
_SAID_TO_PEOPLE = (Accept, Decline, Letters)
_LINKIFIED = re.compile(r"\s?<mailto:[^>]*>", re.IGNORECASE)


def read_alone(line: str) -> Command | None:
    """Reads a line when no match is known, so that a move is talk. None when it is talk."""
    return read_line(line, lambda text, number: False)


def read_line(line: str, is_move: IsMove, own: int | None = None) -> Command | None:
    """Reads a line as a command. None when it is talk. `own` is the match of the letter answered."""
    line = line.strip()
    if not line or len(line) > LONGEST_LINE:
        return None
    text = unicodedata.normalize("NFC", _LINKIFIED.sub("", line))
    bold = _BOLD.fullmatch(text)
    text = bold[2] if bold else text
    mark = _MARK.match(text)
    text = text[mark.end() :] if mark else text
    command = (
        _read_today(text, is_move, own, marked=mark is not None)
        or _old_spelling(text, is_move, own)
        or _read_in_other_words(text, is_move, own)
    )
    return replace(command, line=command.line or line) if command else None


def _read_today(text: str, is_move: IsMove, own: int | None, *, marked: bool) -> Command | None:
    match, rest = number_of(text)
    said = _VERB.fullmatch(rest)
    word = fold(said[1]) if said else ""
    if said and word in VERBS_OF:
        line = CommandLine(
            word=word,
            match=match,
            clear=(capitals := said[1].isupper() and len(said[1]) > 1) or ":" in (said[2] or ""),
            capitals=capitals,
            exclaimed=said[2] == "!",
            marked=marked,
            rest=said[3] or "",
            own=own,
            is_move=is_move,
            verbs=VERBS_OF.keys(),
        )
        if command := _command(line):
            return command
    # A move may be nothing but a number, as in Nim.
    if not rest:
        return read_move(text, None, is_move)
    return read_move(rest, match, is_move) or read_decorated_move(rest, match, is_move)


def _read_in_other_words(text: str, is_move: IsMove, own: int | None) -> Command | None:
    # YES, NO and STOP with thanks are said to people.
    for line in unwrapped(text):
        command = _read_today(line, is_move, own, marked=False)
        if command and not isinstance(command, _SAID_TO_PEOPLE):
            return command
    said = (_read_today(line, is_move, own, marked=False) for line in in_other_words(text))
    return next(filter(None, said), None)


def _command(line: CommandLine) -> Command | None:
    for verb in VERBS_OF[line.word]:
        if line.exclaimed and verb.command not in (Accept, Decline):
            continue
        if command := readers()[verb.command](line):
            return command
    return None


def _old_spelling(text: str, is_move: IsMove, own: int | None) -> Command | None:
    for line in modern(text):
        command = _read_today(line, is_move, own, marked=False)
        if command:
            return replace(command, line=line)  # the original may hold a password
    return None


# Moves

_MOVES = wording(f"{__package__}.moves")
_LABEL = re.compile(
    rf"(?:(?:{_MOVES.either('my')}) )?(?:{_MOVES.either('move')})\s?:\s*|"
    rf"(?:{_MOVES.either('announces')})\s?[:,]?\s+",
    re.IGNORECASE,
)
_LOOSELY = re.compile(rf"(?:{_MOVES.either('loosely')})[:,]?\s+", re.IGNORECASE)
_AFTER = re.compile(rf"(?<=[\w)])[\s,.;!-]+(?:{_MOVES.either('after')})\s*[.!]*$", re.IGNORECASE)
_DOUBTS = re.compile(r"(?<!!)\?$|\.\.$")  # "e4?" and "a2..." are doubts; "e4!?" is a move
_MOST_LABELS = 2
_LONGEST_MOVE = 200


def read_move(text: str, match: int | None, is_move: IsMove, *, attempt: bool = False) -> Move | None:
    """Reads a move; with `attempt`, any single word with letters and digits. None when it is neither."""
    written = typed(text).rstrip("!")
    guard = GUARD.search(written)  # its dots are not those of a sentence
    move = written[: guard.start()] if guard else plain(written)
    if not move or len(move) > _LONGEST_MOVE or _DOUBTS.search(move):
        return None
    tried = attempt and re.fullmatch(r"(?=.*[0-9])(?=.*[^\W\d_])\S+", re.sub(r"\s*,\s*", ",", move))
    if not (tried or is_move(move, match)):
        return None
    return Move(move, match, MoveNumber.read(guard[1]) if guard else None)


def read_decorated_move(text: str, match: int | None, is_move: IsMove) -> Move | None:
    """Reads a move in quotation marks or brackets, after "My move:" or "I play", before a smile or thanks."""
    # It has to name a cell: "(3)" counts something, and "pass :)" may be said of the weather.
    written = text.strip()[:_LONGEST_MOVE]
    loosely = _LOOSELY.match(written)
    said = written[loosely.end() :] if loosely else written
    bare = _AFTER.sub("", without_last_smileys(unlabelled(said)).strip())
    if _DOUBTS.search(bare):
        return None
    bare = without_courtesy(without_last_smileys(unquoted(bare.rstrip(".!"))).strip())
    if bare == text.strip() or not names_cell(bare) or (loosely and len(cells_in(bare)) == 1):
        return None
    return read_move(bare, match, is_move)


def unlabelled(text: str) -> str:
    """Removes what announces a move, at most twice: `then I'll play`."""
    for _ in range(_MOST_LABELS):
        announced = _LABEL.match(text)
        text = text[announced.end() :] if announced else text
    return text
