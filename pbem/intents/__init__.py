"""What somebody wants who writes in words of their own: a text classifier, learned from examples.

`tests/pbem/intents/examples` has a file for each language, a text on each line behind the name of its intent; `make
intents` learns `model.json.gz` from them. No word of a player is in them.
"""

from pbem.intents.classifier import TALK, Guess, guesses, is_rare, language_of

__all__ = ["TALK", "Guess", "guesses", "is_rare", "language_of"]
