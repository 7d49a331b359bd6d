"""Matches opponents: proposes open offers, robots and friends to a player who looks for a game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox.commands import newcomers
from pbem.inbox.commands.command import Command, Help, Players
from pbem.inbox.commands.line import game_of, key_of
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Challenge, Join, Offer, Open
from pbem.inbox.commands.parser import Understood
from pbem.inbox.commands.phrases import called
from pbem.inbox.commands.sketches import TAKES_OFFER, robot_in
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.recipient import LetterRecipient, Recipient, seat_of
from pbem.inbox.sketched_wish import OF_PLAYING, friend_in, game_in, is_clear
from pbem.mail.authentication.policy import Decision
from pbem.matches.matchmaking.seeks import open_to
from pbem.matches.models import Invitation, Match, Seek
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player
from pbem.ratings.leaderboards import rating_at
from pbem.refusals import Code
from pbem.wording import fold

_WORD = re.compile(r"[^\W_][\w.-]*")
_MOST_WORDS, _MOST_LINES = 14, 6
_VAGUE = (Offer, Open, Players, Help, Join)  # vague readings when no player is named


def named(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage:
    """Adds JOIN for the open offer of a player that the text names, as in `I'd like to join Lucy's game`."""
    said = reading.understood
    written = {reading.summary.subject.strip(), *map(str.strip, reading.letter.lines)}
    vague = all(isinstance(each, _VAGUE) and each.line not in written for each in said.commands)
    if context.token_seat or not vague or not all(isinstance(each, _VAGUE) for each in said.asks):
        return reading
    lines = [line for line in reading.letter.lines if line.strip()]
    taking = [line for line in lines[:_MOST_LINES] if _takes(line)]
    offered = _offers(context) if taking else []
    words = {fold(word) for line in taking for word in _words(line)}
    found = [seek for seek in offered if seek.player.folded in words]
    if len(found) != 1:
        return reading
    join = _join(found[0], context)
    beside = "\n".join(line for line in reading.letter.lines if line not in taking).strip()
    return replace(reading, understood=Understood(asks=(join,), beside=beside, verdict=Code.NO_MOVE_FOUND))


def instead(context: CommandContext, asks: Sequence[Command]) -> Sequence[Command]:
    """Replaces OFFER, or a challenge to its player, by JOIN of the open offer."""
    wish = asks[0] if len(asks) == 1 else None
    if not isinstance(wish, (Offer, Challenge)):
        return asks
    theirs = _offers(context, _key(wish))
    if isinstance(wish, Challenge):
        theirs = [seek for seek in theirs if seek.player.folded == fold(wish.who) and not wish.options]
    return (_join(theirs[0], context),) if theirs else asks


def waits_already(context: CommandContext, asks: Sequence[Command]) -> str:
    """The game of the only OFFER, when the player's same offer is open and no other is. Empty otherwise."""
    wish = asks[0] if len(asks) == 1 else None
    if not isinstance(wish, Offer) or instead(context, asks) != asks:
        return ""
    own = (seek.game.key for seek in context.player.seeks.standing(context.now))
    return _key(wish) if _key(wish) in own else ""


def _key(wish: Offer | Challenge) -> str:
    game = game_of([wish.game.partition(":")[0]])
    return key_of(game) if game else ""


def _offers(context: CommandContext, key: str = "") -> list[Seek]:
    """The open offers that the player can take, the oldest first."""
    now = context.now
    found = open_to(context.player, game=key, now=now, rating=rating_at(now))
    others = [each for each in found if each.player != context.player]
    return [each for each in reversed(others) if not each.running().of(context.player).exists()]


def _join(seek: Seek, context: CommandContext) -> Join:
    return Join(seek.pk, line=f"{called('JOIN', context.player.language)} {seek.pk}")


def _takes(line: str) -> bool:
    words = _words(line)
    return len(words) <= _MOST_WORDS and bool(TAKES_OFFER.intersection(map(fold, words)))


