"""Words that no player can have for a name, since they mean something where a name may stand."""

from itertools import chain

from pbem.inbox.commands import line_parser
from pbem.inbox.commands.acceptance import YES_AND_A_NAME
from pbem.inbox.commands.letters.grammar import GO_ON
from pbem.inbox.commands.words import CONFIRMING, ENDS, REFUSING, VERBS_OF
from pbem.wording import wording

RESERVED = frozenset(
    chain(
        VERBS_OF,
        CONFIRMING,
        REFUSING,
        YES_AND_A_NAME,
        GO_ON,
        *ENDS.values(),
        line_parser.VERBS,
        line_parser.LISTS,
        line_parser.CHALLENGE,
        wording(__package__).words("names"),
    )
)
