"""Finds the grammar lines for a text by its classified intent (see `pbem.intents`). Always asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from pbem.inbox.commands.bars import PROBABILITY, Bar, bar_of
from pbem.inbox.commands.cells import named_cells, names_cell
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.intended_moves import OF_MOVES, intended_moves
from pbem.inbox.commands.intent_blanks import filled
from pbem.inbox.commands.intent_lines import SAID_TO_PEOPLE, lines_of
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.never_asked import LETTERS
from pbem.inbox.commands.sketches import blanks_in, is_talk
from pbem.inbox.commands.views.grammar import History, Show
from pbem.inbox.commands.words import VERBS_OF
from pbem.intents import TALK, Guess, guesses
from pbem.wording import fold

_LEAST, _LEAST_IN_MATCH, _LEAST_IF_SAID = 0.57, 0.35, 0.65  # least probabilities
_LEAST_WITH_CELLS = 0.4  # most texts with cells are commands
_LEAST_IF_SHORT = 0.8
_IMPROBABLE = 0.03  # a command found by words is doubted below this
_HARDLY = 0.015  # for talk
_FEWEST, _ENOUGH = 2, 4  # words for a guess at all, and for a safe one
_ALIKE = (History, Show)  # `the last moves` may be either
_OF_GAME = "HELP {game}"
_OF_MOVES = 2  # cells


def intended(text: str, *, anew: bool, bar: Bar = Bar.USUAL, helps: bool = False) -> Iterator[str]:
    """Yields the line that the text most probably means; with `helps`, HELP when a blank is not filled."""
    if len(named_cells(text)) >= (_OF_MOVES if anew else 1) or _is_command(
        text
    ):  # they are read, not guessed
        return
    if not anew and len(LETTERS.findall(text)) < _FEWEST:  # `Robot-1`, behind thanks to it
        return
    best = _best(text, anew=anew, talk=not (anew and bar is Bar.REFUSED))
    talk = anew and bar is Bar.USUAL and best.probability < PROBABILITY[Bar.SURE] and is_talk(text)
    if talk or best.probability < _least(best.intent, text, bar, anew=anew):
        return
    lines = lines_of(best.intent, anew=anew)
    if not helps and len(lines) > 1:
        lines = [line for line in lines if line == _OF_GAME or not line.startswith("HELP")]
    number = blanks_in(text).get("number")
    for line in filled(lines, text):
        if bar in (Bar.USUAL, Bar.REFUSED) or number is None or number in line:
            yield line


def _best(text: str, *, anew: bool, talk: bool = True) -> Guess:
    """Returns the likeliest intent; intents with the same line are added up. `talk`: it may be talk."""
    found = guesses(text) if talk else _of_wishes(guesses(text))
    together: dict[str, Guess] = {}
    for intent, probability in found:
        line = next(iter(lines_of(intent, anew=anew)), intent)
        first = together.setdefault(line, Guess(intent, 0))
        together[line] = first._replace(probability=first.probability + probability)
    return max(together.values(), key=lambda guess: guess.probability, default=Guess(TALK, 1))


def _of_wishes(found: Sequence[Guess]) -> Sequence[Guess]:
    """Normalises the probabilities without talk."""
    wishes = sum(probability for intent, probability in found if intent != TALK)
    return [Guess(intent, probability / wishes) for intent, probability in found if intent != TALK]


def is_of_intent(command: Command, text: str, *, anew: bool) -> bool:
    """Whether the likeliest intent, if there is one, may be such a command or the HELP on it."""
    intent, probability = _best(text, anew=anew)
    return probability < _LEAST or not _commands_of(lines_of(intent, anew=anew)).isdisjoint(_kinds(command))


def _kinds(command: Command) -> Sequence[type[Command]]:
    return _ALIKE if isinstance(command, _ALIKE) else (type(command),)


def is_improbable(command: Command, text: str, *, anew: bool, least: float = _IMPROBABLE) -> bool:
    """Whether such a command, or the HELP on it, is less probable than `least`."""
    found, kinds = guesses(text), {*_kinds(command)}
    if isinstance(command, Help) and (verbs := VERBS_OF.get(fold(command.topic), ())):
        kinds = {verb.command for verb in verbs}
    likely = sum(p for intent, p in found if kinds & _commands_of(lines_of(intent, anew=anew)))
    return bool(found) and likely < least


@cache
def _commands_of(lines: Sequence[str]) -> frozenset[type[Command]]:
    words = [word for line in lines for word in line.split()]
    return frozenset(verb.command for word in words for verb in VERBS_OF.get(fold(word), ()))


def intended_with_cells(
    text: str, is_move: IsMove, legal: LegalMoves | None, *, bar: Bar = Bar.USUAL
) -> Sequence[str]:
    """Returns the lines for a text that names cells, in a reply about a match."""
    best = next(iter(guesses(text)), Guess(TALK, 1))
    least = (
        _LEAST_WITH_CELLS
        if bar is Bar.USUAL and legal
        else max(PROBABILITY.get(bar, _LEAST_IF_SAID), _LEAST_IF_SAID)
    )
    if not names_cell(text) or best.probability < least:
        return ()
    if best.intent in OF_MOVES:
        return intended_moves(best.intent, text, is_move, legal, bar=bar_of(best.intent, text))
    if best.intent in ("LEGAL", "WHYNOT"):  # which are answered with what the rules say of the cells
        return ()
    return list(filled(lines_of(best.intent, anew=False), text)) if bar is Bar.USUAL else ()


def _is_command(text: str) -> bool:
    """Whether the text begins with a verb in capitals: `PAUSE UNTIL 30 February`."""
    word = next(iter(text.split()), "")
    return word.isupper() and len(word) > len("IF") and fold(word) in VERBS_OF


def _least(intent: str, text: str, bar: Bar, *, anew: bool) -> float:
    short = len(LETTERS.findall(text)) < _ENOUGH
    if bar is not Bar.USUAL:
        return PROBABILITY[Bar.CERTAIN] if short and bar is Bar.SURE else PROBABILITY[bar]
    if short:
        return _LEAST_IF_SHORT
    if anew:
        return _LEAST
    said = intent in SAID_TO_PEOPLE and not _is_no_talk(text)
    return _LEAST_IF_SAID if said else _LEAST_IN_MATCH


def _is_no_talk(text: str) -> bool:
    """Whether talk is improbable."""
    return all(each.probability < _HARDLY for each in guesses(text) if each.intent == TALK)
