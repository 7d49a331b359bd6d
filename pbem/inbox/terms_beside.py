"""Terms that stand beside the answer to our question: `yes, but without a clock` is a yes to another line."""

from __future__ import annotations

from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.matchmaking.grammar import Challenge
from pbem.inbox.commands.matchmaking.guest_answers import begins_with_yes
from pbem.inbox.commands.offers.grammar import Offer
from pbem.inbox.commands.said_terms import SIDES, said_terms
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import Confirmation


def adopt(asked: Confirmation, reading: Reading) -> bool:
    """Whether the one match that we asked about has other terms now, so that it has to be asked about anew."""
    lines = reading.letter.lines
    terms = said_terms(" ".join(lines), asked.language) if begins_with_yes(lines) else ()
    matches = [line for line in asked.lines if isinstance(read_alone(line), (Challenge, Offer))]
    if not terms or len(matches) != 1:
        return False
    [line] = matches
    kept = [word for word in line.split() if word not in SIDES or not SIDES.intersection(terms)]
    changed = " ".join((*kept, *(term for term in terms if term not in kept)))
    if changed == line or read_alone(changed) is None:
        return False
    asked.lines = [changed if each == line else each for each in asked.lines]
    asked.save(update_fields=["lines"])
    return True
