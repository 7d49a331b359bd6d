"""What can be done with matches, called directly: each verb changes what it says and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from django.db import IntegrityError, transaction

from games.protocol import Side
from games.registry import games
from pbem.matches import services
from pbem.matches.models import Event, Match, Seat, Turn
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from tests.mail_fixtures import MORNING, Correspondent

Begin = Callable[..., Match]
LATER = MORNING.replace(hour=18)


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match = Match.objects.get(pk=match.pk)
        assert match.moving
        services.play(match.moving, move, now=MORNING)
    return Match.objects.get(pk=match.pk)


def refused(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda refusal: refusal.code == code)


def kinds(match: Match) -> list[str]:
    return [event.kind for event in match.events.order_by("pk")]


def propose(challenger: Player, opponent: Player, game: str = "loa", *options: str) -> Match:
    return services.propose(
        challenger=challenger, opponent=opponent, game=game, options=options, now=MORNING, rng=Random(2)
    )


def test_a_match_that_the_organiser_starts(begin: Begin) -> None:
    match = begin("zertz:blitz")
    assert (match.status, match.ply, match.to_move) == (Match.Status.PLAYING, 0, Side.FIRST)
    assert match.started_at == MORNING
    assert match.game_name == "zertz:blitz"
    assert kinds(match) == ["started"]


def test_the_organiser_does_not_let_anybody_play_himself(alice: Correspondent) -> None:
    with refused(Code.AGAINST_YOURSELF):
        services.start(first=alice.player, second=alice.player, game="loa", now=MORNING, rng=Random(1))
    assert not Match.objects.exists()


def test_a_setup_that_the_game_has_not_is_refused(begin: Begin) -> None:
    with refused(Code.BAD_SETUP):
        begin("loa", setup="upside down")
    with refused(Code.NO_SUCH_GAME):
        begin("halma")
    assert not Match.objects.exists()


@pytest.mark.parametrize("key", sorted(games()))
def test_a_side_has_every_name_that_the_game_gives_it(
    alice: Correspondent, bruno: Correspondent, key: str
) -> None:
    game = games()[key]
    for language in ("en", "it"):
        spoken = game.phrases(language)["sides"]
        for side in Side:
            match = propose(alice.player, bruno.player, key, spoken[game.sides[side]].upper())
            assert match.players[side] == "Alice"


def test_the_last_wish_counts(alice: Correspondent, bruno: Correspondent) -> None:
    assert propose(alice.player, bruno.player, "loa", "first", "white").players == ("Bruno", "Alice")


def test_a_turn_is_written_with_the_position_after_it(begin: Begin) -> None:
    match = play(begin(), "b1-b3")
    turn = match.turns.get()
    assert (turn.ply, turn.side, turn.move, turn.written) == (0, 0, "b1-b3", "b1-b3")
    assert turn.position == match.position
    assert match.record().replay()[-1] == match.current()
    assert (match.ply, match.to_move) == (1, Side.SECOND)


def test_a_turn_counts_from_the_arrival_of_the_letter(begin: Begin) -> None:
    match = begin()
    assert match.moving
    services.play(match.moving, "b1-b3", now=LATER, arrived=MORNING)
    assert match.turns.get().played_at == MORNING
    assert match.events.latest("pk").happened_at == LATER


@pytest.mark.parametrize(
    ("text", "ply", "code"),
    [
        ("b1-b4", None, Code.ILLEGAL_MOVE),
        ("hello", None, Code.NO_MOVE_FOUND),
        ("b1-b3", 1, Code.STALE_TURN),
        ("b1-b3", 7, Code.STALE_TURN),
    ],
)
def test_a_refused_move_changes_nothing(begin: Begin, text: str, ply: int | None, code: str) -> None:
    match = begin()
    assert match.moving
    with refused(code):
        services.play(match.moving, text, ply=ply, now=MORNING)
    assert not Turn.objects.exists()
    assert kinds(match) == ["started"]


def test_only_whoever_is_to_move_moves(begin: Begin) -> None:
    match = begin()
    with refused(Code.NOT_YOUR_TURN):
        services.play(match.seated[1], "a2-c2", now=MORNING)


def test_two_turns_cannot_have_the_same_number(begin: Begin) -> None:
    """What two workers at once would do, were the match not locked."""
    match = play(begin(), "b1-b3")
    twin = match.turns.get()
    twin.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


def test_a_result_is_told_after_the_move_that_brought_it(begin: Begin) -> None:
    match = play(begin(), *["b1-b3", "a2-c2", "b3-b1", "c2-a2"] * 2)
    assert (match.status, match.reason, match.ended_at) == (Match.Status.OVER, "repetition", MORNING)
    assert kinds(match)[-2:] == ["moved", "ended"]
    assert match.to_move is None


def test_twice_is_no_repetition_yet(begin: Begin) -> None:
    match = play(begin(), "b1-b3", "a2-c2", "b3-b1", "c2-a2")
    assert match.status == Match.Status.PLAYING


def test_turns_taken_back_do_not_count_as_repetition(begin: Begin) -> None:
    match = play(begin(), *["b1-b3", "a2-c2", "b3-b1", "c2-a2"] * 2)
    event = match.events.latest("pk")
    match.turns.filter(ply__gte=4).update(undone_by=event)
    Match.objects.update(status=Match.Status.PLAYING, ply=4, to_move=0)
    assert play(match, "b1-b3", "a2-c2", "b3-b1").status == Match.Status.PLAYING


def test_draw_in_answer_to_an_offer_accepts_it(begin: Begin) -> None:
    match = begin()
    services.offer_draw(match.seated[0], now=MORNING)
    services.offer_draw(match.seated[1], now=MORNING)
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, None, "agreed")


def test_an_offer_outlives_the_own_move_but_not_the_answer(begin: Begin) -> None:
    match = begin()
    services.offer_draw(match.seated[0], now=MORNING)
    assert play(match, "b1-b3").draw_offered_by == 0
    assert play(match, "a2-c2").draw_offered_by is None


def test_nothing_stands_open(begin: Begin) -> None:
    match = begin()
    for verb in (services.accept, services.decline):
        with refused(Code.OFFER_GONE):
            verb(match.seated[0], now=MORNING)


def test_resigning_gives_the_match_to_the_other(begin: Begin) -> None:
    match = begin()
    services.resign(match.seated[0], now=MORNING)
    assert (match.winner, match.reason, match.to_move) == (Side.SECOND, "resigned", None)
    for verb in (services.resign, services.offer_draw):
        with refused(Code.MATCH_OVER):
            verb(match.seated[1], now=MORNING)


def test_a_new_salt_is_remembered_to_tell_revoked_from_unknown(begin: Begin) -> None:
    seat = begin().seated[0]
    old = bytes(seat.salt)
    services.revoke_tokens(seat)
    seat = Seat.objects.get(pk=seat.pk)
    assert bytes(seat.salt) != old
    assert seat.revoked_salts == [old.hex()]


def test_everything_is_undone_when_a_subscriber_fails(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    """Event, turn and letters live and die in one transaction."""
    match = begin()
    before = Event.objects.count()

    def fails(event: Event) -> None:
        raise RuntimeError("a subscriber stumbles")

    monkeypatch.setattr("pbem.matches.events._subscribers", [fails])
    assert match.moving
    with pytest.raises(RuntimeError), transaction.atomic():
        services.play(match.moving, "b1-b3", now=MORNING)
    assert (Turn.objects.count(), Event.objects.count()) == (0, before)
    assert Match.objects.get().ply == 0
