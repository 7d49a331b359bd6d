"""What somebody wants who writes in words of their own: a text classifier, learned from examples.

`tests/pbem/intents/examples` has files for each language, a text on each line behind the name of its intent; `make
intents` learns `model.json.gz` from those of requests, `answers.json.gz` from those of answers to a question, and
`remarks.json.gz` from what is said beside a move. No word of a player is in them.
"""

from pbem.intents.classifier import RETRACTED, TALK, Guess, answers, guesses, is_rare, language_of, remarks

__all__ = ["RETRACTED", "TALK", "Guess", "answers", "guesses", "is_rare", "language_of", "remarks"]
