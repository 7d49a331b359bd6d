"""What is asked about first after a restore, however well its writer is known."""

from __future__ import annotations

from pbem.inbox.recipient import Recipient
from pbem.mail.authentication.policy import Decision

DONE_AT_ONCE = (Decision.APPLY, Decision.MEETING, Decision.STALE_MOVE, Decision.STALE_CONFIRM)


def careful(decision: Decision, recipient: Recipient | None) -> Decision:
    """What answers a letter of another history is asked about first: the board that its writer looked at may never
    have been. For letters without a reply address see `pbem.inbox.doubts`."""
    if recipient is not None and recipient.restored and decision in DONE_AT_ONCE:
        return Decision.CONFIRM
    return decision
