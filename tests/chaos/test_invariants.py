"""Each invariant holds in a small story that went well, and finds the one thing that goes wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.record import Record
from pbem.refusals import Code
from tests.chaos import rows
from tests.chaos.evidence import Evidence, Undone
from tests.chaos.invariants import INVARIANTS, broken
from tests.chaos.match import Match
from tests.chaos.noise import MALLORY
from tests.chaos.writer import Pen
from tests.smtp_fixtures import Letter

ALICE, BRUNO, CHARLIE = "first0@players.localhost", "second0@players.localhost", "pest1@strangers.localhost"
NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
MOVES = ("c1-c3", "a3-c5")
POSITIONS = tuple(map(str, Record("loa", 1, MOVES).replay()))


def went_well() -> Evidence:
    """Alice and Bruno have played a move each, and Charlie has asked to be let in."""
    pen = Pen(seed=1)
    submissions = [
        pen.letter("move", ALICE, MOVES[0], to="m+a@pbem.localhost", move=(0, 0)),
        pen.letter("move", BRUNO, MOVES[1], to="m+b@pbem.localhost", move=(0, 1)),
        pen.letter("junk", CHARLIE, "REGISTER Charlie"),
    ]
    for at, submission in enumerate(submissions):
        submission.acknowledged = float(at)
    inbox = [
        rows.Inbound(number, submission.raw, submission.to, NOW, "ok")
        for number, submission in enumerate(submissions)
    ]
    outbox = [
        _told(1, ALICE, "played", 7, 1),
        _told(2, BRUNO, "turn", 7, 1),
        _told(3, BRUNO, "played", 8, 1),
        _told(4, ALICE, "turn", 8, 1),
        replace(_told(5, CHARLIE, "signup", 0, 1), match_id=None, sections=[{"kind": "signup"}]),
    ]
    turns = [rows.Turn(1, ply, move, POSITIONS[ply + 1]) for ply, move in enumerate(MOVES)]
    boards = [rows.Event(7, 1, "moved", 1, 0), rows.Event(8, 1, "moved", 2, 1)]
    tables = rows.Rows(
        inbox,
        outbox,
        [rows.Match(1, "loa", 1, "", "playing", 2, POSITIONS[-1])],
        [rows.Seat(1, 0, ALICE), rows.Seat(1, 1, BRUNO)],
        turns,
        boards,
    )
    story = [Match(0, "loa", (ALICE, BRUNO), ("en", "en"), MOVES)]
    return Evidence(submissions, [_copy(row) for row in outbox], {}, tables, story, senders_killed=0)


def test_all_is_well() -> None:
    assert broken(went_well()) == {}


def _told(number: int, to: str, kind: str, event: int, match: int) -> rows.Outbound:
    sections = [{"kind": kind, "event": event}]
    return rows.Outbound(number, kind, to, match, sections, NOW, "sent", "", f"<{number}@pbem.localhost>")


def _copy(row: rows.Outbound, reply_to: str = "play@pbem.localhost") -> Letter:
    raw = f"Message-ID: {row.message_id}\r\nX-PBeM-Letter: {row.kind}\r\nReply-To: {reply_to}\r\n\r\n"
    return Letter(row.address, raw.encode(), at=9.0)


def _with_rows(evidence: Evidence, **tables: Any) -> Evidence:
    return replace(evidence, rows=replace(evidence.rows, **tables))


def _inbox(change: Callable[[list[rows.Inbound]], list[rows.Inbound]]) -> Callable[[Evidence], Evidence]:
    return lambda evidence: _with_rows(evidence, inbox=change(list(evidence.rows.inbox)))


def _outbox(change: Callable[[list[rows.Outbound]], list[rows.Outbound]]) -> Callable[[Evidence], Evidence]:
    return lambda evidence: _with_rows(evidence, outbox=change(list(evidence.rows.outbox)))


def _turns(change: Callable[[list[rows.Turn]], list[rows.Turn]]) -> Callable[[Evidence], Evidence]:
    return lambda evidence: _with_rows(evidence, turns=change(list(evidence.rows.turns)))


def _copies(change: Callable[[list[Letter]], list[Letter]]) -> Callable[[Evidence], Evidence]:
    return lambda evidence: replace(evidence, copies=change(list(evidence.copies)))


def _never_taken(evidence: Evidence) -> Evidence:
    evidence.submissions[0].acknowledged = None
    return evidence


def _guessed_and_taken(evidence: Evidence) -> Evidence:
    evidence.submissions[2].what = "guessed"
    return evidence


def _unfinished(evidence: Evidence) -> Evidence:
    match = replace(evidence.rows.matches[0], ply=1, position=POSITIONS[1])
    return _with_rows(evidence, turns=evidence.rows.turns[:1], matches=[match])


def _many_refusals(evidence: Evidence) -> Evidence:
    first = evidence.rows.outbox[1]
    more = [
        replace(first, id=100 + n, message_id=f"<{100 + n}@pbem.localhost>", sections=[{"kind": "refused"}])
        for n in range(21)
    ]
    evidence = replace(evidence, copies=[*evidence.copies, *map(_copy, more)])
    return _with_rows(evidence, outbox=[*evidence.rows.outbox, *more])


def _taken_back(evidence: Evidence) -> Evidence:
    return _with_rows(evidence, boards=[*evidence.rows.boards, rows.Event(9, 1, "undone", 1, 2)])


def _promised(evidence: Evidence) -> Evidence:
    """With her first move Alice says what she answers to the second, which is never played."""
    evidence.story[0].promised.add(0)
    evidence.submissions[0].raw += b"IF h8-f6 THEN d1-d3\r\n"
    return evidence


def _flagged(evidence: Evidence, deadline: datetime | None) -> Evidence:
    """Alice's second move is acknowledged, and she loses on time."""
    move = Pen(seed=2).letter("move", ALICE, "d1-d3", to="m+c@pbem.localhost", move=(0, 2))
    move.acknowledged, move.heard_at = 9.0, NOW
    row = rows.Inbound(5, move.raw, move.to, NOW, Code.MATCH_OVER)
    story = replace(evidence.story[0], moves=(*MOVES, "d1-d3"), deadlines={2: deadline} if deadline else {})
    match = replace(evidence.rows.matches[0], status="over", reason="time")
    evidence = replace(evidence, submissions=[*evidence.submissions, move], story=[story])
    return _with_rows(evidence, inbox=[*evidence.rows.inbox, row], matches=[match])


