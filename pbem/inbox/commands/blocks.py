"""Limits on matches, refusals and blocks."""

from __future__ import annotations

import re
from collections.abc import Callable

from pbem.inbox.commands.command import Allow, Block, Command, Limit, Limits, Refuse
from pbem.inbox.commands.line import CommandLine, game_of, key_of
from pbem.inbox.commands.matchmaking import DECLINES_PEOPLE, player_called
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.players import blocks
from pbem.players.models import Player
from pbem.wording import fold, wording

_NUMBER = re.compile(rf"[0-9]{{1,3}}|{wording(__name__).either('none')}")  # LIMIT zertz 3, LIMIT zertz NONE
_NAME = re.compile(r"[^\W\d_][\w.'-]{1,23}")


def _read_limits(line: CommandLine) -> Limits | None:
    return None if line.rest or line.match is not None else Limits()


def _read_limit(line: CommandLine) -> Limit | None:
    match line.words:
        case [most] if line.match is None and _NUMBER.fullmatch(fold(most)):
            return Limit("", _number(most))
        case [*words, most] if (
            line.match is None and (game := game_of(words)) and _NUMBER.fullmatch(fold(most))
        ):
            return Limit(key_of(game), _number(most))
    return None


def _number(word: str) -> int | None:
    return int(word) if word.isdecimal() else None


def _read_refuse(line: CommandLine) -> Refuse | None:
    if not _is_about_somebody(line):
        return None
    match line.words:
        case [who] if _NAME.fullmatch(who):
            return Refuse(who)
        case [who, *words] if _NAME.fullmatch(who) and (game := game_of(words)):
            return Refuse(who, key_of(game))
    return None


def _whom(kind: Callable[[str], Command]) -> Callable[[CommandLine], Command | None]:
    def read(line: CommandLine) -> Command | None:
        match line.words:
            case [who] if _is_about_somebody(line) and _NAME.fullmatch(who):
                return kind(who)
        return None

    return read


def _is_about_somebody(line: CommandLine) -> bool:
    # "Allow me" is talk, "Allow Carla" is not; but in a reply it may be, and RIFIUTO declines there what it
    # answers.
    if line.match is not None or (line.word in DECLINES_PEOPLE and line.own is not None):
        return False
    return line.clear or (line.own is None and line.rest[:1].isupper())


def _limits(context: CommandContext, limits: Limits) -> None:
    context.reply({"kind": "limits"})


def _limit(context: CommandContext, limit: Limit) -> None:
    blocks.limit(context.player, limit.game, limit.most)
    context.reply({"kind": "limits"})


def _refuse(context: CommandContext, refuse: Refuse) -> None:
    blocks.refuse(
        context.player,
        player_called(context, refuse.who, known=Player.objects.all()),
        game=refuse.game,
        now=context.now,
    )
    context.reply({"kind": "limits"})


def _block(context: CommandContext, block: Block) -> None:
    blocks.refuse(
        context.player,
        player_called(context, block.who, known=Player.objects.all()),
        blocked=True,
        now=context.now,
    )
    context.reply({"kind": "limits"})


def _allow(context: CommandContext, allow: Allow) -> None:
    blocks.allow(context.player, player_called(context, allow.who, known=Player.objects.all()))
    context.reply({"kind": "limits"})


VERBS: Verbs = {
    Limit: (_read_limit, _limit),
    Limits: (_read_limits, _limits),
    Refuse: (_read_refuse, _refuse),
    Block: (_whom(Block), _block),
    Allow: (_whom(Allow), _allow),
}
