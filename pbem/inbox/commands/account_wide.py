"""The commands that concern their player's account and no match, so that nobody says them to an opponent."""

from pbem.inbox.commands.account.grammar import SetName
from pbem.inbox.commands.blocks.grammar import Block
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.preferences.grammar import Set
from pbem.inbox.commands.ratings.grammar import Rating, Ratings
from pbem.inbox.commands.reports.grammar import Report
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold

_ACCOUNT_WIDE = (Set, SetName, Letters, Rating, Ratings, Block)


def is_account_wide(command: Command) -> bool:
    """`HELP SET` is, too, and so is HELP of what reports an opponent."""
    if isinstance(command, Help):
        verbs = VERBS_OF.get(fold(" ".join(command.line.split()[1:])), ())
        return any(verb.command in (*_ACCOUNT_WIDE, Report) for verb in verbs)
    return isinstance(command, _ACCOUNT_WIDE)
