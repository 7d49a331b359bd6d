"""A turn and a question that one email brings: each has a letter in which it can be answered."""

import pytest

from pbem.inbox.models import Confirmation
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent, Post

EDITH, SARA = "edith@example.org", "sara@example.org"


@pytest.fixture(params=["pass", "none"])
def dmarc(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(
    ("first", "yes", "move"),
    [
        ("REGISTER Edith\nCHALLENGE Robot-1 loa", "Yes please, but Emergo, I think.", "e3"),
        ("ISCRIVIMI Edith\nSFIDA Robot-1 loa", "Sì, ma a Emergo, direi.", "e3"),
    ],
)
def test_a_yes_with_another_game_is_asked_about_and_the_turn_is_answered_with_a_move(
    post: Post, dmarc: str, first: str, yes: str, move: str
) -> None:
    edith = Correspondent(post, "Edith", EDITH)
    edith.writes(first, dmarc=dmarc)
    edith.answers(edith.letter, yes, dmarc=dmarc)
    assert not Match.objects.exists()
    edith.answers(edith.letter, "Sì", dmarc=dmarc)
    match = Match.objects.get()
    assert match.game_name == "emergo"
    assert not Confirmation.objects.filter(used_at=None).exists()
    if match.to_move != match.seats.get(player=edith.player).side:
        return
    edith.answers(edith.letter, move, dmarc=dmarc)
    assert [turn.move for turn in match.live_turns()] == [move]


@pytest.mark.parametrize(
    ("who", "first", "again"),
    [
        ("alice", "JOIN {}\nCHALLENGE Charlie emergo", "I'd like to play zertz with someone too"),
        ("bruno", "ENTRO {}\nSFIDA Charlie emergo", "vorrei giocare anche a zertz con qualcuno"),
    ],
)
def test_a_question_that_comes_with_a_turn_has_a_letter_of_its_own(
    request: pytest.FixtureRequest, charlie: Correspondent, who: str, first: str, again: str
) -> None:
    writer: Correspondent = request.getfixturevalue(who)
    charlie.writes("OFFER loa second")
    number = charlie.player.seeks.get().pk
    writer.writes(f"{first.format(number)}\n{again}")
    letters = {letter.kind: letter for letter in writer.reads()}
    match = Match.objects.get(game_name="loa")
    question = Confirmation.objects.get(used_at=None)
    assert question.lines[0].endswith("zertz")
    assert len({letter.reply_to for letter in letters.values()}) == len(letters) > 1
    turn = next(letter for letter in letters.values() if letter.kind != "confirm")
    assert writer.answers(letters["confirm"], "YES").verdict == "ok"
    assert writer.player.seeks.count() == 1
    assert writer.answers(turn, f"{match.pk} b8-b6").verdict == "ok"
    assert [each.move for each in match.live_turns()] == ["b8-b6"]
