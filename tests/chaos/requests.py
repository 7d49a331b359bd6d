"""What must be true of analyses, hints and puzzles: who asks hears of it once, and nothing is forgotten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.refusals import Code
from tests.chaos.evidence import Evidence, key_of
from tests.chaos.rows import Inbound

# What is asked for, and the answers that say yes to it: that it comes, or it itself.
ANSWERS = {"analyse": {"analysed", "analysis"}, "hint": {"analysed", "hint"}, "puzzle": {"puzzle"}}
FOUND = {"analysis", "hint"}
ELSEWHERE = {
    Code.DUPLICATE,
    Code.POISON,
    Code.REVOKED,
    Code.LOST,
    Code.CONFIRM_NEEDED,
}  # nothing was asked of a robot
MOST_REFUSALS = 20  # that a player hears of in a match, in a day


def requests_are_answered_once(evidence: Evidence) -> Iterator[str]:
    """Who asks for an analysis, a hint or a puzzle hears once that it comes, has it, or hears why not."""
    answers = Counter(
        (row.cause, section["kind"]) for row in evidence.rows.outbox for section in row.sections
    )
    refusals = Counter(
        row.address for row in evidence.rows.outbox for each in row.sections if each["kind"] == "refused"
    )
    for row, what in _requests(evidence):
        yes = sum(answers[f"letter:{row.id}", kind] for kind in ANSWERS[what])
        no = answers[f"letter:{row.id}", "refused"]
        silenced = row.verdict != "ok" and refusals[_sender(evidence, row)] >= MOST_REFUSALS
        if (yes, no) != ((1, 0) if row.verdict == "ok" else (0, 1)) and not silenced:
            yield f"{what} {row.id}, {row.verdict}, was answered {yes} times and refused {no} times"


def wishes_are_told(evidence: Evidence) -> Iterator[str]:
    """What a robot was asked to look into is told to each who asked, in one letter: then, or at once if it is known."""
    told = Counter(row.cause for row in evidence.rows.outbox)
    at_once = Counter(
        (row.address, row.match_id, section["kind"])
        for row in evidence.rows.outbox
        if row.cause.startswith("letter:")
        for section in row.sections
    )
    for wish in evidence.rows.wishes:
        later, now = told[f"wish:{wish.id}"], at_once[wish.email, wish.match_id, wish.kind]
        if wish.status == "waiting" or not wish.told or later > 1 or not later + now:
            how = "told" if wish.told else "not told"
            yield f"wish {wish.id}, {wish.kind} of match {wish.match_id}, is {wish.status} and {how}: {later} letters"


def _requests(evidence: Evidence) -> Iterator[tuple[Inbound, str]]:
    """Those that a robot, or the store of puzzles, was asked by."""
    for row in evidence.rows.inbox:
        for what in evidence.sorts[key_of(row.recipient, row.raw)] & ANSWERS.keys():
            if row.verdict not in ELSEWHERE and not evidence.answers_old_board(row):
                yield row, what


def _sender(evidence: Evidence, row: Inbound) -> str:
    key = key_of(row.recipient, row.raw)
    return next(each.sender for each in evidence.submissions if key_of(each.to, each.raw) == key)
