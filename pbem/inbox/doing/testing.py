"""The letter that tries out the reader's mail program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.testing import Check
from pbem.inbox.doing.work import Doer

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _test(doing: Doing, test: Check) -> None:
    """A letter of its own, so that its answer is known by the address."""
    doing.tell({"kind": "test"}, cause=f"test:{doing.row.pk}")


DO: Mapping[type[Command], Doer] = {Check: _test}
