"""Every word that means something where a name may stand: nobody can have one of them for a name."""

from itertools import chain

from pbem.inbox.commands import old_spellings
from pbem.inbox.commands.acceptance import YES_AND_A_NAME
from pbem.inbox.commands.families.letters import GO_ON
from pbem.inbox.commands.words import CONFIRMING, ENDS, REFUSING, VERBS_OF

MEANINGS = frozenset(
    chain(
        VERBS_OF,
        CONFIRMING,
        REFUSING,
        YES_AND_A_NAME,
        GO_ON,
        *ENDS.values(),
        old_spellings.VERBS,
        old_spellings.LISTS,
        old_spellings.CHALLENGE,
        ("yep", "yeah", "nope", "okay", "certo"),  # as people say it
    )
)
