"""Words to a robot, which reads none: a question brings the rules in short, and who writes anything else hears that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox.commands import Command, Understood
from pbem.inbox.commands.harmless import HARMLESS
from pbem.inbox.commands.near_misses import near_misses
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import handle_all
from pbem.inbox.interpretation import Reading
from pbem.mail.authentication.policy import Decision
from pbem.refusals import Code


def asked_of_us(context: CommandContext, reading: Reading) -> Reading:
    """What only reads is done without a question: nobody else can have been asked."""
    said, seat = reading.understood, context.token_seat
    of_robot = seat is not None and seat.opponent.player.robot is not None
    only_reads = bool(said.asks) and all(isinstance(ask, HARMLESS) for ask in said.asks)
    if not of_robot or said.commands or not only_reads:
        return reading
    return replace(reading, understood=Understood(said.asks, said.beside))


def words(context: CommandContext, reading: Reading) -> str:
    """Those to the robot whose match the letter answers; "" where they may be a command or a move."""
    said, seat = reading.understood, context.token_seat
    if seat is None or seat.opponent.player.robot is None or reading.decision is Decision.HOLD:
        return ""
    if said.commands or said.asks:
        return said.chat if said.commands else said.beside
    mistyped = bool(said.suggestions) and "?" not in said.chat
    unclear = mistyped or any(map(str.isdigit, said.chat))
    return said.chat if said.verdict == Code.NO_MOVE_FOUND and not unclear else ""


def is_answered(reading: Reading) -> bool:
    """Whether what was asked below a move has its own answer, or a question of ours."""
    said = reading.understood
    return any(isinstance(each, (*HARMLESS, Set)) for each in (*said.commands, *said.asks))


def without(reading: Reading) -> Reading:
    return replace(reading, understood=replace(reading.understood, chat="", beside=""))


def answer(context: CommandContext, said: str, *, alone: bool) -> None:
    """In the letter that tells what else was done; a few words `alone` are more than a signature."""
    hardly_meant = talk.is_missed_by_nobody if alone else talk.is_hardly_meant
    seat = context.token_seat
    if seat and "?" in said:
        if asked := _only_reads(said, seat.match_id) or _only_reads(said, None):
            handle_all(context, asked, chat="")
        else:
            context.reply({"kind": "game", "game": seat.match.game.key, "played": True})
    elif not hardly_meant(context, said):
        context.reply({"kind": "unsaid", "text": said, "why": "robot"})


def _only_reads(said: str, match: int | None) -> Sequence[Command]:
    """`how long have I got?`, or as in a new email `who else plays this?`: what answers it, if that is another thing
    than the rules."""
    lines = said.split("\n")
    near = near_misses(lines, is_move=lambda text, number: False, own=match, legal=None)
    return near.asks if near.asks and all(isinstance(ask, HARMLESS) for ask in near.asks) else ()
