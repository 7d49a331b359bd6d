"""Looking at a match by mail: lines that are tried, earlier boards, words, lists of moves, files."""

import re
from email.message import EmailMessage
from io import BytesIO

import pytest
from PIL import Image

from pbem.matches.models import Match, Turn
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post


def pictures(letter: Delivery) -> list[EmailMessage]:
    return [part for part in letter.message.walk() if part.get_content_type() == "image/png"]


def widths(letter: Delivery) -> list[int]:
    files = [bytes(part.get_payload(decode=True)) for part in pictures(letter)]
    assert sum(map(len, files)) < 60_000
    return [Image.open(BytesIO(file)).width for file in files]


def plays_loa(alice: Correspondent, bruno: Correspondent) -> None:
    for player, move in ((alice, "d1-d3"), (bruno, "a4-c4"), (alice, "c8-c5"), (bruno, "h7-f7")):
        player.answers(player.letter, move)
    alice.reads()
    bruno.reads()


def test_a_line_is_tried_and_nobody_else_hears_of_it(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "TRY d1-d3; a4-c4; f8-f6\nTRY d1-d3")
    assert (alice.letter.kind, bruno.kinds()) == ("tried", [])
    text = " ".join(alice.letter.text.split())
    assert "This is where the 3 moves would lead. Nothing was played." in text
    assert "1. Alice: d1-d3. Alice moves from d1 to d3." in text
    assert "2. Alice: f8-f6" in text
    assert "To play the first move, answer with it alone on a line: d1-d3" in text
    boards = [Image.open(BytesIO(part.get_payload(decode=True))) for part in pictures(alice.letter)]
    assert [image.width for image in boards] == [540, 540, 540, 780]
    assert not Turn.objects.exists()
    alice.answers(alice.letter, "d1-d3")
    assert bruno.kinds() == ["turn"]


