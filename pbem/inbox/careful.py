"""What is asked about first after a restore, however well its writer is known."""

from __future__ import annotations

from datetime import datetime

from pbem.inbox.addressing import Addressed
from pbem.inbox.belief.identity import Decision
from pbem.players.epochs import restored_recently

DONE_AT_ONCE = (Decision.APPLY, Decision.STALE_MOVE)


def careful(decision: Decision, addressed: Addressed | None, arrived: datetime) -> Decision:
    """What answers a letter of another history, or no letter at all so soon after a restore, is asked about first:
    the board that its writer looked at may never have been."""
    if decision not in DONE_AT_ONCE or addressed is None:
        return decision
    tokenless = addressed.state == "absent"
    doubted = addressed.restored or (tokenless and restored_recently(arrived))
    return Decision.CONFIRM if doubted else decision
