"""What is read from letters as mail programs write them; Alice writes English, Bruno Italian."""

import base64
from email import policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.refusals import Code

MAIL = Path(__file__).parents[3] / "mail"


def raw(name):
    return (MAIL / f"{name}.eml").read_bytes()


def sent(name):
    return (MAIL / f"turn_letter.{name}.txt").read_text(encoding="utf-8")


# Letter, language of the letter answered, the lines that were typed.
REPLIES = [
    ("gmail_top_en", "en", ["Nd2,b1", "", "Nice ring, I had not seen that coming!"]),
    ("gmail_bottom_it", "it", ["d4xd2", "", "Poi ci sentiamo."]),
    ("gmail_interleaved_en", "en", ["Then I take the corner:", "", "", "Nd2,b1"]),
    ("outlook_desktop_en", "en", ["Nd2,b1", "", "I’m afraid this hurts.", "", "Alice"]),
    ("outlook_original_it", "it", ["d4xd2", "", "Che bella partita, perché non giochiamo di più?"]),
    ("outlook_web_html_it", "it", ["d4xd2", "", "A domani! 🙂"]),
    ("outlook_mobile_it", "it", ["D4×d2"]),
    ("iphone_it", "it", ["D4xd2."]),
    ("apple_mail_html_en", "en", ["Nd2,b1", "", "Your turn — enjoy."]),
    (
        "thunderbird_en",
        "en",
        [
            "That ring was the one I wanted, and I shall now have to look for another way to the corner.",
            "Nd2,b1",
        ],
    ),
    ("yahoo_it", "it", ["d4xd2"]),
    ("proton_en", "en", ["Nd2,b1"]),
    ("k9_it", "it", ["d4xd2"]),
    ("mutt_en", "en", ["Nd2,b1"]),
    ("apple_mail_bottom_en", "en", ["Nd2,b1"]),
    ("apple_mail_es", "en", ["Nd2,b1"]),
    ("apple_mail_html_it", "it", ["d4xd2"]),
    ("apple_mail_interleaved_it", "it", ["Bella presa!", "", "", "d4xd2"]),
    ("apple_mail_top_en", "en", ["Nd2,b1", "", "Your turn — enjoy."]),
    ("apple_mail_top_it", "it", ["d4xd2", "", "A te!"]),
    ("disclaimer_en", "en", ["Nd2,b1", "", "Good game!"]),
    ("disclaimer_it", "it", ["d4xd2"]),
    ("gmail_android_it", "it", ["D4xd2"]),
    ("gmail_bottom_en", "en", ["Nd2,b1", "", "See you on Sunday."]),
    ("gmail_html_en", "en", ["Nd2,b1", "", "That's mine & thanks!"]),
    ("gmail_html_interleaved_it", "it", ["Bella presa!", "", "", "d4xd2"]),
    ("gmail_interleaved_it", "it", ["Bella presa!", "", "", "d4xd2"]),
    ("gmail_top_de", "en", ["Nd2,b1"]),
    ("gmail_top_it", "it", ["d4xd2", "", "Perché no?"]),
    ("iphone_en", "en", ["Nd2,b1."]),
    ("k9_en", "en", ["Nd2,b1"]),
    ("mutt_interleaved_en", "en", ["Then I take the corner:", "", "", "Nd2,b1"]),
    ("mutt_it", "it", ["d4xd2"]),
    ("outlook_desktop_fr", "en", ["Nd2,b1"]),
    ("outlook_desktop_html_en", "en", ["Nd2,b1", "", "Good luck!"]),
    ("outlook_desktop_html_it", "it", ["d4xd2"]),
    ("outlook_desktop_it", "it", ["d4xd2", "", "Così è più bello.", "", "Bruno"]),
    ("outlook_mobile_en", "en", ["Nd2, b1"]),
    ("outlook_original_en", "en", ["Nd2,b1"]),
    ("outlook_web_en", "en", ["Nd2,b1", "", "Your turn."]),
    ("outlook_web_html_en", "en", ["Nd2,b1"]),
    ("proton_html_en", "en", ["Nd2,b1"]),
    ("proton_it", "it", ["d4xd2"]),
    ("thunderbird_bottom_it", "it", ["d4xd2", "", "Ciao, a domani!"]),
    ("thunderbird_html_en", "en", ["Nd2,b1", "", "Well, well."]),
    (
        "thunderbird_interleaved_it",
        "it",
        ["Bella presa, non me la aspettavo davvero: credevo che quel lato fosse chiuso.", "d4xd2"],
    ),
    ("thunderbird_pt", "en", ["Nd2,b1"]),
    ("thunderbird_top_en", "en", ["Nd2,b1"]),
    ("yahoo_en", "en", [" Nd2,b1", "", "Have a nice weekend."]),
    ("yahoo_html_it", "it", ["d4xd2"]),
    ("quoted_only_en", "en", []),
    ("fine_it", "it", ["d4xd2"]),
]

