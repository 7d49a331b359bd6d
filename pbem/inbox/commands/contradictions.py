"""Decides between the command that the words state and the one guessed from the whole text."""

from __future__ import annotations

from pbem.inbox.commands.account.grammar import Register, SetName
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.general.grammar import RULES, Help
from pbem.inbox.commands.intended import is_of_intent
from pbem.inbox.commands.kinds import OF_MATCHES, SAID_PLAINLY
from pbem.inbox.commands.letters.grammar import Stop
from pbem.inbox.commands.line import game_of
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.commands.talking.grammar import Message
from pbem.inbox.commands.views.grammar import Show
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold


def contradicts(said: Command, whole: Command, text: str, *, anew: bool) -> bool:
    """Whether the guess `whole` overrides `said`. `anew`: the text is not a reply about a match."""
    if isinstance(said, Register) and isinstance(whole, SetName):
        return True  # the sender is registered already
    if isinstance(said, SAID_PLAINLY):
        return False
    of_rules = isinstance(whole, Help) and (fold(whole.topic) in RULES or game_of([whole.topic]))
    if isinstance(said, OF_MATCHES) and isinstance(whole, (Message, Help)) and not of_rules:
        return False  # `let Bruno know that I challenge him`
    match said, whole:
        case Set(), Stop():  # `too many letters`
            return False
        case Set(), Set():
            return _sets_another(said, whole)
        case Help(), Help():
            return said.topic != whole.topic and not game_of([said.topic])
        case Help(), _:
            return all(verb.command is not type(whole) for verb in VERBS_OF.get(fold(said.topic), ()))
    if type(said) is type(whole):
        return said == Show()  # of `the board three moves ago`
    return not is_of_intent(said, text, anew=anew)


def _sets_another(said: Set, whole: Set) -> bool:
    had, wanted = dict(said.wishes), dict(whole.wishes)
    differs = any(had.get(column, value) != value for column, value in wanted.items())
    return differs or not had.keys() & wanted.keys()


def fills(said: Command, asked: Command) -> bool:
    """Whether `said` is a command that the HELP `asked` explains."""
    return type(said) in _explained(asked)


def is_how_to_ask(command: Command) -> bool:
    """Whether the command is the HELP on how to ask for a match."""
    return not _explained(command).isdisjoint(OF_MATCHES)


def _explained(command: Command) -> set[type[Command]]:
    topic = command.topic if isinstance(command, Help) else ""
    return {verb.command for verb in VERBS_OF.get(fold(topic), ())}
