"""What does a command: the service below that it calls, and what its player is told."""

from collections.abc import Callable
from typing import Any

from pbem.inbox.handling.context import CommandContext

# Does the command, or raises Refused before anything was changed.
Handler = Callable[[CommandContext, Any], None]