# Only the letter answered tells what in these was typed: they quote without a mark.
UNMARKED = [
    ("webmail_rewrapped_en", "en", ["Nd2,b1", "See you on Sunday."]),
    ("webmail_rewrapped_bottom_en", "en", ["Nd2,b1"]),
    ("overflowing_quote_en", "long_line", ["Kd3,c1"]),
    ("copied_example_en", "en", ["Gc3,f3"]),
]


@pytest.mark.parametrize(("name", "language", "typed"), REPLIES + UNMARKED, ids=lambda value: str(value)[:30])
def test_a_reply_to_a_known_letter_is_what_was_typed(name, language, typed):
    letter = read_letter(ParsedMail(raw(name)), sent=sent(language))

    assert list(letter.lines) == typed
    assert letter.verdict == (None if typed else Code.QUOTED_ONLY)
    assert letter.summary.automatic is None


@pytest.mark.parametrize(("name", "language", "typed"), REPLIES, ids=lambda value: str(value)[:30])
def test_a_marked_quotation_is_left_out_of_a_reply_to_an_unknown_letter(name, language, typed):
    assert list(read_letter(ParsedMail(raw(name))).lines) == typed


def test_every_letter_in_the_folder_is_read_here_or_among_the_automatic_mail():
    automatic = {"absent", "bounce", "calendar", "complaint", "loop", "mailing", "receipt"}
    named = {name for name, _, _ in REPLIES + UNMARKED} | {"pec_it"}  # in an envelope: test_certified
    human = {path.stem for path in MAIL.glob("*.eml") if path.stem.partition("_")[0] not in automatic}

    assert human == named


def test_the_moves_of_the_letter_answered_never_come_back_as_new():
    for name, language, typed in REPLIES + UNMARKED:
        letter = read_letter(ParsedMail(raw(name)), sent=sent(language))
        others = {"Nd2,b1", "Gc3,f3", "d4xd2"} - set(map(str.strip, typed))
        assert not others & {line.strip() for line in letter.lines}, name


class TestWithoutText:
    def test_an_empty_letter(self):
        assert read_letter(ParsedMail(b"From: alice@example.net\n\n \n\n")).verdict == Code.EMPTY
        assert read_letter(ParsedMail(b"")).verdict == Code.EMPTY

    def test_a_picture_alone(self):
        letter = EmailMessage()
        letter.set_content(b"\x89PNG", maintype="image", subtype="png")
        assert read_letter(ParsedMail(letter.as_bytes())).verdict == Code.NO_TEXT

    def test_a_text_file_attached_is_not_the_letter(self):
        letter = EmailMessage()
        letter.add_attachment("Nd2,b1\n", filename="move.txt")
        assert read_letter(ParsedMail(letter.as_bytes())).verdict == Code.NO_TEXT

    def test_a_letter_within_the_letter_is_not_opened(self):
        inner = EmailMessage()
        inner.set_content("Nd2,b1\n")
        letter = EmailMessage()
        letter.add_attachment(inner)
        assert read_letter(ParsedMail(letter.as_bytes())).lines == ()

    @pytest.mark.parametrize(
        "headers",
        [
            b'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\n\n'
            b"--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b--\n",
            b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIAG\n",
            b"Content-Type: text/plain\n\n-----BEGIN PGP MESSAGE-----\n\nhQIMA\n-----END PGP MESSAGE-----\n",
        ],
    )
    def test_an_encrypted_letter(self, headers):
        assert read_letter(ParsedMail(b"From: alice@example.net\n" + headers)).verdict == Code.ENCRYPTED

    def test_text_that_nobody_can_read(self):
        assert (
            read_letter(ParsedMail("Content-Type: text/plain; charset=utf-8\n\n��\n".encode())).verdict
            == Code.UNREADABLE
        )

    def test_a_novel(self):
        novel = read_letter(ParsedMail(b"Content-Type: text/plain\n\n" + b"Nd2,b1 and so on\n" * 500))
        assert novel.verdict == Code.TOO_LONG
        assert len(novel.lines) == 400
        chapters = read_letter(ParsedMail(b"Content-Type: text/plain\n\n" + (b"x" * 400 + b"\n") * 400))
        assert chapters.verdict == Code.TOO_LONG
        assert sum(map(len, chapters.lines)) <= 16 * 1024


