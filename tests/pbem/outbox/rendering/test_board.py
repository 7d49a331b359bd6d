"""The board at any moment of a match, as each reader sees it."""

import logging
from random import Random

import pytest

from games.kit.image import render_png
from games.kit.layout import DENSE, Caption
from games.move_numbers import score
from games.protocol import CANONICAL, Notation
from pbem.matches.models import Match
from pbem.matches.services import play, resign, start
from pbem.outbox.rendering.board import Board, board_at
from pbem.outbox.rendering.recipient import Look, Reader
from pbem.outbox.templatetags.mail import columns
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent

ITALIAN = Notation("it")
MOVES = ("Bd4,a1", "Wg7,a2", "Gb4,g4")


@pytest.fixture
def match(alice: Correspondent, bruno: Correspondent) -> Match:
    """Zèrtz, three turns old."""
    match = start(first=alice.player, second=bruno.player, game="zertz", now=MORNING, rng=Random(1))
    for move in MOVES:
        match = Match.objects.get(pk=match.pk)
        assert match.moving
        written = match.game.write(match.current(), match.game.move(move), match.moving.player.notation)
        play(match.moving, written, now=MORNING)
    return Match.objects.get(pk=match.pk)


def test_before_the_first_move(match: Match) -> None:
    board = board_at(match, 0, CANONICAL)
    assert (board.last, board.written_last, board.last_sentence, board.score) == (None, "", "", ())
    assert board.after == match.start_position()


@pytest.mark.parametrize("ply", [1, 2, 3])
def test_each_turn_shows_the_move_that_led_to_it(match: Match, ply: int) -> None:
    board = board_at(match, ply, CANONICAL)
    assert board.written_last == MOVES[ply - 1]
    assert board.after == match.record().replay()[ply]
    assert board.before == match.record().replay()[ply - 1]
    assert [str(line) for line in board.score] == [str(line) for line in score(MOVES[:ply])]


def test_the_reader_chooses_the_language(match: Match) -> None:
    board = board_at(match, 1, ITALIAN)
    assert board.written_last == "Nd4,a1"
    assert "nera" in board.last_sentence
    assert board.last_sentence.startswith("Alice ")


@pytest.mark.parametrize("ply", [-1, 4])
def test_what_was_not_played_is_no_board(match: Match, ply: int) -> None:
    with pytest.raises(IndexError):
        board_at(match, ply, CANONICAL)


def test_the_examples_are_legal_and_always_the_same(match: Match) -> None:
    examples = board_at(match, 3, ITALIAN).examples()
    assert examples == board_at(match, 3, ITALIAN).examples()
    assert len(examples) == 2
    for example in examples:
        move = match.game.read(match.current(), example, ITALIAN)
        assert match.current().objection(move) is None


def test_turns_that_were_taken_back_are_not_shown(match: Match) -> None:
    undone = match.events.latest("pk")
    match.turns.filter(ply__gte=1).update(undone_by=undone)
    match.ply = 1
    assert board_at(match, 1, CANONICAL).written_last == "Bd4,a1"


def test_the_score_begins_with_a_move_of_the_side_that_began(
    alice: Correspondent, bruno: Correspondent
) -> None:
    match = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    rng = Random(3)
    for _ in range(23):
        match = Match.objects.get(pk=match.pk)
        assert match.moving
        play(match.moving, str(match.current().sample(rng)), now=MORNING)
    match = Match.objects.get(pk=match.pk)
    moves = match.record().moves
    board = board_at(match, 23, CANONICAL)
    assert [line.mark for line in board.score] == ["7.", "8.", "9.", "10.", "11.", "12."]
    assert [move for line in board.score for move in line.moves] == list(moves[12:])
    assert (board.mark, board.numbered_last) == ("12.", f"12. {moves[22]}")
    assert board_at(match, 22, CANONICAL).numbered_last == f"11... {moves[21]}"
    assert columns(board.score).splitlines()[-1].endswith(f"12. {moves[22]}")


