"""Help, and the list of matches and games."""

from __future__ import annotations

from games.protocol import UnknownName
from games.registry import find
from pbem.inbox.commands.command import Games, Help
from pbem.inbox.commands.line import CommandLine, game_of
from pbem.inbox.commands.verbs import RULES, VERBS_OF, essentials, help_contents, help_on
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.inbox.unnumbered import only_match
from pbem.players.names import is_robot
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(__name__)
GUIDE = _WORDS.words("guide")
ROBOTS = _WORDS.words("robots")
EVERYTHING = _WORDS.words("everything")  # HELP ALL
_TOPICS = RULES | GUIDE | ROBOTS | EVERYTHING


def _read_help(line: CommandLine) -> Help | None:
    match line.words:
        case []:
            return Help()
        case [topic] if line.clear or fold(topic) in line.verbs or fold(topic) in _TOPICS:
            return Help(topic)
        case words if game := game_of(words):
            return Help(game)
    return None


def _read_games(line: CommandLine) -> Games | None:
    return None if line.rest or line.match is not None else Games()


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


VERBS: Verbs = {
    Help: (_read_help, _help),
    Games: (_read_games, _games),
}
