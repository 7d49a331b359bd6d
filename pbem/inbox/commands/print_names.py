"""The printed name of a player."""

from __future__ import annotations

from pbem.inbox.commands.command import Print
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.players import services
from pbem.wording import fold, wording

_WORDS = wording(__name__)
_YES, _NO, _NAME = (
    {fold(word) for words in _WORDS.each(key).values() for word in words} for key in ("yes", "no", "name")
)
LONGEST = 80  # characters of a name


def _read_print(line: CommandLine) -> Print | None:
    words = [fold(word) for word in line.words]
    if line.match is not None:
        return None
    match words:
        case []:
            return Print()
        case [word] if word in _YES:
            return Print(agreed=True)
        case [word] if word in _NO:
            return Print(agreed=False)
        case [word, _, *_] if word in _NAME and line.clear:
            name = " ".join(line.words[1:])
            return Print(agreed=True, name=name) if len(name) <= LONGEST else None
    return None


def _print(context: CommandContext, command: Print) -> None:
    if command.agreed:
        services.allow(context.player, command.name, now=context.now)
    elif command.agreed is False:
        services.withdraw(context.player)
    context.reply({"kind": "print_name"})


VERBS: Verbs = {
    Print: (_read_print, _print),
}
