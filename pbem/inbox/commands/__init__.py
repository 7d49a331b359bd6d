"""What a player can write, from lines of a letter to typed commands. Each folder is a family of verbs."""

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.parser import Understood, understand

__all__ = ["Command", "Understood", "understand"]
