"""Commands that concern a player's account and no match: in a reply they are not meant for the opponent."""

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
    """Whether the command, or the topic of a HELP, concerns the account; HELP REPORT counts as well."""
    if isinstance(command, Help):
        verbs = VERBS_OF.get(fold(" ".join(command.line.split()[1:])), ())
        return any(verb.command in (*_ACCOUNT_WIDE, Report) for verb in verbs)
    return isinstance(command, _ACCOUNT_WIDE)
