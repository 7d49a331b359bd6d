"""Who hears of what: one letter for each cause and address, made of sections in order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from pbem.matches import services
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match
from pbem.outbox.models import SEND_MAIL, OutboundMail, message_id
from pbem.outbox.notifications.kinds import KINDS
from pbem.outbox.notifications.match_events import SECTIONS
from pbem.outbox.notifications.notify import write_to_address, write_to_player
from pbem.players.models import Address, Player
from pbem.players.services import fall_silent
from tests.broker import Enqueued
from tests.mail_fixtures import MORNING, Correspondent

Row = tuple[str, str, list[str]]


@pytest.fixture
def match(alice: Correspondent, bruno: Correspondent) -> Match:
    match = services.start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    OutboundMail.objects.all().delete()
    return match


def written() -> list[Row]:
    rows = OutboundMail.objects.order_by("pk")
    return [
        (row.address.partition("@")[0], row.cause.partition(":")[0], [s["kind"] for s in row.sections])
        for row in rows
    ]


def test_what_nobody_asked_for_can_be_stopped_by_itself() -> None:
    """One click on such a letter stops its sort; where it has none, everything."""
    to_others = {by_other for _, by_other in SECTIONS.values()} - {""}
    for kind in to_others | {"parted", "watched", "digest", "relayed", "announcement"}:
        assert KINDS[kind].subscription is not None, kind


UNTOLD = {
    Event.Kind.AWAY,
    Event.Kind.BACK,
    Event.Kind.HINTED,
}  # of a hint `pbem.robots.studies` tells who asked


@pytest.mark.parametrize("kind", sorted({*Event.Kind} - UNTOLD))
def test_every_kind_of_event_is_told_to_both_seats(match: Match, kind: Event.Kind) -> None:
    by_author, by_other = SECTIONS[kind]
    facts = {"first": 0} if kind is Event.Kind.MOVED else {}
    record_event(match, kind, now=MORNING, side=0, letter=34, **facts)
    if kind == Event.Kind.REMINDED:  # nobody's business but theirs
        assert written() == [("alice", "letter", [by_author])]
        return
    assert written() == [("alice", "letter", [by_author]), ("bruno", "letter", [by_other])]


def test_what_nobody_at_the_board_did_is_told_to_both_alike(match: Match) -> None:
    record_event(match, Event.Kind.STARTED, now=MORNING)
    assert written() == [("alice", "event", ["turn"]), ("bruno", "event", ["turn"])]


def test_one_letter_for_each_cause_and_address(match: Match) -> None:
    for kind in (Event.Kind.MOVED, Event.Kind.OFFERED):
        record_event(match, kind, now=MORNING, side=0, letter=34)
    assert written() == [("alice", "letter", ["played", "offered"]), ("bruno", "letter", ["turn", "offer"])]


def test_the_same_section_is_not_written_twice(alice: Correspondent) -> None:
    for _ in range(2):
        write_to_player(alice.player, cause="letter:1", section={"kind": "games"}, now=MORNING)
    assert written() == [("alice", "letter", ["games"])]


def test_a_result_takes_the_place_of_the_move_that_brought_it(match: Match) -> None:
    for kind in (Event.Kind.MOVED, Event.Kind.ENDED):
        record_event(match, kind, now=MORNING, side=0, letter=34)
    assert written() == [("alice", "letter", ["result"]), ("bruno", "letter", ["result"])]
    assert {row.kind for row in OutboundMail.objects.all()} == {"result"}


def test_without_receipts_a_move_is_told_to_the_opponent_alone(match: Match) -> None:
    Player.objects.filter(name="Alice").update(receipts=False)
    match = Match.objects.get()
    match.to_move = 1
    record_event(match, Event.Kind.MOVED, now=MORNING, side=0, letter=34)
    assert written() == [("bruno", "letter", ["turn"])]
    record_event(match, Event.Kind.ENDED, now=MORNING, side=0, letter=35)
    assert ("alice", "letter", ["result"]) in written()


def test_without_receipts_too_a_player_is_told_that_the_opponent_had_to_pass(match: Match) -> None:
    """Else their clock would run, and no letter would say so."""
    Player.objects.filter(name="Alice").update(receipts=False)
    match = Match.objects.get()
    assert match.to_move == 0
    record_event(match, Event.Kind.MOVED, now=MORNING, side=0, letter=34)
    assert {who for who, _, _ in written()} == {"alice", "bruno"}


def test_a_silent_player_gets_answers_only(match: Match, bruno: Correspondent) -> None:
    fall_silent(bruno.player, now=MORNING)
    match = Match.objects.get()
    record_event(match, Event.Kind.MOVED, now=MORNING, side=0, letter=34)
    assert [who for who, _, _ in written()] == ["alice"]
    record_event(match, Event.Kind.OFFERED, now=MORNING, side=1, letter=35)
    assert ("bruno", "letter", ["offered"]) in written()


def test_nothing_goes_to_an_address_that_is_not_verified(match: Match) -> None:
    Address.objects.filter(email="bruno@example.org").update(verified_at=None)
    match = Match.objects.get()
    record_event(match, Event.Kind.MOVED, now=MORNING, side=0, letter=34)
    assert [who for who, _, _ in written()] == ["alice"]


def test_a_letter_belongs_to_a_match_unless_to_several(alice: Correspondent, match: Match) -> None:
    other = services.start(
        first=alice.player, second=match.seated[1].player, game="zertz", now=MORNING, rng=Random(1)
    )

    def tell(cause: str, *about: Match | None) -> Match | None:
        for number, one in enumerate(about):
            section = {"kind": "board", "number": number}
            ply = one.ply if one else None
            write_to_player(alice.player, cause=cause, section=section, match=one, ply=ply, now=MORNING)
        return OutboundMail.objects.get(cause=cause).match

    assert tell("a", None) is None
    assert tell("b", match, match) == match
    assert tell("c", None, match, None) == match
    assert tell("d", match, other) is None
    assert tell("e", None, match, other, match) is None


def test_a_message_id_follows_from_cause_and_address(alice: Correspondent) -> None:
    row = write_to_address(
        "dora@example.org", language="it", cause="letter:1", section={"kind": "games"}, now=MORNING
    )
    assert row.message_id == message_id("letter:1", "dora@example.org")
    assert row.message_id != message_id("letter:1", "alice@example.org")
    assert row.language == "it"


def test_a_letter_is_enqueued_once_after_the_commit(
    alice: Correspondent,
    django_capture_on_commit_callbacks: Callable[..., object],
    enqueued: Enqueued,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        for number in range(2):
            section = {"kind": "board", "number": number}
            row = write_to_player(alice.player, cause="letter:1", section=section, now=MORNING)
        assert enqueued[SEND_MAIL] == []
    assert row is not None
    assert enqueued[SEND_MAIL] == [row.pk]