def _too_late(evidence: Evidence) -> Evidence:
    evidence.story[0].deadlines[1] = NOW - timedelta(seconds=1)
    return evidence


def _forger_is_told(evidence: Evidence) -> Evidence:
    row = replace(evidence.rows.outbox[4], address=MALLORY)
    return _with_rows(
        replace(evidence, copies=[*evidence.copies[:4], _copy(row)]), outbox=[*evidence.rows.outbox[:4], row]
    )


def _pestered(evidence: Evidence) -> Evidence:
    first = evidence.rows.outbox[4]
    more = [
        replace(
            first,
            id=9 + n,
            message_id=f"<{9 + n}@pbem.localhost>",
            sections=[{"kind": "refused", "code": f"C{n}"}],
        )
        for n in range(5)
    ]
    evidence = replace(evidence, copies=[*evidence.copies, *map(_copy, more)])
    return _with_rows(evidence, outbox=[*evidence.rows.outbox, *more])


def _digested(evidence: Evidence, *, forgets: bool) -> Evidence:
    """Alice has a digest, and Bruno's first move is told there, if it is."""
    digest = replace(
        _told(6, ALICE, "digest", 0, 1),
        sections=[{"kind": "digest"}, {"kind": "digested", "news": [{"kind": "turn", "event": 8}]}],
        match_id=None,
    )
    told = [row for row in evidence.rows.outbox if row.id != 4] + ([] if forgets else [digest])
    story = [replace(evidence.story[0], digests=frozenset({ALICE}))]
    evidence = replace(evidence, story=story, copies=[_copy(row) for row in told])
    return _with_rows(evidence, outbox=told)


def _restored(evidence: Evidence, *, asked: bool) -> Evidence:
    """Nothing is lost but what Bruno was told; he answers that after the restore, with the move that stands there."""
    undone = Undone(8.0, 10.0, NOW, 1, {(ALICE, BRUNO): evidence.rows.matches[0]})
    old = replace(_told(9, BRUNO, "turn", 0, 1), match_id=None)
    copies = [*(replace(copy, at=1.0) for copy in evidence.copies), _copy(old, "m+old@pbem.localhost")]
    move = Pen(seed=3).letter("move", BRUNO, MOVES[1], to="m+old@pbem.localhost", move=(0, 1))
    move.acknowledged = 11.0
    row = rows.Inbound(2_000_000, move.raw, move.to, NOW, Code.CONFIRM_NEEDED)
    told = replace(_told(7, BRUNO, "confirm", 0, 1), cause="letter:2000000")
    outbox = [*evidence.rows.outbox, *([told] if asked else [])]
    evidence = replace(
        evidence,
        undone=[undone],
        submissions=[*evidence.submissions, move],
        copies=[*copies, *([replace(_copy(told), at=12.0)] if asked else [])],
    )
    return _with_rows(evidence, inbox=[*evidence.rows.inbox, row], outbox=outbox)


