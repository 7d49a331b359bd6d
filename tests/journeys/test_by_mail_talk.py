"""What players say to each other: relayed with the move or alone, never with an address."""

from pbem.matches.models import Match
from tests.mail_fixtures import Correspondent


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