class TestTooComplex:
    def test_a_letter_over_ten_mebibytes(self):
        assert (
            read_letter(ParsedMail(b"Subject: x\n\n" + b"a" * (10 * 1024 * 1024))).verdict == Code.TOO_LARGE
        )

    def test_a_header_block_without_end(self):
        assert read_letter(ParsedMail(b"X-A: " + b"a" * 300_000 + b"\n\nNd2,b1")).verdict == Code.TOO_COMPLEX

    def test_a_thousand_headers(self):
        assert read_letter(ParsedMail(b"X-A: a\n" * 1_000 + b"\nNd2,b1")).verdict is None
        assert read_letter(ParsedMail(b"X-A: a\n" * 1_001 + b"\nNd2,b1")).verdict == Code.TOO_COMPLEX

    def test_a_thousand_parts(self):
        top = b"Content-Type: multipart/mixed; boundary=b\n\n"
        part = b"--b\nContent-Type: text/plain\n\nNd2,b1\n"
        assert read_letter(ParsedMail(top + part * 999)).verdict is None
        assert read_letter(ParsedMail(top + part * 1_000)).verdict == Code.TOO_COMPLEX

    @pytest.mark.parametrize(("depth", "verdict"), [(20, None), (21, Code.TOO_COMPLEX)])
    def test_nesting(self, depth, verdict):
        letter = b"Content-Type: text/plain\n\nNd2,b1"
        for level in range(depth):
            kind = b"Content-Type: multipart/mixed; boundary=b%d.\n\n" % level
            letter = kind + b"--b%d.\n%s\n--b%d.--\n" % (level, letter, level)
        assert read_letter(ParsedMail(letter)).verdict == verdict


class TestText:
    def lines(self, body, kind="text/plain; charset=utf-8", encoding="8bit"):
        head = f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode()
        return list(read_letter(ParsedMail(head + body)).lines)

    def test_the_plain_text_is_preferred_to_html(self):
        letter = EmailMessage()
        letter.set_content("Nd2,b1\n")
        letter.add_alternative("<p>Gc3,f3</p>", subtype="html")
        assert read_letter(ParsedMail(letter.as_bytes())).lines == ("Nd2,b1",)

    def test_html_is_read_when_the_plain_text_is_blank(self):
        letter = EmailMessage()
        letter.set_content("\n \n")
        letter.add_alternative("<p>Nd2,<b>b1</b></p><style>p {}</style>", subtype="html")
        assert read_letter(ParsedMail(letter.as_bytes(policy=policy.SMTP))).lines == ("Nd2,b1",)

    @pytest.mark.parametrize(
        "quotation",
        [
            "<div>On Sat, 21 Nov 2026 at 09:14, PBeM wrote:</div><blockquote>Gc3,f3</blockquote>",
            '<div class="ydp1f8ab2cyahoo_quoted"><div>Gc3,f3</div></div>',
            '<div class="gmail_attr">PBeM</div><blockquote class="gmail_quote">Gc3,f3</blockquote>',
        ],
    )
    def test_a_page_is_read_above_and_below_a_quotation(self, quotation):
        page = f"<p>Good morning.</p>{quotation}<p>Nd2,b1</p>".encode()
        assert [line for line in self.lines(page, "text/html") if line] == ["Good morning.", "Nd2,b1"]

    def test_what_a_style_hides_is_not_read(self):
        page = b"<div style='color:red; DISPLAY : none'>Gc3,f3</div><p style='padding: 9em'>Nd2,b1"
        assert self.lines(page, "text/html") == ["Nd2,b1"]

    @pytest.mark.parametrize(
        ("charset", "octets"),
        [
            ("utf-8", "perché".encode()),
            ("iso-8859-1", "perché".encode("latin-1")),
            ("utf-8", "perché".encode("latin-1")),
            ("us-ascii", "perché".encode()),
            ("nonsense", "perché".encode()),
            ("rot13", "perché".encode()),
            ("utf-16", "perché".encode("utf-16")),
        ],
    )
    def test_the_declared_charset_then_the_likely_ones(self, charset, octets):
        assert self.lines(octets, f"text/plain; charset={charset}") == ["perché"]

    def test_text_labelled_latin_1_is_windows_text(self):
        assert self.lines(b"I\x92m here", "text/plain; charset=iso-8859-1") == ["I’m here"]

    def test_what_cannot_be_seen_is_taken_out(self):
        assert self.lines("N\u200bd2\u202e,\u2066b1\u0000\ufeff".encode()) == ["Nd2,b1"]

    def test_blanks_of_all_widths_are_blanks(self):
        assert self.lines("MOVE\u00a0Nd2,\u2009b1".encode()) == ["MOVE Nd2, b1"]

    def test_broken_base64_is_read_as_far_as_it_goes(self):
        octets = base64.b64encode(b"Nd2,b1\nGood luck")
        assert self.lines(octets[:9] + b" \x00!\n" + octets[9:-1], encoding="BASE64") == [
            "Nd2,b1",
            "Good luck",
        ]

    def test_a_multipart_whose_boundary_never_comes_is_plain_text(self):
        assert self.lines(b"Nd2,b1", "multipart/alternative; boundary=b") == ["Nd2,b1"]


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ("Ai sensi del GDPR chiedo copia di tutti i dati personali che conservate sul mio conto.", True),
        ("Ai sensi del GDPR, Reg. UE 2016/679, il contenuto di questa comunicazione è riservato.", False),
    ],
)
def test_who_invokes_the_law_is_read_and_who_warns_by_it_is_not(said: str, typed: bool) -> None:
    mail = ParsedMail(
        f"From: a@example.org\nSubject: x\nContent-Type: text/plain; charset=utf-8\n\n{said}\n".encode()
    )
    assert bool(read_letter(mail).lines) == typed
