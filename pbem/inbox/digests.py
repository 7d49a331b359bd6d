"""Answers to digests: finds the match of each line."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from games.move_numbers import MoveNumber
from pbem.inbox.commands.line import GUARD, LONGEST_LINE, IsMove
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.match_commands import If, Move, Next
from pbem.inbox.commands.parser import Understood, understand, until_the_end
from pbem.inbox.understanding.normalization import of_match
from pbem.mail.parsing.reply_text import talk
from pbem.matches.models import Seat
from pbem.outbox.models import OutboundMail
from pbem.refusals import Code

# The boards of a digest

NEVER = MoveNumber(0)  # moves are counted from 1
NO_TURN = 2**31 - 1  # the ply of an undone board; no match reaches it, and it fits the column


@dataclass(frozen=True)
class Shown:
    """A board of the digest. `number` is the prefix of its answer, `ply` the turn shown.

    `current`: the match is still there, and the reply addresses were not `renewed`.
    """

    number: int
    match: int
    ply: int
    current: bool
    renewed: bool = False

    @property
    def guard(self) -> str:
        """The guard that keeps a move off other boards (`#7.`)."""
        return f"#{MoveNumber.of(self.ply) if self.current else NEVER}"

    @property
    def seen(self) -> int:
        """The turn from which lines of IF are read, as after a takeback another board may have its number."""
        return NO_TURN if self.renewed else self.ply


def shown_in(letter: OutboundMail) -> tuple[Shown, ...]:
    """The boards of a digest, in order. Empty for other letters."""
    rows = letter.sections[0].get("shown", ()) if letter.sections else ()
    of_reader = Seat.objects.filter(player=letter.player_id, match__in=[row["match"] for row in rows])
    seats = {seat.match_id: seat for seat in of_reader.select_related("match")} if rows else {}
    return tuple(_shown(seats[row["match"]], row) for row in rows if row["match"] in seats)


def _shown(seat: Seat, row: dict[str, int]) -> Shown:
    renewed = len(seat.revoked_salts) != row["renewed"]
    current = seat.match.ply == row["ply"] and not renewed
    return Shown(row["number"], row["match"], row["ply"], current, renewed)


DIGEST = "digest"  # the kind of the letter
_NUMBERED = re.compile(r"\s*(?:#|\[)?([0-9]{1,9})\]?\s*([:.)]\s*|\s)(.*)")
_MOST_LINES = 200
_LONGEST_LOST = 60  # longer lines are not moves without a number
_MESSAGE = LONGEST_LINE - 40  # leaves room for SAY and the number


@dataclass
class Answer:
    """The lines of an answer as they would be written to `play@`; `unsaid` is text without a reader."""

    lines: list[str] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)
    lost: bool = False  # has a move without a match


def understood(lines: Iterable[str], letter: OutboundMail, is_move: IsMove, language: str) -> Understood:
    """Reads an answer to the digest `letter`. The verdict is L03 when a move names no match."""
    shown = shown_in(letter)
    answer = by_match(lines, shown, is_move, language)
    said = understand(answer.lines, subject=None, language=language, is_move=is_move)
    seen: dict[int | None, int] = {board.match: board.seen for board in shown}
    commands = tuple(
        replace(command, ply=seen.get(command.match)) if isinstance(command, If | Next) else command
        for command in said.commands
    )
    verdict = Code.WHICH_MATCH if answer.lost and not said.commands else said.verdict
    return replace(said, commands=commands, verdict=verdict, unsaid="\n".join(answer.unsaid))


def by_match(lines: Iterable[str], shown: Sequence[Shown], is_move: IsMove, language: str) -> Answer:
    """Puts the match number before each command, and turns the text below into messages.

    `1: Nd2,a3` becomes `105 Nd2,a3#7.`, and text below it `SAY 105: ...`. A single board needs no number.
    """
    answer, numbered = Answer(), {board.number: board for board in shown} | {b.match: b for b in shown}
    about = shown[0] if len(shown) == 1 else None
    said: list[str] = []
    for line in islice(until_the_end(lines, language), _MOST_LINES):
        begun, rest = _begins(line, numbered, is_move)
        if begun is not None and begun is not about:
            _say(answer, about, said)
            about, said = begun, []
        if command := _command(rest, about, is_move):
            answer.lines.append(command)
        else:
            said.append(rest)
            answer.lost |= about is None and _is_move_somewhere(rest.strip(), shown, is_move)
    _say(answer, about, said)
    return answer


def _begins(line: str, numbered: dict[int, Shown], is_move: IsMove) -> tuple[Shown | None, str]:
    """The board that the line turns to, and the rest of the line. Without a colon only a command turns."""
    found = _NUMBERED.fullmatch(of_match(line))
    board = numbered.get(int(found[1])) if found else None
    if found is None or board is None:
        return None, line
    if found[2].strip() == ":" or _command(found[3], board, is_move):
        return board, found[3]
    return None, line


def _command(text: str, board: Shown | None, is_move: IsMove) -> str | None:
    """The line as it would be written to `play@`. None when it is no command."""
    if board is not None:
        line = f"{board.match} {text.strip()}"
        command = read_line(line, is_move, board.match)
        if isinstance(command, Move) and command.match == board.match:
            return line if command.number is not None and board.current else GUARD.sub("", line) + board.guard
        if hasattr(command, "match"):
            return line
    return text if read_line(text, is_move, board.match if board else 0) else None


def _is_move_somewhere(text: str, shown: Sequence[Shown], is_move: IsMove) -> bool:
    return 0 < len(text) <= _LONGEST_LOST and any(is_move(text, board.match) for board in shown)


def _say(answer: Answer, board: Shown | None, said: Sequence[str]) -> None:
    """Sends the text below a number to that opponent."""
    text = talk(said)
    if board is None:
        answer.unsaid.extend(text)
    else:
        answer.lines.extend(f"SAY {board.match}: {piece}" for piece in _pieces(text))


def _pieces(text: Sequence[str]) -> list[str]:
    """Splits the text into messages that fit into a line."""
    return textwrap.wrap(" ".join(" ".join(text).split()), _MESSAGE)
