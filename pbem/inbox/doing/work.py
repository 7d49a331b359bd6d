"""What a doer is given: the work on a letter, without how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing

# Does the command, or raises Refused before anything was changed.
Doer = Callable[["Doing", Any], None]
