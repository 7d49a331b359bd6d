"""One line: a command if the whole line fits a verb's grammar or is a move, otherwise talk."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.families.matchmaking import Accept, Challenge, Decline
from pbem.inbox.commands.families.playing import Move, Resign, read_move
from pbem.inbox.commands.families.views import Show
from pbem.inbox.commands.spoken import IsMove, Spoken, fold, is_game, number_of, plain
from pbem.inbox.commands.words import VERBS_OF

LONGEST_LINE = 400
_MARK = re.compile(r"(?:[-*•·–—]\s+|[0-9]{1,2}[.)]\s*)(?=\S)")
_VERB = re.compile(r"([^\W\d_]+['’`´]?)(\s?:|[.!](?=$))?(?:\s+(.*)|$)")
_LINKIFIED = re.compile(r"\s?<mailto:[^>]*>", re.IGNORECASE)


def read_line(line: str, is_move: IsMove, own: int | None = None) -> Command | None:
    """The command that `line` is, None if it is talk. `own` is the match of the letter answered."""
    line = line.strip()
    if not line or len(line) > LONGEST_LINE:
        return None
    text = unicodedata.normalize("NFC", _LINKIFIED.sub("", line))
    mark = _MARK.match(text)
    text = text[mark.end() :] if mark else text
    command = _read(text, is_move, own, marked=mark is not None)
    return replace(command, line=line) if command else None


def _read(text: str, is_move: IsMove, own: int | None, *, marked: bool) -> Command | None:
    match, rest = number_of(text)
    said = _VERB.fullmatch(rest)
    word = fold(said[1]) if said else ""
    if said and word in VERBS_OF:
        spoken = Spoken(
            word=word,
            match=match,
            clear=(said[1].isupper() and len(said[1]) > 1) or ":" in (said[2] or ""),
            exclaimed=said[2] == "!",
            marked=marked,
            rest=said[3] or "",
            own=own,
            is_move=is_move,
            verbs=VERBS_OF.keys(),
        )
        if command := _speak(spoken):
            return command
    # A move may be nothing but a number, as in Nim.
    return _old_spelling(rest, is_move, own) or (
        read_move(rest, match, is_move) if rest else read_move(text, None, is_move)
    )


def _speak(said: Spoken) -> Command | None:
    """What the first verb makes of it that is said with this word."""
    for verb in VERBS_OF[said.word]:
        if said.exclaimed and verb.command not in (Accept, Decline):
            continue
        if command := verb.read(said):
            return command
    return None


def _old_spelling(text: str, is_move: IsMove, own: int | None) -> Command | None:
    """`zertz challenge alice` and `zertz move 105 Nd2,a3`, as older servers had it."""
    game, _, rest = text.partition(" ")
    words = plain(rest).split()
    if len(words) < 2 or not is_game(game):
        return None
    commands = {verb.command for verb in VERBS_OF.get(fold(words[0]), ())}
    if Challenge in commands:
        verb, who, *wishes = rest.split(maxsplit=2)
        return _read(" ".join((verb, who, game, *wishes)), is_move, own, marked=False)
    if commands & {Move, Show, Resign} and words[1][0].isdecimal():
        return _read(rest.strip(), is_move, own, marked=False)
    return None
