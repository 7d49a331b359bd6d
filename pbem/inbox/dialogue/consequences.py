"""Describes what a YES to a question does, in a sentence for each command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games.protocol import UnknownName
from games.registry import find
from pbem.inbox.commands.command import (
    Command,
    Games,
    Help,
    Letters,
    Players,
    Preferences,
    Rating,
    Ratings,
    Set,
    Start,
    Stop,
)
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import (
    Accept,
    Away,
    Back,
    Challenge,
    Clock,
    Decline,
    Describe,
    Draw,
    Give,
    History,
    Join,
    Move,
    Offer,
    Open,
    Pause,
    RecordOf,
    Rematch,
    Resign,
    Show,
    Status,
    Swap,
    Undo,
    Watch,
)
from pbem.inbox.commands.newcomers import names_machine
from pbem.inbox.commands.topics import TOPIC_OF
from pbem.inbox.commands.verbs import VERBS_OF
from pbem.inbox.models import Confirmation
from pbem.matches import offers
from pbem.matches.matchmaking.match_request import read_wish
from pbem.matches.models import Match
from pbem.matches.models import Offer as Asked
from pbem.outbox.rendering.durations import clock_in_words
from pbem.players.models import Player
from pbem.refusals import Refused
from pbem.wording import fold

_INVITES = _("YES invites %(who)s to a match of %(game)s.")
_BEGINS = _("YES begins a match of %(game)s against %(who)s.")
_RULES = _("YES sends you the rules of %(game)s.")
_ACCEPTS = {
    offers.CHALLENGE: _("YES accepts %(name)s's challenge, and the match begins."),
    offers.DRAW: _("YES accepts the draw that %(name)s offers: the match is drawn."),
    Asked.Kind.UNDO: _("YES lets %(name)s take the move back."),
    Asked.Kind.PAUSE: _("YES agrees to the pause that %(name)s asks for."),
}
_DECLINES = {
    offers.CHALLENGE: _("YES declines %(name)s's challenge."),
    offers.DRAW: _("YES declines the draw that %(name)s offers, and the match goes on."),
    Asked.Kind.UNDO: _("YES refuses %(name)s the takeback."),
    Asked.Kind.PAUSE: _("YES declines the pause that %(name)s asks for."),
}
_OF_A_MATCH = {
    Move: _("YES plays the move in match %(match)s."),
    Draw: _("YES offers %(name)s a draw in match %(match)s."),
    Resign: _("YES resigns match %(match)s, and %(name)s wins."),
    Undo: _("YES asks %(name)s whether your last move in match %(match)s may be taken back."),
    Rematch: _("YES asks %(name)s for a rematch after match %(match)s."),
    Swap: _("YES takes over the first move of match %(match)s and swaps sides."),
    Pause: _("YES asks %(name)s for a pause in match %(match)s."),
    Give: _("YES gives %(name)s this much more time in match %(match)s."),
}
_OF_ITSELF = {
    Away: _("YES announces that you are away: your clocks stop."),
    Back: _("YES ends your absence, and your clocks run again."),
    Challenge: _("YES challenges %(who)s to a match of %(game)s."),
    Clock: _("YES sends you the time left."),
    Describe: _("YES sends you the board in words."),
    Games: _("YES sends you the list of your matches and of the games played here."),
    Help: _("YES sends you the help on this."),
    History: _("YES sends you the moves of the match."),
    Join: _("YES takes this offer, and the match begins."),
    Letters: _("YES sends you the list of the letters that you get."),
    Offer: _("YES offers a match of %(game)s to everybody."),
    Open: _("YES sends you the open offers."),
    Players: _("YES sends you the list of the players."),
    Preferences: _("YES sends you your settings."),
    Rating: _("YES sends you the ratings of one player."),
    Ratings: _("YES sends you the list of the ratings."),
    RecordOf: _("YES sends you the record of the match."),
    Set: _("YES changes this setting of yours."),
    Show: _("YES sends you the board of the match."),
    Start: _("YES sends you these letters again."),
    Status: _("YES tells you whose turn it is."),
    Stop: _("YES stops these letters to you."),
    Watch: _("YES sends you the board of match %(number)s after each move."),
}
_IN_GENERAL = _("What YES does: %(brief)s")
_OF_AN_ADDRESS = "@"


def done_by_yes(asked: Confirmation, lines: Sequence[str]) -> list[str]:
    """The sentences for these lines, each once. Empty for a move alone, which is shown on its board."""
    read = [read_alone(line) for line in lines]
    if asked.player is None or not any(read):
        return []
    commands = [each or Move(line) for each, line in zip(read, lines, strict=True) if each or asked.has_move]
    with translation.override(asked.language):
        about = [(each, _about(each, asked.player) or asked.match) for each in commands]
        said = [_told(each, match, asked.player, asked.language) for each, match in about]
    return list(dict.fromkeys(filter(None, said)))


def _about(command: Command, player: Player) -> Match | None:
    number = getattr(command, "match", None)
    return Match.objects.of(player).filter(pk=number).first() if number else None


def _told(command: Command, match: Match | None, player: Player, language: str) -> str:
    sentence = _of_answer(command, match, player) or _sentence(command, match, language)
    said = str(sentence or _IN_GENERAL) % _facts(command, match, player, language)
    return " ".join(filter(None, (said, _clock(command), _setting(command, language))))


def _clock(command: Command) -> str:
    """The clock of a match to begin, in sentences. Empty when its terms are refused."""
    if not isinstance(command, (Challenge, Offer)):
        return ""
    try:
        return clock_in_words(read_wish(command.game, command.options).terms)
    except Refused:
        return ""


def _setting(command: Command, language: str) -> str:
    """The purpose of the setting that SET changes, as in HELP SET."""
    topic = TOPIC_OF.get(fold(command.word)) if isinstance(command, Set) else None
    return f"{topic.name(language)}: {topic.does(language)}" if topic else ""


def _of_answer(command: Command, match: Match | None, player: Player) -> Any:
    """The sentence for an answer to the opponent's offer. None when there is none."""
    seat = next((seat for seat in match.seated if seat.player == player), None) if match else None
    asked = offers.asked_in(seat) if seat and isinstance(command, (Accept, Decline)) else None
    return (_ACCEPTS if isinstance(command, Accept) else _DECLINES).get(asked.what) if asked else None