def _plays_on_another_board(evidence: Evidence) -> Evidence:
    evidence = _restored(evidence, asked=True)
    first, second = evidence.rows.boards
    return _with_rows(evidence, boards=[first, replace(second, letter=2_000_000)])


def _set_aside(evidence: Evidence) -> Evidence:
    return _inbox(lambda rows: [*rows[:2], replace(rows[2], verdict=Code.POISON)])(evidence)


def _looked_into(evidence: Evidence, kinds: tuple[str, ...], found: str, *causes: str) -> Evidence:
    """Bruno asks what the match was about. `kinds` are what he hears at once, `causes` of what comes later."""
    asked = Pen(seed=4).letter("analyse", BRUNO, "ANALYSE", to="m+d@pbem.localhost")
    asked.acknowledged = 4.0
    row = rows.Inbound(6, asked.raw, asked.to, NOW, "ok")
    answers = [replace(_told(20 + n, BRUNO, kind, 0, 1), cause="letter:6") for n, kind in enumerate(kinds)]
    later = [replace(_told(30 + n, BRUNO, "analysis", 0, 1), cause=cause) for n, cause in enumerate(causes)]
    wish = rows.Wish(2, 1, "analysis", found, BRUNO, bool(causes) or "analysis" in kinds)
    evidence = replace(
        evidence,
        submissions=[*evidence.submissions, asked],
        copies=[*evidence.copies, *map(_copy, [*answers, *later])],
    )
    inbox, outbox = [*evidence.rows.inbox, row], [*evidence.rows.outbox, *answers, *later]
    return _with_rows(evidence, inbox=inbox, outbox=outbox, wishes=[wish])


WRONG: tuple[tuple[str, Callable[[Evidence], Evidence], str], ...] = (
    ("a letter that heard 250 is gone", _inbox(lambda rows: rows[:-1]), "acknowledged_is_kept"),
    ("a letter is there twice", _inbox(lambda rows: [*rows, replace(rows[0], id=9)]), "kept_once"),
    ("a letter comes from nowhere", _inbox(lambda rows: [*rows, replace(rows[0], raw=b"x")]), "kept_once"),
    ("a letter lies unopened", _inbox(lambda rows: [*rows[:2], replace(rows[2], verdict="")]), "one_verdict"),
    ("a player is kept out", _never_taken, "people_are_let_in"),
    ("a guessed address works", _guessed_and_taken, "people_are_let_in"),
    ("a turn is missing", _turns(lambda turns: turns[1:]), "turns_are_contiguous"),
    ("a turn is there twice", _turns(lambda turns: [*turns, turns[-1]]), "turns_are_contiguous"),
    (
        "a position is not what was played",
        _turns(lambda turns: [replace(turns[0], position=POSITIONS[0]), turns[1]]),
        "record_is_the_snapshot",
    ),
    (
        "another move stands there",
        _turns(lambda turns: [replace(turns[0], move="d1-d3"), turns[1]]),
        "played_as_written",
    ),
    ("a move was never played", _unfinished, "played_as_written"),
    (
        "a letter moves twice",
        lambda evidence: _with_rows(
            evidence, boards=[*evidence.rows.boards, replace(evidence.rows.boards[0], id=9)]
        ),
        "moved_once",
    ),
    (
        "a stranger's letter moves",
        lambda evidence: _with_rows(
            evidence, boards=[evidence.rows.boards[0], replace(evidence.rows.boards[1], letter=2)]
        ),
        "moved_once",
    ),
    ("the opponent is not told", _outbox(lambda rows: [rows[0], *rows[2:]]), "every_move_is_told"),
    (
        "he is told in two letters",
        _outbox(lambda rows: [*rows, replace(rows[1], id=9)]),
        "every_move_is_told",
    ),
    ("a takeback is told to nobody", _taken_back, "every_move_is_told"),
    ("a digest forgets a move", lambda evidence: _digested(evidence, forgets=True), "every_move_is_told"),
    ("an older board is played on", _plays_on_another_board, "undone_boards_are_asked_about"),
    (
        "whoever answers an older board hears nothing",
        lambda evidence: _restored(evidence, asked=False),
        "undone_boards_are_asked_about",
    ),
    (
        "who asks for an analysis hears nothing",
        lambda evidence: _looked_into(evidence, (), "done", "wish:2"),
        "requests_are_answered_once",
    ),
    (
        "who asks for an analysis hears twice that it comes",
        lambda evidence: _looked_into(evidence, ("analysed", "analysed"), "done", "wish:2"),
        "requests_are_answered_once",
    ),
    (
        "who asks for an analysis is refused and served",
        lambda evidence: _looked_into(evidence, ("analysed", "refused"), "done", "wish:2"),
        "requests_are_answered_once",
    ),
    (
        "what a robot was asked is forgotten",
        lambda evidence: _looked_into(evidence, ("analysed",), "waiting"),
        "wishes_are_told",
    ),
    (
        "what a robot has found is told to nobody",
        lambda evidence: _looked_into(evidence, ("analysed",), "done"),
        "wishes_are_told",
    ),
    (
        "what a robot has found is told twice",
        lambda evidence: _looked_into(evidence, ("analysed",), "done", "wish:2", "wish:2"),
        "wishes_are_told",
    ),
    ("a letter is set aside though nobody died", _set_aside, "few_are_shunted"),
    ("what was said beforehand is not played", _promised, "promises_are_kept"),
    ("a flag falls too early", lambda evidence: _flagged(evidence, NOW), "time_is_fair"),
    ("a flag falls for no reason", lambda evidence: _flagged(evidence, None), "time_is_fair"),
    ("a move counts that came too late", _too_late, "time_is_fair"),
    ("a player hears too often that he was wrong", _many_refusals, "caps_are_kept"),
    ("a letter was never delivered", _copies(lambda copies: copies[1:]), "sent_is_delivered"),
    (
        "a letter waits for ever",
        _outbox(lambda rows: [replace(rows[0], status="waiting"), *rows[1:]]),
        "sent_is_delivered",
    ),
    (
        "a letter goes to somebody else",
        _copies(lambda copies: [replace(copies[0], to=CHARLIE), *copies[1:]]),
        "nothing_goes_astray",
    ),
    (
        "a board goes to somebody who does not play",
        _outbox(lambda rows: [*rows[:4], replace(rows[4], match_id=1)]),
        "nothing_goes_astray",
    ),
    ("a forger is answered", _forger_is_told, "nothing_goes_astray"),
    ("a letter comes twice for no reason", _copies(lambda copies: [*copies, copies[0]]), "few_copies"),
    ("a stranger gets six letters a day", _pestered, "caps_are_kept"),
)


