"""Turns the lines of a letter into typed commands. Each subfolder holds one family of verbs."""

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.parser import Understood, understand

__all__ = ["Command", "Understood", "understand"]
