"""The lists of what there is, and help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from games.errors import UnknownName
from games.registry import find
from pbem.inbox.commands import Command, help_chapters, help_on
from pbem.inbox.commands.families.general import Games, Help, Standings
from pbem.inbox.commands.spoken import fold
from pbem.inbox.commands.words import VERBS_OF
from pbem.inbox.doing.work import Doer
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _games(doing: Doing, games: Games) -> None:
    doing.tell({"kind": "games"})


def _help(doing: Doing, command: Help) -> None:
    """A word may be a verb and a game: the verb is meant."""
    topic, language = command.topic, doing.player.language
    if not topic:
        doing.tell({"kind": "help", "chapters": help_chapters(language)})
    elif fold(topic) in VERBS_OF:
        doing.tell({"kind": "help", "verb": topic.upper(), "chapters": [help_on(topic, language)]})
    else:
        try:
            doing.tell({"kind": "help", "topic": find(topic)[0].key})
        except UnknownName as unknown:
            raise Refused("C02", text=topic, nearest=unknown.nearest) from None


def _standings(doing: Doing, command: Standings) -> None:
    raise Refused("V01")


DO: Mapping[type[Command], Doer] = {
    Help: _help,
    Games: _games,
    Standings: _standings,
}
