"""Private notes by mail: kept for their author, given back to them at the end, seen by nobody else."""

import pytest

from pbem.matches import notes
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent


def test_notes_are_kept_and_come_back_with_the_result_to_their_author_alone(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "d1-d3\nNOTE Keep the c-file closed.\nHave a nice day!")
    assert "Keep the c-file closed." in alice.letter.text
    assert "Nobody else sees them." in alice.letter.text
    assert "Have a nice day!" in bruno.letter.text
    bruno.answers(bruno.letter, "NOTA: attento a c4")
    assert "attento a c4" in bruno.letter.text
    alice.writes(f"NOTES {loa.pk}")
    assert "After move 1, Monday 4 May 2026, 11:00:" in alice.letter.text
    bruno.writes("APPUNTI")
    assert "Dopo la mossa 1" in bruno.letter.text
    bruno.writes(f"NOTA {loa.pk} e poi b4")
    bruno.answers(bruno.letter, "ABBANDONO")
    bruno.answers(bruno.letter, "SÌ ABBANDONO")
    assert (alice.letter.kind, bruno.letter.kind) == ("result", "result")
    assert "What you had noted while you played. Nobody else has seen it:" in alice.letter.text
    assert "Ciò che avevi annotato mentre giocavi." in bruno.letter.text
    assert "e poi b4" in bruno.letter.text
    for letter in alice.letters:
        assert "attento a" not in letter.text
        assert "e poi b4" not in letter.html
    assert all("c-file" not in letter.raw.decode() for letter in bruno.letters)


def test_notes_are_thrown_away_on_demand_and_their_number_ends(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.answers(bruno.letter, "NOTA: prima")
    bruno.answers(bruno.letter, "NOTA CANCELLA")
    assert "Non hai appunti sulla partita" in bruno.letter.text
    seat = loa.seated[0]
    for number in range(notes.MOST):
        notes.write_note(seat, f"{number}", now=alice.post.now)
    assert alice.answers(alice.letter, "NOTE One more").verdict == Code.TOO_MANY_NOTES
    alice.answers(alice.letter, "NOTE CLEAR")
    assert not notes.notes_of(seat.player, loa).exists()


def test_a_sentence_about_a_note_is_talk(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "d1-d3\nNote that I am away on Friday.")
    assert (
        "Note that I am away on Friday." in bruno.letter.text + alice.letter.text
    )  # whose question it may be in
    assert not notes.notes_of(alice.player, loa).exists()


@pytest.mark.parametrize(
    "said",
    [
        "I take b1 to b3. A private note just for me: she wants the diagonal through d5, watch e6.",
        "b1-b3\nA private note just for me: she wants the diagonal through d5, watch e6.",
        "Metto b1 in b3. Promemoria solo per me, il nonno non deve leggerlo: attaccare sempre il lato destro.",
        "b1-b3\n\nPromemoria solo per me, il nonno non deve leggerlo: attaccare sempre il lato destro.",
        "Jot this down for me only: his right flank is thin, keep the f-file free.",
    ],
)
def test_what_is_noted_in_words_of_ones_own_is_asked_about_and_nobody_else_reads_it(
    loa: Match, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    alice.answers(alice.letter, said)
    alice.answers(alice.letter, "YES")
    assert notes.notes_of(alice.player, loa).exists()
    heard = " ".join(line for letter in bruno.letters for line in letter.text.splitlines() if "|" in line[:4])
    assert not any(word in heard for word in ("diagonal", "destro", "flank"))
