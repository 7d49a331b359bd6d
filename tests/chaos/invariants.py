"""What must be true when all is quiet again, no matter who died: each a sentence, and a function for exceptions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from games.protocol import Notation
from games.record import Record
from games.registry import find
from pbem.refusals import Code
from tests.chaos.aftermath import few_are_shunted, undone_boards_are_asked_about
from tests.chaos.evidence import Evidence, key_of
from tests.chaos.history import LATEST
from tests.chaos.match import Match
from tests.chaos.noise import MALLORY
from tests.chaos.relay import Submission
from tests.chaos.requests import requests_are_answered_once, wishes_are_told
from tests.chaos.rows import Inbound
from tests.chaos.writer import PLAYERS

MOVING = {"move", "again", "copy"}  # letters that mean a move to be played
# A move that was acknowledged and is not played, but its sender is told: its readers were killed three times, they
# had just said that their reply address was stolen, and have got another one, or what they answer was lost with a
# restore, and they are shown the board of now.
TOLD = {Code.POISON, Code.REVOKED, Code.LOST}
HURRY = timedelta(seconds=LATEST)  # what was away before that is in the deadline already
TOO_LATE = {Code.DEADLINE_PASSED, Code.MATCH_OVER}  # before the flag, and after it
MOST_ANSWERS = 5  # to an address that nobody has signed up with, in a day
MOST_REFUSALS = 20  # of a player's letters in a match that they hear of, in a day
TELLS = ("played", "turn", "cascade", "undone", "result")


def acknowledged_is_kept(evidence: Evidence) -> Iterator[str]:
    """Every letter that was answered with 250 has its row."""
    for submission in evidence.acknowledged:
        if not evidence.rows_of(submission):
            yield f"{submission.what} {submission.message_id} heard 250 and is nowhere"


def kept_once(evidence: Evidence) -> Iterator[str]:
    """A letter that came several times has one row, and no row is a letter that nobody wrote."""
    for key, rows in evidence.kept.items():
        if len(rows) > 1:
            yield f"{key} was kept {len(rows)} times"
        if key not in evidence.sorts:
            yield f"nobody wrote {key}"


def one_verdict(evidence: Evidence) -> Iterator[str]:
    """Every letter that was kept ends in a verdict."""
    for row in evidence.rows.inbox:
        if not row.verdict:
            yield f"letter {row.id} was never opened: {key_of(row.recipient, row.raw)}"


def people_are_let_in(evidence: Evidence) -> Iterator[str]:
    """No player is refused at the door, however long it takes; no guessed address is let in."""
    for submission in evidence.submissions:
        if submission.what == "guessed":
            if submission.acknowledged is not None:
                yield f"a guessed address was let in: {submission.to}"
        elif submission.tries is None and submission.acknowledged is None:
            why = f"{submission.refused}, {submission.attempts} attempts by {submission.by}"
            yield f"{submission.what} {submission.message_id} to {submission.to} was never taken: {why}"


def turns_are_contiguous(evidence: Evidence) -> Iterator[str]:
    """The turns of a match are numbered from 0 without a gap, each number once."""
    for match in evidence.rows.matches:
        plies = [turn.ply for turn in evidence.turns[match.id]]
        if plies != list(range(match.ply)):
            yield f"match {match.id} at ply {match.ply} has turns {plies}"


def record_is_the_snapshot(evidence: Evidence) -> Iterator[str]:
    """Replaying the record of a match gives the position of every turn, and the one that the match stands at."""
    for match in evidence.rows.matches:
        turns = evidence.turns[match.id]
        record = Record(match.game_name, match.rules_version, tuple(turn.move for turn in turns), match.setup)
        try:
            positions = [str(position) for position in record.replay()]
        except ValueError as wrong:
            yield f"match {match.id} cannot be replayed: {wrong}"
            continue
        if [turn.position for turn in turns] != positions[1:] or match.position != positions[-1]:
            yield f"match {match.id} stands elsewhere than its record"


def played_as_written(evidence: Evidence) -> Iterator[str]:
    """The turns of a match are the moves that its players wrote, in their order; what was acknowledged was played.

    Or it was taken back, or came after the end of their time.
    """
    told = {
        submission.move
        for submission in evidence.acknowledged
        for row in evidence.rows_of(submission)
        if row.verdict in TOLD or evidence.answers_old_board(row) or _was_excused(evidence, submission, row)
    }
    meant = {s.move for s in evidence.acknowledged if s.move and s.what in MOVING}
    for match in evidence.story:
        turns = evidence.turns[evidence.match_of[match.number]] if match.number in evidence.match_of else []
        played = [turn.move for turn in turns]
        if played != _canonical(match)[: len(played)]:
            yield f"match {match.number} of the story went another way: {played}"
        for ply in range(len(played), len(match.moves)):
            if (match.number, ply) in meant - told:
                ends = _verdicts(evidence, match.number, ply)
                yield f"move {ply} of match {match.number} was acknowledged and never played: {ends}"


def _was_excused(evidence: Evidence, submission: Submission, row: Inbound) -> bool:
    number, ply = submission.move or (-1, -1)
    if row.verdict == "ok":
        return evidence.match_of.get(number) in evidence.rows.taken_back
    return row.verdict in TOO_LATE and any(m.number == number and ply in m.deadlines for m in evidence.story)


def _verdicts(evidence: Evidence, match: int, ply: int) -> list[str]:
    """How the letters ended that meant this move."""
    letters = (submission for submission in evidence.acknowledged if submission.move == (match, ply))
    return [f"{letter.what} {row.verdict}" for letter in letters for row in evidence.rows_of(letter)]


def _canonical(match: Match) -> list[str]:
    game, rules = find(match.name)
    position, moves = game.start(rules, ""), []
    for ply, text in enumerate(match.moves):
        move = game.read(position, text, Notation(match.languages[ply % 2]))
        moves.append(str(move))
        position = position.play(move)
    return moves


def moved_once(evidence: Evidence) -> Iterator[str]:
    """A letter plays at most one move, and only a letter that means one."""
    letters = {row.id: row for row in evidence.rows.inbox}
    for letter, times in Counter(event.letter for event in evidence.rows.moved).items():
        row = letters[letter]
        sorts = evidence.sorts[key_of(row.recipient, row.raw)]
        if times > 1:
            yield f"letter {letter} was played {times} times"
        if not sorts & MOVING:
            yield f"a move was played by a letter that is {sorts}"


def every_move_is_told(evidence: Evidence) -> Iterator[str]:
    """For every move, with what followed it by itself, and for what was taken back both players get one board.

    After their first receipts, players hear nothing of moves of their own. Anyone who has a digest is told there,
    unless what was to be told had passed by the time it was written.
    """
    told: dict[tuple[int, str], int] = Counter()
    for row in evidence.rows.outbox:
        for section in row.sections:
            for news in section.get("news", (section,)):
                told[news.get("event", 0), row.address] += news["kind"] in TELLS
    matches = {match.id: match for match in evidence.rows.matches}
    for event in evidence.rows.boards:
        match, players = matches[event.match_id], evidence.players_of[event.match_id]
        for address in players:
            times = told[event.id, address]
            was_his = (
                players[event.ply % 2] == address and event.ply < match.ply
            )  # their turn, and they have played it
            passed = address in evidence.told_daily and (match.status != "playing" or was_his)
            own = event.kind == "moved" and players[(event.ply - 1) % 2] == address
            if times != 1 and not ((passed or own) and times == 0):
                yield f"{event.kind} {event.id} of match {event.match_id} was told to {address} {times} times"


def promises_are_kept(evidence: Evidence) -> Iterator[str]:
    """What a player has said beforehand is played with the reply that they named, by itself.

    Where its letter was refused they were asked for the move anew, and wrote that alone.
    """
    for match in evidence.story:
        number = evidence.match_of.get(match.number, -1)
        turns = {turn.ply: turn for turn in evidence.turns[number]}
        for ply in sorted(match.promised) if number not in evidence.rows.taken_back else ():
            said = any(
                submission.what == "move" and row.verdict == "ok"
                for submission in evidence.acknowledged
                if submission.move == (match.number, ply) and b"\r\nIF " in submission.raw
                for row in evidence.rows_of(submission)
            )
            if said and ply + 1 in turns and (ply + 2 not in turns or turns[ply + 2].how != "conditional"):
                yield f"ply {ply + 2} of match {number} was said beforehand and not played"


def time_is_fair(evidence: Evidence) -> Iterator[str]:
    """Nobody loses on time who had time, or whose move was acknowledged in time; and who had none does not move."""
    deadlines = {(match.number, ply): at for match in evidence.story for ply, at in match.deadlines.items()}
    numbers = {row: number for number, row in evidence.match_of.items()}
    for match in evidence.rows.matches:
        if match.reason == "time":
            turn = (numbers[match.id], match.ply)
            heard = [each.heard_at for each in evidence.still_so if each.move == turn and each.heard_at]
            until = deadlines.get(turn)
            if until is None or any(at <= until for at in heard):
                yield f"match {match.id} was lost on time at ply {match.ply}, unjustly: until {until}, heard {heard}"
    letters = {row.id: row for row in evidence.rows.inbox}
    restored = max(
        (undone.restored_at for undone in evidence.undone), default=None
    )  # then all clocks got time
    for event in evidence.rows.moved:
        row = letters[event.letter]
        for turn in evidence.meant.get(key_of(row.recipient, row.raw), set()) & set(deadlines):
            credited = restored is not None and deadlines[turn] < restored
            rested = any(
                away.since < row.received_at and away.until > deadlines[turn] - HURRY
                for away in evidence.rows.outages
            )
            if row.received_at > deadlines[turn] and not credited and not rested:
                yield f"letter {row.id} came after the end of its time and was played"


def sent_is_delivered(evidence: Evidence) -> Iterator[str]:
    """What is marked as sent has reached its mailbox; nothing waits, and only letters to strangers have failed."""
    for row in evidence.rows.outbox:
        if row.status == "sent" and not evidence.copies_of[row.message_id]:
            yield f"letter {row.id} to {row.address} is marked as sent and never came"
        if row.status == "waiting" or (row.status == "failed" and row.address.endswith(PLAYERS)):
            yield f"letter {row.id} to {row.address} is {row.status} {row.verdict}"


def nothing_goes_astray(evidence: Evidence) -> Iterator[str]:
    """Every letter in a mailbox is one that was written to that address; boards go to the two who play."""
    rows = {row.message_id: row for row in evidence.rows.outbox}
    asked = {submission.sender for submission in evidence.submissions} - {MALLORY, ""}
    for copy in evidence.copies:
        row = rows.get(copy.message_id)
        if row is None and evidence.was_undone(copy.at):
            continue
        if row is None or row.address != copy.to:
            yield f"{copy.message_id} came to {copy.to}, where it does not belong"
        elif row.match_id and copy.to not in evidence.players_of[row.match_id]:
            yield f"{copy.to} has read a letter of match {row.match_id}"
        elif copy.to not in asked:
            yield f"{copy.to} never wrote to us and got {copy.kind}"


def few_copies(evidence: Evidence) -> Iterator[str]:
    """A letter comes once, and once more for each lost reply and each sender that was killed."""
    copies = Counter(copy.message_id for copy in evidence.copies if not evidence.was_undone(copy.at))
    extra = {name: count - 1 - evidence.dropped.get(name, 0) for name, count in copies.items()}
    unexplained = sum(max(0, count) for count in extra.values())
    if unexplained > evidence.senders_killed:
        worst = max(extra, key=lambda name: extra[name])
        yield f"{unexplained} copies too many where {evidence.senders_killed} senders died; worst: {worst}"


def caps_are_kept(evidence: Evidence) -> Iterator[str]:
    """An address that nobody has signed up with gets at most five letters a day, no answer twice; a player hears of at
    most twenty letters a day in a match that were refused."""
    refusals = Counter(
        (row.address, row.match_id, row.created_at.date())
        for row in evidence.rows.outbox
        if row.match_id and any(section["kind"] == "refused" for section in row.sections)
    )
    for (address, match, day), count in refusals.items():
        if count > MOST_REFUSALS:
            yield f"{address} heard of {count} refusals in match {match} on {day}"
    answers: dict[tuple[str, object], list[str]] = defaultdict(list)
    for row in evidence.rows.outbox:
        if not row.address.endswith(PLAYERS):
            answers[row.address, row.created_at.date()].append(
                " ".join(str(section.get("code") or section["kind"]) for section in row.sections)
            )
    for (address, day), codes in answers.items():
        if len(codes) > MOST_ANSWERS or len(set(codes)) < len(codes):
            yield f"{address} got {codes} on {day}"


INVARIANTS: Sequence[Callable[[Evidence], Iterator[str]]] = (
    acknowledged_is_kept,
    kept_once,
    one_verdict,
    people_are_let_in,
    turns_are_contiguous,
    record_is_the_snapshot,
    played_as_written,
    moved_once,
    every_move_is_told,
    promises_are_kept,
    time_is_fair,
    sent_is_delivered,
    nothing_goes_astray,
    few_copies,
    caps_are_kept,
    requests_are_answered_once,
    wishes_are_told,
    undone_boards_are_asked_about,
    few_are_shunted,
)


def broken(evidence: Evidence) -> dict[str, list[str]]:
    """The exceptions to each invariant that has any, by its name."""
    found = {invariant.__name__: list(invariant(evidence)) for invariant in INVARIANTS}
    return {name: exceptions for name, exceptions in found.items() if exceptions}
