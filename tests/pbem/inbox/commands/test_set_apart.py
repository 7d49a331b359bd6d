"""Exact lines act where they are set apart, and are asked about elsewhere."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from tests.boards import Board, read_on

TALK = "We drove up to the lake on Sunday with everybody, and what I most wanted was"


def read(text: str, *, page: str = "") -> tuple[list[str], list[str], str]:
    """The commands that act, those that are asked about, and what goes to the opponent."""
    email = EmailMessage()
    email["From"] = "Alice <alice@example.net>"
    email["To"] = "m+aaaq4tq7vd2nzc5e6jlmwxy3fgb2kphs@pbem.localhost"
    email["Subject"] = "Re: Lines of Action"
    if text:
        email.set_content(text)
    if page and text:
        email.add_alternative(page, subtype="html")
    elif page:
        email.set_content(page, subtype="html")
    said = read_on(Board.of("loa", "en"), email.as_bytes(), own_domain="pbem.localhost")
    acts, asks = (
        [f"{each['verb']} {each['text']}" for each in said[which]] for which in ("commands", "asks")
    )
    return acts, asks, said["chat"]


@pytest.mark.parametrize(
    "text",
    [
        "TRY:\nb1-b3",
        "Can I go there:\nb1-b3",
        "Should\n\nb1-b3\n\nbe possible?",
        "And what would come after\nb1-b3\n?",
        "b1-b3\n\nOops, please disregard this.",
        "b1-b3\nWait, not that one.",
        "b1-b3\n\nNo: d1-d3.",
        f"{TALK}\nb1-b3\nand nothing else all day.",
    ],
)
def test_a_move_that_is_not_set_apart_is_asked_about(text: str) -> None:
    acts, asks, _ = read(text)
    assert (acts, asks) == ([], ["MOVE b1-b3"])


@pytest.mark.parametrize(
    "text",
    [
        "My move:\nb1-b3",
        "Here is my answer:\n\nb1-b3\n\nEnjoy!",
        "Dear Bruno:\nb1-b3",
        "Nice one\nb1-b3\ngood luck",
        f"{TALK} a rest.\nb1-b3",
        "b1-b3\n\nSorry that I kept you waiting for so long, the children were ill all week.",
    ],
)
def test_one_that_is_acts(text: str) -> None:
    acts, asks, _ = read(text)
    assert (acts, asks) == (["MOVE b1-b3"], [])


@pytest.mark.parametrize("word", ["draw", "undo", "stop all", "pause 5 days"])
def test_a_word_that_a_program_broke_off_does_nothing_by_itself(word: str) -> None:
    acts, asks, chat = read(f"b1-b3\n\n{TALK} to\n{word}")
    assert acts == ["MOVE b1-b3"]
    assert [ask.split(" ", 1)[1] for ask in asks] == [word]
    assert chat.endswith(word)


def test_the_page_says_where_a_line_ends() -> None:
    whole = "We drove up to the lake on Sunday with all the family and had a splendid day"
    assert read(f"{whole}\nb1-b3")[:2] == ([], ["MOVE b1-b3"])
    assert read(f"{whole}\nb1-b3", page=f"<p>{whole}<br>b1-b3</p>")[:2] == (["MOVE b1-b3"], [])
    page = f"<p>b1-b3</p><p>{TALK} to draw</p>"
    acts, asks, chat = read(f"b1-b3\n\n{TALK} to\ndraw", page=page)
    assert (acts, asks, chat) == (["MOVE b1-b3"], [], f"{TALK} to draw")


@pytest.mark.parametrize("begins", ["NOTE", "MESSAGE Carla:"])
def test_what_is_private_goes_on_in_the_next_line(begins: str) -> None:
    line = f"{begins} he has not seen yet that both of his men on the left side are lost for"
    acts, asks, chat = read(f"b1-b3\n{line}\ngood, and I shall take them one by one.")
    assert (acts[0], asks, chat) == ("MOVE b1-b3", [], "")
    assert acts[1].endswith("for good, and I shall take them one by one.")


def test_a_list_of_moves_goes_on_in_the_next_line() -> None:
    acts, asks, _ = read("TRY b1-b3; a5-c5; b3-b5; c5-a5; d1-d3; h5-f5; e1-e3; h4-f4; f1-f3; a6-c6;\ng1-g3")
    assert asks == []
    assert [act.split()[0] for act in acts] == ["TRY"]


@pytest.mark.parametrize("mark", ["s", "del", "strike", "span style='text-decoration: line-through'"])
def test_what_is_struck_out_is_no_text(mark: str) -> None:
    page = f"<p><{mark}>b1-b3</{mark.split()[0]}></p><p>d1-d3</p>"
    for text in ("", "b1-b3\n\nd1-d3\n"):
        assert read(text, page=page)[:2] == (["MOVE d1-d3"], [])


@pytest.mark.parametrize("mark", ["  | ", ""])
@pytest.mark.parametrize("said", ["Yes", "No"])
def test_the_answer_to_quoted_words_is_none_to_us(said: str, mark: str) -> None:
    quoted = f"> Bruno writes:\n>\n> {mark}Did the parcel come?\n"
    acts, asks, chat = read(
        f"On 26 Nov 2026 at 12:45, PBeM <play@pbem.localhost> wrote:\n{quoted}\n{said}\n\n> Bye"
    )
    assert (acts, asks, chat) == ([], [], f"“Did the parcel come?” {said}")
