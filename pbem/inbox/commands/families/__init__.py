"""All families of verbs, in the order in which HELP lists them."""

from collections.abc import Sequence

from pbem.inbox.commands.families import (
    absence,
    account,
    clocks,
    conditional,
    general,
    letters,
    matchmaking,
    notes,
    offers,
    playing,
    preferences,
    refusing,
    takeback,
    talking,
    testing,
    trying,
    views,
    watching,
)
from pbem.inbox.commands.verb import Verb

VERBS: Sequence[Verb] = (
    *general.VERBS,
    *matchmaking.VERBS,
    *offers.VERBS,
    *refusing.VERBS,
    *playing.VERBS,
    *conditional.VERBS,
    *takeback.VERBS,
    *clocks.VERBS,
    *trying.VERBS,
    *views.VERBS,
    *notes.VERBS,
    *watching.VERBS,
    *talking.VERBS,
    *absence.VERBS,
    *letters.VERBS,
    *account.VERBS,
    *preferences.VERBS,
    *testing.VERBS,
)
