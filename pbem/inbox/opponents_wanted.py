"""Against whom somebody wants to play, as their sentences say it together: a robot (`Robot then. Emergo please. Not too
strong`), or the friend whose address stands below; and what is clear enough of it to be done at once."""

from __future__ import annotations

from dataclasses import replace

from pbem.inbox import at_once
from pbem.inbox.commands import Command, Understood
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.offers.grammar import Offer
from pbem.inbox.commands.phrases import called
from pbem.inbox.commands.sketches import robot_in
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.recipient import LetterRecipient, Recipient, seat_of
from pbem.inbox.sketched_wish import friend_in, game_in
from pbem.mail.authentication.policy import Decision
from pbem.matches.models import Invitation, Match, Seek
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player
from pbem.refusals import Code

_LONGEST = 24  # words in which another match is asked for


def meant(context: CommandContext, reading: Reading) -> Reading:
    """The same with the match against a robot or a friend that its sentences ask for together."""
    said, lines = reading.understood, reading.letter.lines
    if said.commands or reading.decision is Decision.HOLD:
        return reading
    begins = any(isinstance(ask, at_once.OF_PLAYING) for ask in said.asks)
    if not begins and (game := _game_of(context.recipient)):
        return _robot_instead(context, reading, game)
    if context.token_seat:
        return _another(context, reading)
    if len(said.asks) != 1:
        return reading
    [ask] = said.asks
    if isinstance(ask, Offer) and (friend := friend_in(lines, reading.sender)):
        beside = "\n".join(line for line in said.beside.split("\n") if friend not in line.lower())
        return _asking(reading, _against(friend, ask.game, context.player.language), beside.strip())
    if isinstance(ask, Offer) and not ask.options and any(map(newcomers.names_machine, lines)):
        command = _against(robot_in(" ".join(lines)), ask.game, context.player.language)
        return _asking(reading, command)
    if isinstance(ask, Challenge) and _is_clear(context, reading, ask):
        return replace(reading, understood=Understood((ask,)))
    return reading


def _is_clear(context: CommandContext, reading: Reading, challenge: Challenge) -> bool:
    """Whether it names a robot as people name what they want, says nothing else, and its player is sure to ask."""
    sure = reading.vouched and reading.decision is Decision.APPLY
    robot = Player.objects.robots().filter(folded=challenge.who.casefold()).exists()
    asks = any("?" in line for line in reading.letter.lines)
    alone = not reading.understood.beside or talk.is_courtesy(context, reading.understood.beside)
    return sure and robot and not asks and alone and at_once.is_clear(challenge, reading)


def _another(context: CommandContext, reading: Reading) -> Reading:
    """`Can I have another one, lines of action this time?` after a match with a robot, which reads nothing."""
    seat = context.token_seat
    assert seat
    robot, lines = seat.opponent.player, reading.letter.lines
    ended = seat.match.ended_at is not None and robot.robot is not None
    game = game_in(lines) if ended and len(" ".join(lines).split()) <= _LONGEST else ""
    if not game or newcomers.declines(lines):
        return reading
    return _asking(reading, _against(robot.name, game, context.player.language))


def _game_of(recipient: Recipient | None) -> str:
    """Of the match to which the letter answered says no, or of the players or offers that it lists; "" for another."""
    if isinstance(recipient, LetterRecipient):
        return next(filter(None, map(_game_in, recipient.answered.sections)), "")
    seat = seat_of(recipient)
    return seat.match.game_name if seat and seat.match.status == Match.Status.DECLINED else ""


def _game_in(section: Section) -> str:
    """Of one section of it."""
    if section["kind"] == "uninvited":
        invitation = Invitation.objects.filter(pk=section["invitation"]).first()
        return invitation.game_name if invitation else ""
    if section["kind"] == "open" and section.get("made"):
        seek = Seek.objects.filter(pk=section["made"]).first()
        return seek.game_name if seek else ""
    return str(section.get("game") or "") if section["kind"] in ("players", "open", "game") else ""


def _robot_instead(context: CommandContext, reading: Reading, game: str) -> Reading:
    """`What a pity. A robot then`: at the game of that letter, unless it names another."""
    lines = reading.letter.lines
    brief = len(" ".join(lines).split()) <= _LONGEST
    if not brief or newcomers.declines(lines) or newcomers.denies(lines):
        return _somebody_instead(context, reading, game) if brief else reading
    if not any(map(newcomers.names_machine, lines)):
        return _somebody_instead(context, reading, game)
    command = _against(robot_in(" ".join(lines)), game_in(lines) or game, context.player.language)
    return _asking(reading, command)


def _somebody_instead(context: CommandContext, reading: Reading, game: str) -> Reading:
    """`I'd rather not play a robot. Is there anybody who would play this with me?`"""
    lines = reading.letter.lines
    people = any(map(newcomers.names_anybody, lines))
    unrobotic = newcomers.denies(lines) and any(map(newcomers.speaks_of_play, lines))
    if newcomers.declines(lines) or not (people or unrobotic):
        return reading
    command = read_alone(f"{called('OFFER', context.player.language)} {game_in(lines) or game}")
    return _asking(reading, command)


def _against(who: str, game: str, language: str) -> Command | None:
    return read_alone(f"{called('CHALLENGE', language)} {who} {game}")


def _asking(reading: Reading, command: Command | None, beside: str = "") -> Reading:
    if command is None:
        return reading
    return replace(reading, understood=Understood(asks=(command,), beside=beside, verdict=Code.NO_MOVE_FOUND))