def test_a_picture_repeats_nothing_that_the_letter_says(match: Match) -> None:
    """Neither the game, the match and its move, nor the last move in words."""
    board = board_at(match, 3, Notation("en"))
    assert board.picture == render_png(board.scene, board.speech, Caption(""), width=DENSE)


def test_long_moves_stand_in_lines_of_their_own() -> None:
    chain = "x".join(["d6", "f8", "h6", "f4"] * 3)
    assert columns(tuple(score(["a1", "b2", "c3"]))) == "    1. a1 b2   2. c3"
    assert columns(tuple(score([chain, chain, "a1"]))) == f"    1. {chain}\n    1... {chain}\n    2. a1"


def test_a_picture_is_drawn_once_for_both_readers_of_a_language(match: Match) -> None:
    first, second = (board_at(match, 3, CANONICAL).picture for _ in range(2))
    assert first is not None
    assert first is second
    assert first.startswith(b"\x89PNG")
    assert board_at(match, 3, CANONICAL, Look(width=400)).picture is first, "shown smaller"
    others = Look(theme="dark"), Look(turned=True)
    seen = {first, *(board_at(match, 3, CANONICAL, look).picture for look in others)}
    seen.add(board_at(match, 3, Notation("it")).picture)
    assert len(seen) == 4, "whoever sees something else gets a picture of their own"


def test_what_cannot_be_drawn_is_logged_and_left_out(
    match: Match, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def spilt(*args: object) -> bytes:
        raise MemoryError("no ink")

    monkeypatch.setattr("pbem.outbox.rendering.board._picture", spilt)
    with caplog.at_level(logging.ERROR):
        assert board_at(match, 3, CANONICAL).picture is None
    assert Code.RENDER_FAILED in caplog.text


def test_nobody_is_to_move_once_somebody_resigned(match: Match) -> None:
    assert not board_at(match, 3, CANONICAL).over
    resign(match.seated[0], now=MORNING)
    board = board_at(match, 3, CANONICAL)
    assert board.over
    assert board.scene.to_move is None
    assert board_at(match, 2, CANONICAL).scene.to_move is not None


def test_a_board_that_the_organiser_laid_is_named_as_its_reader_counts(
    alice: Correspondent, bruno: Correspondent
) -> None:
    laid = start(
        first=alice.player,
        second=bruno.player,
        game="zertz",
        setup="a1-4 b1-5 c1-6 d3-6",
        now=MORNING,
        rng=Random(1),
    )
    assert laid.moving
    written = laid.game.write(laid.current(), laid.game.move("Wd6,a1"), laid.moving.player.notation)
    play(laid.moving, written, now=MORNING)
    board = board_at(Match.objects.get(pk=laid.pk), 1, Notation(coordinates="gipf"))
    assert board.last_sentence == "Alice puts a white marble on d4 and removes ring a1."
    assert [line.split()[0] for line in board.text.splitlines()[:7:2]] == ["a1", "b1", "c1", "d1"]
    assert board.picture is not None
    assert board.after == board.match.record().replay()[-1] == board.match.current()


def test_who_plays_second_at_chess_sees_the_board_from_their_own_side(
    alice: Correspondent, bruno: Correspondent
) -> None:
    match = start(first=alice.player, second=bruno.player, game="trapdoor", now=MORNING, rng=Random(1))
    other = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))

    def shown(match: Match, reader: Correspondent) -> Board:
        player = Player.objects.get(pk=reader.player.pk)
        reads = Reader(reader.email, "en", player, MORNING, match)
        return board_at(Match.objects.get(pk=match.pk), 0, CANONICAL, reads.look_at(match))

    for_white, for_black = shown(match, alice), shown(match, bruno)
    assert for_white.text.splitlines()[1].startswith("8 |")
    assert for_black.text.splitlines()[1].startswith("1 |")
    assert for_black.picture != for_white.picture
    assert shown(other, bruno).picture is shown(other, alice).picture, "there nobody sits opposite"
    Player.objects.filter(pk=bruno.player.pk).update(own_side=False)
    assert shown(match, bruno).text == for_white.text
    assert shown(match, bruno).picture is shown(match, alice).picture
