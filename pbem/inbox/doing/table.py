"""All commands, and what each of them does."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox.commands import Command
from pbem.inbox.doing import (
    absence,
    account,
    clocks,
    conditional,
    general,
    letters,
    matchmaking,
    notes,
    offers,
    playing,
    preferences,
    refusing,
    takeback,
    talking,
    testing,
    views,
    watching,
)
from pbem.inbox.doing.work import Doer

DO: Mapping[type[Command], Doer] = {
    **general.DO,
    **matchmaking.DO,
    **offers.DO,
    **refusing.DO,
    **playing.DO,
    **conditional.DO,
    **takeback.DO,
    **clocks.DO,
    **views.DO,
    **notes.DO,
    **watching.DO,
    **talking.DO,
    **absence.DO,
    **letters.DO,
    **account.DO,
    **preferences.DO,
    **testing.DO,
}
