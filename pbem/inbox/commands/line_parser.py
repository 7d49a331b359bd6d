"""Reads one line: a command if the whole line fits a verb's grammar or is a move, otherwise talk."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.legacy_syntax import modern
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.line import LONGEST_LINE, CommandLine, IsMove, number_of
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.paraphrases import in_other_words, unwrapped
from pbem.inbox.commands.playing.grammar import read_decorated_move, read_move
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold

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
    command = _read(text, is_move, own, marked=mark is not None)
    return replace(command, line=command.line or line) if command else None


def _read(text: str, is_move: IsMove, own: int | None, *, marked: bool) -> Command | None:
    today = _read_today(text, is_move, own, marked=marked)
    return today or _old_spelling(text, is_move, own) or _read_in_other_words(text, is_move, own)


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
        if command := verb.read(line):
            return command
    return None


def _old_spelling(text: str, is_move: IsMove, own: int | None) -> Command | None:
    for line in modern(text):
        command = _read_today(line, is_move, own, marked=False)
        if command:
            return replace(command, line=line)  # the original may hold a password
    return None
