"""Which sorts of letters a player gets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command, letters_words
from pbem.inbox.commands.families.letters import Letters, Start, Stop
from pbem.inbox.doing.work import Doer
from pbem.outbox.kinds import CLOCK_RUNS
from pbem.outbox.unsubscribing import stops_turns
from pbem.players import services

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _letters(doing: Doing, command: Letters | Start | Stop) -> None:
    doing.tell({"kind": "letters", "words": letters_words(doing.player.language)})


def _stop(doing: Doing, stop: Stop) -> None:
    if stops_turns(doing.player, partial(services.stop, doing.player, stop.sort, now=doing.now)):
        doing.tell({"kind": CLOCK_RUNS})  # first, so that the answer to it goes where it is understood
    _letters(doing, stop)


def _start(doing: Doing, start: Start) -> None:
    services.restart(doing.player, start.sort)
    _letters(doing, start)


DO: Mapping[type[Command], Doer] = {
    Letters: _letters,
    Stop: _stop,
    Start: _start,
}
