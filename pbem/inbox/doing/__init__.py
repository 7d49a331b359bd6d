"""What each command of a letter does."""

from pbem.inbox.doing.doing import Doing

__all__ = ["Doing"]