@pytest.mark.parametrize(("what", "goes_wrong", "invariant"), WRONG, ids=[what for what, *_ in WRONG])
def test_what_goes_wrong_is_found(
    what: str, goes_wrong: Callable[[Evidence], Evidence], invariant: str
) -> None:
    assert invariant in broken(goes_wrong(went_well()))


def test_every_invariant_has_been_seen_to_find_something() -> None:
    assert {invariant for *_, invariant in WRONG} == {invariant.__name__ for invariant in INVARIANTS}


def test_a_move_that_was_asked_for_anew_promises_nothing() -> None:
    evidence = _promised(went_well())
    first = evidence.submissions[0]
    again = replace(first, message_id="<again@8.players.localhost>", raw=first.raw.split(b"IF")[0])
    again.raw = again.raw.replace(first.message_id.encode(), again.message_id.encode())
    row = replace(evidence.rows.inbox[0], id=9, raw=again.raw)
    refused = replace(evidence.rows.inbox[0], verdict=Code.REVOKED)
    evidence = replace(evidence, submissions=[*evidence.submissions, again])
    found = broken(_with_rows(evidence, inbox=[refused, *evidence.rows.inbox[1:], row]))
    assert "promises_are_kept" not in found


def test_a_move_is_told_in_a_digest() -> None:
    assert not broken(_digested(went_well(), forgets=False))


def test_an_analysis_comes_later_or_at_once() -> None:
    assert not broken(_looked_into(went_well(), ("analysed",), "done", "wish:2"))
    assert not broken(_looked_into(went_well(), ("analysis",), "done"))
    assert not broken(_looked_into(went_well(), ("analysed",), "failed", "wish:2"))


def test_what_a_restore_has_undone_is_no_loss() -> None:
    assert not broken(_restored(went_well(), asked=True))


def test_a_move_that_comes_late_because_we_were_away_is_in_time() -> None:
    evidence = _too_late(went_well())
    away = rows.Outage(NOW - timedelta(minutes=2), NOW - timedelta(seconds=1))
    assert broken(_with_rows(evidence, outages=[away])) == {}
    long_ago = rows.Outage(NOW - timedelta(minutes=2), NOW - timedelta(minutes=1))
    assert set(broken(_with_rows(evidence, outages=[long_ago]))) == {"time_is_fair"}


def test_a_flag_that_falls_after_the_end_of_his_time_is_just() -> None:
    assert not broken(_flagged(went_well(), NOW - timedelta(seconds=1)))


def test_a_copy_too_many_is_explained_by_a_lost_reply_or_a_sender_that_died() -> None:
    evidence = went_well()
    twice = replace(evidence, copies=[*evidence.copies, evidence.copies[0]])
    assert not broken(replace(twice, senders_killed=1))
    assert not broken(replace(twice, dropped={evidence.copies[0].message_id: 1}))
