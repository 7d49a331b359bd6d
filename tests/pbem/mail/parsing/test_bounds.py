"""How much of a letter is looked at: on this side of a bound everything counts, and nothing on the other."""

import pytest

from pbem.mail.parsing.hypertext import NODES, text_of
from pbem.mail.parsing.letter import HTML, TEXT, read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.parts import HEADER, mailboxes, one_line, read_headers
from pbem.mail.parsing.reply_text import LINE, talk
from pbem.mail.parsing.sent_text import attribution


def test_a_header_is_read_to_eight_thousand_characters() -> None:
    headers, _ = read_headers(b"Subject: " + b"a" * (HEADER - 1) + b"bc\n\n")
    assert headers.get("subject") == "a" * (HEADER - 1) + "b"
    assert one_line("a" * HEADER + "b") == ("a" * HEADER, True)
    inside, beyond = " " * (HEADER - 9), " " * HEADER
    assert mailboxes(f"a@b.org,{inside}") == mailboxes(f"{inside}a@b.org") == ("a@b.org",)
    assert mailboxes(f"{beyond}a@b.org") == ()


@pytest.mark.parametrize(("filling", "lines"), [(TEXT - 9, ("d1-d3",)), (TEXT, ())])
def test_a_text_is_read_to_a_quarter_of_a_megabyte(filling: int, lines: tuple[str, ...]) -> None:
    quoted = b">" + b"q" * (filling - 2) + b"\n"
    letter = read_letter(ParsedMail(b"From: a@b.org\n\n" + quoted + b"d1-d3\n"))
    assert letter.lines == lines
    assert letter.defects == (() if lines else ("text cut",))


@pytest.mark.parametrize(("filling", "lines"), [(HTML - 40, ("d1-d3",)), (HTML, ())])
def test_a_page_is_read_to_half_of_that(filling: int, lines: tuple[str, ...]) -> None:
    comment = f"<!--{'q' * (filling - 7)}-->"
    page = f"From: a@b.org\nContent-Type: text/html\n\n{comment}<p>d1-d3</p>"
    assert read_letter(ParsedMail(page.encode())).lines == lines


@pytest.mark.parametrize(("before", "text"), [(NODES // 2, "d1-d3"), (NODES, "")])
def test_of_a_page_so_many_elements_are_read(before: int, text: str) -> None:
    assert text_of(f"<div>{'<i></i>' * before}<p>d1-d3</p></div>").strip() == text


def test_a_line_is_said_to_its_four_hundredth_character() -> None:
    assert talk(["a" * LINE + "b", "and on"]) == ("a" * LINE, "and on")


def test_without_a_date_nobody_is_said_to_have_written() -> None:
    assert attribution(["On Monday, 2 March 2026, Alice wrote:", "> a1"], 0) == 1
    assert attribution(["On the board she wrote:", "> a1"], 0) == 0
