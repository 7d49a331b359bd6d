"""What is proposed to somebody who signs up, names a game and nobody to play it with: a match that begins at once."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.inbox import at_once, commands
from pbem.inbox.commands import Command
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.account.grammar import Register
from pbem.inbox.commands.phrases import called
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import Confirmation
from pbem.inbox.sketched_wish import game_in, wish_in
from pbem.players.models import Player
from pbem.wording import wording

_WORDS = wording(commands.__package__)


def proposed(reading: Reading, language: str, *, signs_up: bool, said: Sequence[str] = ()) -> str:
    """The line that a YES does: they move first against a robot, or, where there is none, offer the match to anybody.

    "" where no game is named, somebody to play with is, no robot is wanted, or a line of theirs says what is to be
    done. Who has not asked to sign up is told how to begin, which says nothing of a YES where there are no robots.
    """
    if not (signs_up or Player.objects.robots().exists()):
        return ""
    game = wish_in(reading.letter.lines, reading.sender, subject=reading.glance.subject).game
    wants_other = newcomers.denies(reading.letter.lines) or at_once.names_opponent(reading, language)
    return "" if said or not game or wants_other else line_for(game, language)


def line_for(game: str, language: str) -> str:
    robot = Player.objects.robots().first()
    if robot is None:
        return f"{called('OFFER', language)} {game}"
    first = _WORDS.of(language, "side_options", "first")
    return f"{called('CHALLENGE', language)} {robot.name} {game} {first}"


def kept(asked: Confirmation, reading: Reading) -> list[str]:
    """What of the proposal their answer leaves: another game, or nothing where it says itself whom they play with."""
    lines = reading.letter.lines
    if is_denied(asked, reading):
        return []
    named = game_in(lines)
    wish = wish_in(lines, reading.sender)
    own: tuple[type[Command], ...] = at_once.OF_PLAYING if asked.name else (Register, *at_once.OF_PLAYING)
    if any(isinstance(command, own) for command in reading.understood.commands):
        return []
    if wish.friend or wish.anybody or (named and at_once.names_opponent(reading, asked.language)):
        return []
    return [line_for(named, asked.language)] if named else asked.lines[1:]


def is_denied(asked: Confirmation, reading: Reading) -> bool:
    """Whether the answer wants none of the matches that we asked about beside the name: `yes, but no robot`."""
    named = {word for line in asked.lines[1:] for word in line.split()[1:]}
    return bool(named) and newcomers.denies(reading.letter.lines, *named)
