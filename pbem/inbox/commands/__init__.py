"""What a player can write, from lines of a letter to typed commands."""

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.reading import Understood, read_yes, understand
from pbem.inbox.commands.words import help_chapters, help_on, letters_words

__all__ = ["Command", "Understood", "help_chapters", "help_on", "letters_words", "read_yes", "understand"]
