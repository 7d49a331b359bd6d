"""Handlers for help and lists."""

from __future__ import annotations

from collections.abc import Mapping

from games.protocol import UnknownName
from games.registry import find
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.general.grammar import EVERYTHING, GUIDE, ROBOTS, RULES, Games, Help
from pbem.inbox.commands.help import essentials, help_contents, help_on
from pbem.inbox.commands.words import VERBS_OF
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.inbox.unnumbered import only_match
from pbem.players.names import is_robot
from pbem.refusals import Code, Refused
from pbem.wording import fold


def _games(context: CommandContext, games: Games) -> None:
    context.reply({"kind": "games"})


def _help(context: CommandContext, command: Help) -> None:
    # A word may be a verb and a game: the verb is meant.
    topic, language = command.topic, context.player.language
    if fold(topic) in RULES:
        topic = _game_of(context)
    if not topic:
        context.reply({"kind": "help", "essentials": essentials(language)})
    elif fold(topic) in EVERYTHING:
        context.reply({"kind": "help", "contents": help_contents(language)})
    elif fold(topic) in GUIDE:
        context.reply({"kind": "help", "guide": True})
    elif fold(topic) in ROBOTS or is_robot(topic):
        context.reply({"kind": "help", "robots": True})
    elif fold(topic) in VERBS_OF:
        context.reply({"kind": "help", "verb": topic.upper(), "chapters": [help_on(topic, language)]})
    else:
        try:
            context.reply({"kind": "help", "topic": find(topic)[0].key})
        except UnknownName as unknown:
            raise Refused(Code.NO_SUCH_GAME, text=topic, nearest=unknown.nearest) from None


def _game_of(context: CommandContext) -> str:
    """Returns the game of the letter's match, or of the player's only one; else ""."""
    seat = context.token_seat
    match = seat.match if seat else only_match(context.player)
    return match.game.key if match else ""


HANDLERS: Mapping[type[Command], Handler] = {
    Help: _help,
    Games: _games,
}
