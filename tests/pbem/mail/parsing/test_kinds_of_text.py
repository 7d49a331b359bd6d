"""Where the text of a letter is: around pictures, under a name, in kinds that few programs write."""

import pytest

from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail

HEAD = "From: Alice <alice@example.net>\nTo: m@pbem.example\nMIME-Version: 1.0\n"
PHOTO = ("image/jpeg", "/9j/4AAQ", "Content-Transfer-Encoding: base64\nContent-Disposition: inline")


def part(kind, body, *more):
    return "\n".join([f"Content-Type: {kind}", *more, "", body])


def mixed(*parts, kind="mixed", boundary="b"):
    lines = [f'Content-Type: multipart/{kind}; boundary="{boundary}"', ""]
    return "\n".join([*lines, *(f"--{boundary}\n{each}" for each in parts), f"--{boundary}--", ""])


def lines(body):
    return read_letter(ParsedMail((HEAD + body).encode())).lines


def test_text_picture_move():
    assert lines(mixed(part("text/plain", "Look at this!"), part(*PHOTO), part("text/plain", "Nd2,b1"))) == (
        "Look at this!",
        "Nd2,b1",
    )


def test_the_same_in_html():
    page = mixed(
        part("text/html", "<p>Look at this!</p>"), part(*PHOTO), part("text/html", "<div>Nd2,b1</div>")
    )
    assert lines(page) == ("Look at this!", "", "Nd2,b1")


def test_each_of_them_in_two_kinds():
    both = [
        mixed(
            part("text/plain", text), part("text/html", f"<p>{text}</p>"), kind="alternative", boundary=name
        )
        for text, name in (("Look at this!", "x"), ("Nd2,b1", "y"))
    ]
    assert lines(mixed(both[0], part(*PHOTO), both[1])) == ("Look at this!", "Nd2,b1")


def test_words_said_twice_are_said_once():
    assert lines(mixed(part("text/plain", "Nd2,b1"), part("text/plain", "Nd2,b1"))) == ("Nd2,b1",)


@pytest.mark.parametrize(
    "more",
    [
        ('text/plain; name="message.txt"',),
        ("text/plain", 'Content-Disposition: inline; filename="message.txt"'),
        ("text/plain", "Content-Disposition: inline; filename*=utf-8''m%C3%A8ssage.txt"),
    ],
)
def test_a_text_with_a_name(more):
    kind, *headers = more
    assert lines(part(kind, "Nd2,b1", *headers)) == ("Nd2,b1",)
    assert lines(mixed(part(kind, "Nd2,b1", *headers), part(*PHOTO))) == ("Nd2,b1",)


def test_a_letter_that_is_a_file_as_a_whole():
    disposition = 'Content-Disposition: attachment; filename="letter.txt"'
    assert lines(part("text/plain", "Nd2,b1", disposition)) == ("Nd2,b1",)


def test_a_file_beside_the_letter_is_not_the_letter():
    """Shown in it or not: notes of a game would be moves."""
    shown = part("text/plain", "Gc3,f3", 'Content-Disposition: inline; filename="notes.txt"')
    sent = part("text/plain", "Gc3,f3", 'Content-Disposition: attachment; filename="notes.txt"')
    for file in (shown, sent):
        assert lines(mixed(part("text/plain", "Nd2,b1"), file)) == ("Nd2,b1",)
        assert lines(mixed(file, part("text/plain", "Nd2,b1"))) == ("Nd2,b1",)
    assert lines(mixed(part(*PHOTO), sent)) == ()


def test_enriched():
    text = "<bold>Nd2,</bold>b1\n\n\nI <<3 <color><param>red</param>this</color>\ngame."
    assert lines(part("text/enriched", text)) == ("Nd2,b1", "", "I <3 this game.")
    assert lines(part("text/richtext", "<nofill>one\ntwo</nofill>")) == ("one", "two")


def test_markdown():
    assert lines(part("text/markdown; charset=utf-8", "**Nd2,b1**\n\nb1\\-b3 was \\*bold\\*")) == (
        "**Nd2,b1**",
        "",
        "b1-b3 was *bold*",
    )


def test_the_plainest_of_several_kinds():
    kinds = [part("text/html", "<p>Html</p>"), part("text/enriched", "<bold>Rich</bold>")]
    assert lines(mixed(*kinds, kind="alternative")) == ("Rich",)
    assert lines(mixed(*kinds, part("text/plain", "Plain"), kind="alternative")) == ("Plain",)


def test_letters_that_are_handed_on_together_are_not_the_letter():
    digest = mixed("\nFrom: somebody\n\nGc3,f3", "\nFrom: somebody\n\nNd2,a1", kind="digest", boundary="d")
    assert lines(mixed(part("text/plain", "Nd2,b1"), digest)) == ("Nd2,b1",)
    assert lines(digest) == ()


@pytest.mark.parametrize("name", ["moz-signature", "gmail_signature"])
def test_a_signature_that_a_page_marks(name):
    page = f'<p>Nd2,b1</p><p>Hello!</p><div class="{name}">Alice<br>Chess club</div>'
    assert lines(part("text/html", page)) == ("Nd2,b1", "", "Hello!")
