"""What players say to each other: relayed with the move or alone, never with an address."""

import pytest

from pbem.inbox.commands.absent_games import asked_for
from pbem.inbox.models import Confirmation
from pbem.inbox.understanding.addressee import hinted
from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent, unwrapped
from tests.pbem.inbox.test_everyday import EVERYDAY


def test_lines_below_the_move_reach_the_opponent_without_any_address(
    zertz: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1\n\nHello Bruno, how are you?\nNice weather here.")
    assert "Hello Bruno, how are you?" in bruno.letter.text
    assert "Nice weather here." in bruno.letter.text
    assert b"alice@example.org" not in bruno.letter.raw
    assert "Hello Bruno" in alice.letter.text  # the receipt shows what was relayed


def test_say_alone(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    assert bruno.answers(bruno.letter, "DICO: Buona fortuna!").verdict == "ok"
    [message] = alice.reads()
    assert message.kind == "message"
    assert "Buona fortuna!" in message.text
    assert (
        alice.answers(message, "Wd4, a1").verdict == "ok"
    )  # its reply address is as good as the turn letter's


def test_a_refused_move_carries_no_talk(zertz: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "Wd4, d3\nYou are lost.")
    assert bruno.kinds() == []
    assert "was not passed on" in alice.letter.text
    assert "  » You are lost." in alice.letter.text


def test_charlie_learns_nothing_of_a_match(
    zertz: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    alice.answers(alice.letter, "Wd4, a1\nHello")
    bruno.answers(bruno.letter, "Be5, a2")
    assert charlie.letters == []
    for sender, receiver in ((alice, bruno), (bruno, alice)):
        assert not any(sender.email.encode() in letter.raw for letter in receiver.letters)


@pytest.mark.parametrize(
    "said",
    [
        "I used to play chess with my father",
        "can I go to the rules?",
        "Do you have to go?",
        "Do you have any other game like zertz or chess?",
        "Ieri ho giocato a dama con mio nonno",
        "La dama era chiusa",
        "Buy chess sets at www.example.com, do you have chess?",
    ],
)
def test_talk_of_games_asks_for_none(said: str) -> None:
    assert asked_for([said]) is None


def test_few_lines_of_talk_bring_help() -> None:
    for language, lines in EVERYDAY.items():
        assert sum(hinted(line, language) is not None for line in lines) <= len(lines) / 25


def test_words_beside_a_line_of_an_older_grammar_are_told(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "lovely that it worked! My move is b1-b3.")
    Confirmation.objects.update(lines=["b1-b3", "a line of an older grammar"])
    alice.answers(alice.letter, "YES")
    assert "lovely that it worked!" in bruno.letter.text
    assert "has not read these words" not in alice.letter.text


def test_their_own_offer_is_closed_when_they_play_that_game_with_another(
    alice: Correspondent, charlie: Correspondent
) -> None:
    charlie.writes("OFFER loa")
    alice.writes("OFFER loa")
    alice.writes("OFFER zertz")
    alice.writes(f"JOIN {charlie.player.seeks.get().pk}")
    assert [seek.game_name for seek in alice.player.seeks.filter(closed_at=None)] == ["zertz"]
    assert "so your own offer" in unwrapped(alice.letter.text)
