"""Words around what is meant, in answer to a letter of a match: the move is asked about, and no word is lost."""

from collections.abc import Callable

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

Begin = Callable[..., Match]


def text(who: Correspondent) -> str:
    return " ".join(who.letter.text.split())


def lines(who: Correspondent) -> list[str]:
    return [line.strip() for line in who.letter.text.replace("\r\n", "\n").split("\n")]


@pytest.mark.parametrize(
    ("said", "arrives"),
    [
        ("b1-b3 ha got you", "| ha got you"),
        ("b1-b3 gl mate", "| gl mate"),
        ("b1 - b3, and my name is Victor, not Vic", "| and my name is Victor, not Vic"),
        ("b1-b3 - Margaret it is!", "| Margaret it is!"),
        ("Then b1 jumps over b2 to b3.", ""),
        ("Forget it, I mistyped :) I play b1-b3, eating you", "| Forget it, I mistyped :)"),
        ("basta, non scrivetemi più per oggi :) gioco b1-b3", "| basta, non scrivetemi più per oggi :)"),
        ("I'll take the man on b3 with b1.", ""),
    ],
)
def test_a_move_with_words_is_asked_about_and_the_words_arrive(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, arrives: str
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, said).verdict == Code.CONFIRM_NEEDED
    assert "b1-b3" in lines(alice)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]
    assert arrives in bruno.letter.text


@pytest.mark.parametrize(
    ("said", "arrives"),
    [("a2-c2 preso ahah", "| preso ahah"), ("a2-c2, speriamo bene", "| speriamo bene")],
)
def test_a_move_with_words_in_italian(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, arrives: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "b1-b3")
    assert bruno.answers(bruno.letter, said).verdict == Code.CONFIRM_NEEDED
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3", "a2-c2"]
    assert arrives in alice.letter.text


@pytest.mark.parametrize(
    "said", ["b1-b3 would have won", "b1-b3 is what I feared", "you should play b1-b3 mate"]
)
def test_talk_of_a_move_is_no_move(begin: Begin, alice: Correspondent, said: str) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, said).verdict in ("ok", Code.NO_MOVE_FOUND)
    assert not match.live_turns()


def test_a_sentence_about_a_move_is_what_was_read(begin: Begin, alice: Correspondent) -> None:
    begin("loa")
    alice.answers(alice.letter, "Dear Sally,\n\nI capture on d4 with the tower.")
    assert "We read: I capture on d4 with the tower." in text(alice)
    assert "Dear Sally" not in text(alice)


ASKED = {
    "alice": [
        ("give Bruno 3 days", "GIVE 3 DAYS"),
        (
            "Please don't count my time from 30 November to 6 December, I'm away.",
            "AWAY from 30 November to 6 December",
        ),
        ("Hello PBeM, please change my name to Margaret.", "SET NAME Margaret"),
        ("can I be called Margaret please?", "SET NAME Margaret"),
    ],
    "bruno": [
        ("concedo 3 giorni a Alice", "CONCEDO 3 GIORNI"),
        ("Vorrei dare tre giorni in più a Alice", "CONCEDO 3 GIORNI"),
        (
            "Vado in vacanza da sabato 28 novembre al 6 dicembre, potete fermare il tempo?",
            "ASSENTE da sabato 28 novembre al 6 dicembre",
        ),
        ("potreste chiamarmi Saretta invece di Sara?", "IMPOSTA NOME Saretta"),
    ],
}


@pytest.mark.parametrize(
    ("who", "said", "asked"), [(who, *row) for who, rows in ASKED.items() for row in rows]
)
def test_time_and_names_in_a_sentence_are_asked_about(
    begin: Begin, alice: Correspondent, bruno: Correspondent, who: str, said: str, asked: str
) -> None:
    begin("loa")
    writer, other = (alice, bruno) if who == "alice" else (bruno, alice)
    assert writer.answers(writer.letter, said).verdict == Code.CONFIRM_NEEDED
    assert asked in lines(writer)
    assert other.reads() == []


