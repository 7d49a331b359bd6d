"""What must be true besides after faults: a restore plays on no other board, and no fault sets a letter aside."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.refusals import Code
from tests.chaos.evidence import Evidence, key_of

DEADLY = 3  # attempts


def undone_boards_are_asked_about(evidence: Evidence) -> Iterator[str]:
    """After a restore no answer to an older letter plays by itself; its writer is asked or refused, and told so."""
    moved = {event.letter for event in evidence.rows.moved}
    causes = {row.cause.partition(":again")[0] for row in evidence.rows.outbox}
    for row in filter(evidence.answers_old_board, evidence.rows.inbox):
        if row.id in moved:
            yield f"letter {row.id} answers a board of before the restore, and was played"
        means_it = "move" in evidence.sorts[key_of(row.recipient, row.raw)]
        if means_it and row.verdict != Code.DUPLICATE and f"letter:{row.id}" not in causes:
            yield f"letter {row.id} answers a board of before the restore, and heard nothing: {row.verdict}"


def few_are_shunted(evidence: Evidence) -> Iterator[str]:
    """A letter is set aside where three died who read it; that a disk is full or a table locked is no fault of its."""
    shunted = [row.id for row in evidence.rows.inbox if row.verdict == Code.POISON]
    if len(shunted) * DEADLY > evidence.senders_killed:
        yield f"letters {shunted} were set aside where {evidence.senders_killed} died"