def _sentence(command: Command, match: Match | None, language: str) -> Any:
    if isinstance(command, Challenge):
        if names_machine(command.who):
            return _BEGINS
        return _INVITES if _OF_AN_ADDRESS in command.who else _OF_ITSELF[Challenge]
    if isinstance(command, Help) and _game(command.topic, language):
        return _RULES
    return _OF_ITSELF.get(type(command)) or (_OF_A_MATCH.get(type(command)) if match else None)


def _facts(command: Command, match: Match | None, player: Player, language: str) -> Mapping[str, Any]:
    named = getattr(command, "game", "") or getattr(command, "topic", "")
    facts = {
        "brief": _brief(command, language),
        "who": getattr(command, "who", ""),
        "number": getattr(command, "number", ""),
        "game": _game(named, language) or named,
    }
    if match is None:
        return facts
    opponent = next((seat.player.name for seat in match.seated if seat.player != player), "")
    return facts | {"match": match.pk, "name": opponent}


def _game(name: str, language: str) -> str:
    """The name of the game. Empty when it is unknown."""
    try:
        return str(find(name)[0].phrases(language)["name"])
    except UnknownName:
        return ""


def _brief(command: Command, language: str) -> str:
    """The first sentence of the command's help."""
    verbs = (verb for of_a_word in VERBS_OF.values() for verb in of_a_word)
    return next((verb.phrases[language].brief for verb in verbs if verb.command is type(command)), "")