def test_who_asks_for_time_is_heard_and_told_the_word(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    begin("loa")
    assert alice.answers(alice.letter, "Could I have a few more days?").verdict == "ok"
    assert "PAUSE [match] n DAYS" in text(alice)
    assert "| Could I have a few more days?" in bruno.letter.text
    assert bruno.answers(bruno.letter, "posso avere qualche giorno in più?").verdict == "ok"
    assert "PAUSA [partita] n GIORNI" in text(bruno)


@pytest.mark.parametrize("said", ["va bene accetto la patta", "La patta mi va bene. Grazie Alice!"])
def test_a_draw_that_is_accepted_in_a_sentence_is_asked_about(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "b1-b3\nDRAW")
    assert bruno.answers(bruno.letter, said).verdict == Code.CONFIRM_NEEDED
    assert match.status == Match.Status.PLAYING
    assert bruno.answers(bruno.letter, "Sì, patta").verdict == "ok"
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


@pytest.mark.parametrize("said", ["Va bene cugina, ritirala pure.", "Bella partita, grazie Alice!"])
def test_neither_praise_nor_a_takeback_accepts_a_draw(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "b1-b3\nDRAW")
    bruno.answers(bruno.letter, said)
    match.refresh_from_db()
    assert match.status == Match.Status.PLAYING


def test_a_takeback_that_is_agreed_to_warmly_is_asked_about(
    begin: Begin, alice: Correspondent, bruno: Correspondent
) -> None:
    match = begin("loa")
    alice.answers(alice.letter, "b1-b3")
    alice.answers(alice.letter, "UNDO")
    assert bruno.answers(bruno.letter, "Va bene cugina, ritirala pure.").verdict == Code.CONFIRM_NEEDED
    assert bruno.answers(bruno.letter, "Sì").verdict == "ok"
    assert list(match.live_turns()) == []


@pytest.mark.parametrize("said", ["hi Bruno", "hi bruno :)"])
def test_a_short_greeting_below_a_move_arrives(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    begin("loa")
    assert alice.answers(alice.letter, f"b1-b3\n\n{said}").verdict == "ok"
    assert f"| {said}" in bruno.letter.text


@pytest.mark.parametrize("said", ["Leave it, typo :) I play b1-b9", "Lascia perdere :) Gioco b1xb9"])
def test_talk_before_a_move_is_no_mistyped_verb(begin: Begin, alice: Correspondent, said: str) -> None:
    begin("loa")
    alice.answers(alice.letter, said)
    assert "LEAVE" not in alice.letter.text
    assert "LASCIO" not in alice.letter.text


@pytest.mark.parametrize("said", ["Io metto in a1", "Metto in a1", "I put it on a1"])
def test_an_impossible_move_in_a_sentence_has_the_reason_of_the_bare_one(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str
) -> None:
    begin("insert")
    alice.answers(alice.letter, "a1")
    letter = bruno.letter
    assert bruno.answers(letter, "a1").verdict == Code.ILLEGAL_MOVE
    reason = text(bruno).partition("Scegli un'altra mossa.")[2][:60]
    assert bruno.answers(letter, said).verdict == Code.ILLEGAL_MOVE
    assert reason
    assert reason in text(bruno)


@pytest.mark.parametrize(
    ("said", "arrives"),
    [("yes, please", ""), ("Yes!!!", ""), ("Yes!\nSunny over here.", "| Sunny over here.")],
)
def test_a_yes_in_the_first_line_counts_and_the_words_below_arrive(
    begin: Begin, alice: Correspondent, bruno: Correspondent, said: str, arrives: str
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "then b1-b3").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, said).verdict == "ok"
    assert [turn.move for turn in match.live_turns()] == ["b1-b3"]
    assert [line for line in lines(bruno) if line.startswith("| ")] == ([arrives] if arrives else [])


@pytest.mark.parametrize(
    "said",
    [
        "Yes play it",
        "Yes! Sunny over here.",
        "Sì, ma prima aspetta",
        "Sì se poi tocca a me",
        "Yes. Actually no.",
    ],
)
def test_a_yes_that_is_held_back_or_says_more_plays_nothing(
    begin: Begin, alice: Correspondent, said: str
) -> None:
    match = begin("loa")
    assert alice.answers(alice.letter, "then b1-b3").verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, said).verdict == Code.NO_MOVE_FOUND
    assert not match.live_turns()
