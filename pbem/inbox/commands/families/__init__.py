"""All families of verbs, in the order in which HELP lists them."""

from collections.abc import Sequence

from pbem.inbox.commands.families import (
    absence,
    account,
    clocks,
    general,
    letters,
    matchmaking,
    offers,
    playing,
    preferences,
    refusing,
    talking,
    views,
)
from pbem.inbox.commands.verb import Verb

VERBS: Sequence[Verb] = (
    *general.VERBS,
    *matchmaking.VERBS,
    *offers.VERBS,
    *refusing.VERBS,
    *playing.VERBS,
    *clocks.VERBS,
    *views.VERBS,
    *talking.VERBS,
    *absence.VERBS,
    *letters.VERBS,
    *account.VERBS,
    *preferences.VERBS,
)