def test_a_line_may_be_tried_out_of_turn_and_stops_with_the_reason(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    bruno.answers(bruno.letter, "PROVO d1-d3; a4-b6; f8-f6; a4-c4")
    text = " ".join(bruno.letter.text.split())
    assert "Ecco dove porterebbe la mossa. Non è stato giocato nulla." in text
    assert "«a4-b6» qui non si può giocare." in text
    assert "Le 2 mosse che seguono non sono state esaminate." in text
    assert "Per giocare la prima mossa" not in text
    assert widths(bruno.letter) == [780]
    bruno.answers(bruno.letter, "PROVO a9-a9; d1-d3")
    assert "Nessuna mossa di questa sequenza è giocabile." in bruno.letter.text
    assert alice.kinds() == []


def test_a_long_line_is_cut(loa: Match, alice: Correspondent) -> None:
    line = "; ".join(["d1-d3", "a4-c4", "d3-d1", "c4-a4"] * 4)
    alice.answers(alice.letter, f"TRY {line}")
    text = " ".join(alice.letter.text.split())
    assert "4... Bruno" in text
    assert "“d1-d3” comes too late" in text
    assert "The 7 moves after it were not looked at." in text


@pytest.mark.prove
def test_the_last_moves_come_as_a_strip_and_the_board_of_any_turn_alone(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    plays_loa(alice, bruno)
    alice.writes(f"SHOW {loa.pk} LAST 3")
    assert "The boards after the last 3 moves." in alice.letter.text
    assert widths(alice.letter) == [540] * 3
    assert "1... Bruno: a4-c4" in alice.letter.text
    assert "1. Alice" not in alice.letter.text
    bruno.writes(f"MOSTRA {loa.pk} ULTIME 9")
    assert "I tavolieri dopo le ultime 4 mosse." in bruno.letter.text
    bruno.writes(f"MOSTRA {loa.pk} ALLA 1.")
    assert "Il tavoliere dopo 1. d1-d3." in bruno.letter.text
    alice.writes(f"loa show {loa.pk}#1...")
    assert "The board after 1... a4-c4." in alice.letter.text
    alice.writes(f"SHOW {loa.pk} AT 1")
    assert "The board after 1... a4-c4." in alice.letter.text, "the later of both"
    alice.writes(f"SHOW {loa.pk} AT 0")
    assert "The board before the first move." in alice.letter.text


def test_each_board_of_several_has_its_move_below(loa: Match, alice: Correspondent) -> None:
    alice.writes("SET SIZE small")
    alice.answers(alice.letters[0], "TRY d1-d3; a4-c4; f8-f6")
    assert widths(alice.letter) == [540] * 3
    shown = re.findall(
        r'<div class="step">.*?width="(\d+)".*?<p[^>]*>(.*?)</p></div>', alice.letter.html, re.DOTALL
    )
    assert shown == [("400", "1. Alice: d1-d3"), ("400", "1... Bruno: a4-c4"), ("400", "2. Alice: f8-f6")]


def test_a_match_that_is_over_is_shown_with_its_winner(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.answers(alice.letter, "RESIGN")
    alice.answers(alice.letter, "YES RESIGN")
    bruno.writes(f"MOSTRA {loa.pk}")
    assert "Alice abbandona" in " ".join(bruno.letter.text.split())


def test_the_board_is_described_in_words_without_a_picture(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    plays_loa(alice, bruno)
    alice.writes(f"DESCRIBE {loa.pk}")
    text = " ".join(alice.letter.text.split())
    assert f"Match {loa.pk}, Lines of Action: Alice (Black) moves first, Bruno (White) second." in text
    assert "It is your turn." in text
    assert "The position after 2... h7-f7: 12 black men: " in text
    assert "2... Bruno: h7-f7. Bruno moves from h7 to f7." in text
    assert " legal moves: " in text
    assert "To move, answer this letter with the move alone on a line." in text
    assert not pictures(alice.letter)
    assert "<li>" in alice.letter.html
    bruno.writes("DESCRIVI")
    text = " ".join(bruno.letter.text.split())
    assert "Tocca ad Alice" in text
    assert "La posizione dopo 2... h7-f7:" in text
    assert all(len(line) <= 72 for line in bruno.letter.text.splitlines() if "http" not in line)


def test_the_history_says_when_each_move_was_played_and_how_long_it_took(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    post.wait(days=1, hours=2)
    alice.answers(alice.letter, "d1-d3")
    post.wait(minutes=40)
    bruno.answers(bruno.letter, "a4-c4")
    alice.writes("HISTORY")
    assert "1.   Alice: d1-d3  5 May 2026, 13:00  1 day 2 hours" in alice.letter.text
    assert "1... Bruno: a4-c4  5 May 2026, 13:40  40 minutes" in alice.letter.text
    bruno.writes("STORIA")
    assert "1... Bruno: a4-c4  5 mag 2026, 13:40  40 minuti" in bruno.letter.text


def test_the_record_comes_as_files_at_any_time_and_with_the_result(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    plays_loa(alice, bruno)
    alice.writes("RECORD")
    name = f"loa-{loa.pk}"
    assert set(alice.letter.files) == {f"{name}.txt", f"{name}.json", f"{name}.gif"}
    assert '"result": "*"' in alice.letter.attachments[f"{name}.json"]
    gif = Image.open(BytesIO(alice.letter.files[f"{name}.gif"]))
    assert (gif.format, gif.n_frames, gif.info["loop"]) == ("GIF", 6, 0)
    bruno.player.__class__.objects.filter(pk=bruno.player.pk).update(text_only=True)
    bruno.writes("FORMULARIO")
    assert set(bruno.letter.files) == {f"{name}.txt", f"{name}.json"}
    assert "immagine" not in bruno.letter.text
    bruno.answers(bruno.letters[-2], "ABBANDONO")
    bruno.answers(bruno.letter, "SÌ ABBANDONO")
    assert (alice.letter.kind, set(alice.letter.files)) == ("result", {f"{name}.txt", f"{name}.json"})
    assert "film" in alice.letter.html
    assert (bruno.letter.kind, set(bruno.letter.files)) == ("result", {f"{name}.txt", f"{name}.json"})


def test_the_status_is_a_line_for_each_match(
    loa: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    alice.answers(alice.letter, "d1-d3")
    alice.writes("STATUS")
    text = " ".join(alice.letter.text.split())
    assert f"[{loa.pk}] Lines of Action" in text
    assert "against Bruno, whose turn it is" in text
    assert "last move 1. Alice: d1-d3" in text
    bruno.writes(f"STATO {loa.pk}")
    assert "ultima mossa 1. Alice: d1-d3" in " ".join(bruno.letter.text.split())
    assert "Che cosa si può giocare" not in bruno.letter.text
    bruno.writes("PARTITE")
    assert "ultima mossa 1. Alice: d1-d3" in " ".join(bruno.letter.text.split())
    charlie.writes("STATUS")
    assert "You have no match at the moment." in charlie.letter.text


def test_nobody_looks_at_the_match_of_others(loa: Match, charlie: Correspondent) -> None:
    for verb in ("SHOW", "TRY", "DESCRIBE", "HISTORY", "RECORD", "STATUS", "NOTES"):
        rest = " d1-d3" if verb == "TRY" else ""
        assert charlie.writes(f"{verb} {loa.pk}{rest}").verdict in (Code.NO_SUCH_MATCH, Code.NO_MOVE_FOUND), (
            verb
        )
        assert "d1" not in charlie.letter.text
        assert not charlie.letter.files