def _words(line: str) -> list[str]:
    """Splits the line into words without possessive or contracted endings."""
    return [word.strip(".-") for word in _WORD.findall(re.sub(r"['’](?:s|ll|d)\b", " ", line))]


# Opponents named in sentences: a robot or a friend

_LONGEST = 24  # words of a request for another match


def meant(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage:
    """Adds the match against a robot or a friend that several sentences ask for together."""
    said, lines = reading.understood, reading.letter.lines
    if said.commands or reading.decision is Decision.HOLD:
        return reading
    begins = any(isinstance(ask, OF_PLAYING) for ask in said.asks)
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


def _is_clear(context: CommandContext, reading: InterpretedMessage, challenge: Challenge) -> bool:
    """Whether the challenge of a robot is plain, alone, and its sender certain."""
    sure = reading.vouched and reading.decision is Decision.APPLY
    robot = Player.objects.robots().filter(folded=challenge.who.casefold()).exists()
    asks = any("?" in line for line in reading.letter.lines)
    alone = not reading.understood.beside or talk.is_courtesy(context, reading.understood.beside)
    return sure and robot and not asks and alone and is_clear(challenge, reading)


def _another(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage:
    """Reads a request for another match after one with a robot."""
    seat = context.token_seat
    assert seat
    robot, lines = seat.opponent.player, reading.letter.lines
    ended = seat.match.ended_at is not None and robot.robot is not None
    game = game_in(lines) if ended and len(" ".join(lines).split()) <= _LONGEST else ""
    if not game or newcomers.declines(lines):
        return reading
    return _asking(reading, _against(robot.name, game, context.player.language))


def _game_of(recipient: Recipient | None) -> str:
    """The game of the declined match, or of the list, that the letter answers. Empty for other letters."""
    if isinstance(recipient, LetterRecipient):
        return next(filter(None, map(_game_in, recipient.answered.sections)), "")
    seat = seat_of(recipient)
    return seat.match.game_name if seat and seat.match.status == Match.Status.DECLINED else ""


def _game_in(section: Section) -> str:
    """The game of one section. Empty when it has none."""
    if section["kind"] == "uninvited":
        invitation = Invitation.objects.filter(pk=section["invitation"]).first()
        return invitation.game_name if invitation else ""
    if section["kind"] == "open" and section.get("made"):
        seek = Seek.objects.filter(pk=section["made"]).first()
        return seek.game_name if seek else ""
    return str(section.get("game") or "") if section["kind"] in ("players", "open", "game") else ""


def _robot_instead(context: CommandContext, reading: InterpretedMessage, game: str) -> InterpretedMessage:
    """Adds a match against a robot, as in `What a pity. A robot then`, by default at that game."""
    lines = reading.letter.lines
    brief = len(" ".join(lines).split()) <= _LONGEST
    if not brief or newcomers.declines(lines) or newcomers.denies(lines):
        return _somebody_instead(context, reading, game) if brief else reading
    if not any(map(newcomers.names_machine, lines)):
        return _somebody_instead(context, reading, game)
    command = _against(robot_in(" ".join(lines)), game_in(lines) or game, context.player.language)
    return _asking(reading, command)


def _somebody_instead(context: CommandContext, reading: InterpretedMessage, game: str) -> InterpretedMessage:
    """Adds an open offer when the letter asks for a person in place of a robot."""
    lines = reading.letter.lines
    people = any(map(newcomers.names_anybody, lines))
    unrobotic = newcomers.denies(lines) and any(map(newcomers.speaks_of_play, lines))
    if newcomers.declines(lines) or not (people or unrobotic):
        return reading
    command = read_alone(f"{called('OFFER', context.player.language)} {game_in(lines) or game}")
    return _asking(reading, command)


def _against(who: str, game: str, language: str) -> Command | None:
    return read_alone(f"{called('CHALLENGE', language)} {who} {game}")


def _asking(reading: InterpretedMessage, command: Command | None, beside: str = "") -> InterpretedMessage:
    if command is None:
        return reading
    return replace(reading, understood=Understood(asks=(command,), beside=beside, verdict=Code.NO_MOVE_FOUND))
