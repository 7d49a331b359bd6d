"""From a row to a letter that can leave, whatever the row tells."""

from random import Random

import pytest

from pbem.matches.models import Match
from pbem.matches.services import play, start
from pbem.outbox.compose import compose
from pbem.outbox.models import OutboundMail
from pbem.outbox.telling import write_to_player
from tests.post import MORNING, Correspondent, Post, play_address


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    return start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))


def test_the_same_row_gives_the_same_bytes(match: Match) -> None:
    for row in OutboundMail.objects.all():
        assert compose(row).raw == compose(row).raw


def test_a_letter_that_leaves_late_still_tells_of_its_own_turn(match: Match) -> None:
    """Alice's receipt is written while the relay is away, and sent when Bruno has moved."""
    play(match.seated[0], "b1-b3", now=MORNING)
    receipt = OutboundMail.objects.get(kind="played", address="alice@example.org")
    before = compose(receipt)
    play(Match.objects.get().seated[1], "a2-c2", now=MORNING)
    after = compose(OutboundMail.objects.get(pk=receipt.pk))
    assert "b1-b3" in after.text
    assert "a2-c2" not in after.text
    assert "passes" not in after.text
    assert len(after.pictures) == len(before.pictures) == 1


def test_a_board_is_shown_once_though_two_sections_are_about_it(match: Match, alice: Correspondent) -> None:
    for kind in ("board", "refused"):
        section = {"kind": kind, "match": match.pk, "ply": 0, "code": "G06"}
        row = write_to_player(
            alice.player, cause="letter:1", section=section, match=match, ply=0, now=MORNING
        )
    assert row is not None
    letter = compose(OutboundMail.objects.get(pk=row.pk))
    assert len(letter.pictures) == 1
    assert letter.html.count("cid:") == 1


def test_a_letter_without_its_picture_shows_the_text_board(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = OutboundMail.objects.filter(kind="turn").first()
    assert row is not None
    whole = compose(row)
    monkeypatch.setattr("pbem.outbox.board.Board.picture", None)
    bare = compose(row)
    assert bare.pictures == ()
    assert bare.text == whole.text
    assert "<pre" in bare.html
    assert "cid:" not in bare.html


@pytest.mark.parametrize("kinds", [("board", "games"), ("games", "board"), ("games", "help")])
def test_any_order_of_answers_has_a_subject(
    match: Match, alice: Correspondent, kinds: tuple[str, str]
) -> None:
    for kind in kinds:
        section = {"kind": kind, "topic": "", "commands": []} | (
            {"match": match.pk} if kind == "board" else {}
        )
        about = match if kind == "board" else None
        row = write_to_player(
            alice.player, cause="letter:1", section=section, match=about, ply=about and 0, now=MORNING
        )
    assert row is not None
    letter = compose(OutboundMail.objects.get(pk=row.pk))
    assert letter.subject == (str(match) if "board" in kinds else letter.subject)
    assert letter.subject
    assert play_address() in letter.text
