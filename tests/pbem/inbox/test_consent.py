"""What is a YES: each cell of the table, and hundreds of answers by people who had not seen the code."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from functools import cache, lru_cache
from pathlib import Path

import pytest

from pbem.inbox import consent
from pbem.inbox.consent import TABLE, Answer, PendingQuestion, Stake, read
from pbem.mail.parsing.letter import Letter, read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "it")
NAMED = (Stake.GRAVE, Stake.ADDRESS)
DEEDS = {Stake.GRAVE: ("RESIGN",), Stake.ADDRESS: ("ADDRESS",)}
WORDS = {("en", Stake.GRAVE): "RESIGN", ("en", Stake.ADDRESS): "ADDRESS"} | {
    ("it", Stake.GRAVE): "ABBANDONO",
    ("it", Stake.ADDRESS): "INDIRIZZO",
}
# Those who sign in the answers: their emails carry their names.
SIGNERS = ("Alice", "Emma", "Harold Winterbourne", "Carla", "Edgar Lindqvist", "Gianni", "Walter Penhaligon")
CELLS = [
    pytest.param(*cell, id=f"{cell[0].name.lower()}-{'vouched' if cell[1] else 'anybody'}") for cell in TABLE
]
PROGRAMS = {"en": "Sent from my iPhone", "it": "Inviato da iPhone"}
NOTICES = {
    "en": "This message is confidential and may be privileged. If you are not the intended recipient, "
    "please notify the sender and delete it from your system without copying it.",
    "it": "Le informazioni contenute in questa email sono riservate e destinate esclusivamente al destinatario. "
    "Se l'avete ricevuta per errore, vi preghiamo di informare il mittente e di cancellarla.",
}
SIGNATURE = "Alice Rossi\nVia Garibaldi 12, 20121 Milano\nTel. +39 02 1234567"
ATTRIBUTIONS = {
    "en": "On Thu, 7 May 2026 at 10:12, PBeM <play@pbem.localhost> wrote:",
    "it": "Il giorno gio 7 mag 2026 alle ore 10:12 PBeM <play@pbem.localhost> ha scritto:",
}
SENT = """An email in your name says:

    RESIGN 105

If you wrote it, answer just YES RESIGN. If you did not, answer NO, or nothing at all:
then nothing happens."""


@cache
def answers(language: str) -> tuple[tuple[str, str], ...]:
    """Each with its label: yes, named, natural, refusal or ambiguous."""
    return tuple(_blocks((FOLDER / f"answers.{language}.txt").read_text("utf-8")))


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    label, lines = "", list[str]()
    for line in [*text.split("\n"), "== "]:
        if line.startswith("== "):
            if label:
                yield label, "\n".join(lines)
            label, lines = line[3:].partition(":")[0], []
        else:
            lines.append(line)


def said(text: str, language: str, stake: Stake, vouched: bool, *, sent: str | None = None) -> Answer:
    """What the code makes of it, from an email on."""
    word = WORDS.get((language, stake), WORDS[language, Stake.GRAVE])
    for blank, filled in (("{word}", word), ("{word.lower}", word.lower()), ("{word.title}", word.title())):
        text = text.replace(blank, filled)
    return answered(_plain(text), stake, vouched, sent=sent)


@cache
def _plain(text: str) -> bytes:
    email = EmailMessage()
    email["From"] = "Alice <alice@example.org>"
    email.set_content(f"{text}\n")
    return email.as_bytes()


@lru_cache(maxsize=8192)
def letter_of(raw: bytes, sent: str | None) -> Letter:
    return read_letter(ParsedMail(raw, own_domain="pbem.localhost"), sent=sent)


def answered(raw: bytes, stake: Stake, vouched: bool, *, sent: str | None = None) -> Answer:
    letter = letter_of(raw, sent)
    asked = PendingQuestion(stake, vouched, DEEDS.get(stake, ()), match=105, names=SIGNERS)
    return read(letter.lines, asked, letter.signature)


def of(language: str, *labels: str) -> list[str]:
    return [text for label, text in answers(language) if label in labels]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_three_hundred_answers_and_eighty_consents(language: str) -> None:
    assert len(answers(language)) >= 300
    assert len(of(language, "yes", "named")) >= 80


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("stake", "vouched"), CELLS)
def test_no_refusal_and_nothing_ambiguous_acts(stake: Stake, vouched: bool, language: str) -> None:
    acting = [
        text for text in of(language, "refusal", "ambiguous") if said(text, language, stake, vouched).agreed
    ]
    assert acting == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("stake", "vouched"), CELLS)
def test_a_bare_yes_does_nothing_grave(stake: Stake, vouched: bool, language: str) -> None:
    wrong = "yes" if stake in NAMED else "named"
    if stake is not Stake.SIGNS_UP:  # there a word beside it may be a name
        texts = [text for text in of(language, wrong) if "\n" not in text]  # a word below may be a command
        assert [text for text in texts if said(text, language, stake, vouched).agreed] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("stake", "vouched"), CELLS)
def test_other_words_are_no_consent(stake: Stake, vouched: bool, language: str) -> None:
    """But for the verbs ACCEPT and CONFIRM, alone on their line."""
    acting = {text for text in of(language, "natural") if said(text, language, stake, vouched).agreed}
    assert acting <= {"Confermo.", "Accetto."}


@cache
def shapes(text: str, language: str) -> tuple[tuple[str, bytes], ...]:
    """The shapes in which programs and people send one answer; each stake is asked about the same ones."""
    return tuple(_shapes(text, language))


def _shapes(text: str, language: str) -> Iterator[tuple[str, bytes]]:
    attribution, quoted = (
        ATTRIBUTIONS[language],
        "\n".join(f"> {line}".rstrip() for line in SENT.splitlines()),
    )
    plain = {
        "as it is": text,
        "telephone": f"{text}\n\n{PROGRAMS[language]}",
        "unmarked signature": f"{text}\n\n{SIGNATURE}",
        "marked signature": f"{text}\n\n-- \n{SIGNATURE}",
        "legal notice": f"{text}\n\n{NOTICES[language]}",
        "double breaks": "\n\n".join(text.split("\n")),
        "quotation below": f"{text}\n\n{attribution}\n{quoted}",
        "quotation above": f"{attribution}\n{quoted}\n\n{text}",
    }
    for name, body in plain.items():
        yield name, _plain(body)
    for name, line in (
        ("html", "<div>{}</div>"),
        ("outlook", '<p class="MsoNormal">{}<o:p></o:p></p><p>&nbsp;</p>'),
    ):
        email = EmailMessage()
        email["From"] = "Alice <alice@example.org>"
        lines = "".join(line.format(_escaped(each) or "<br>") for each in text.split("\n"))
        email.set_content(f"<html><body>{lines}</body></html>", subtype="html")
        yield name, email.as_bytes()


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("stake", "vouched"), CELLS)
def test_plain_consents_act_in_every_shape(stake: Stake, vouched: bool, language: str) -> None:
    label, word = ("named", WORDS[language, stake]) if stake in NAMED else ("yes", "")
    missed: dict[str, list[str]] = {}
    consents = of(language, label)
    for text in consents:
        written = text.replace("{word}", word).replace("{word.lower}", word.lower())
        for shape, raw in shapes(written.replace("{word.title}", word.title()), language):
            if not answered(raw, stake, vouched, sent=SENT).agreed:
                missed.setdefault(shape, []).append(written)
    for shape, texts in missed.items():
        assert len(texts) <= len(consents) * 0.05, (shape, texts)


CELL_BY_CELL = {
    # answer: the stakes in which it acts, vouched and not; ~ what is written below it
    "YES": ("rsc", "rsc"),
    "Sì, grazie": ("rsc", "rsc"),
    "yes please!": ("rsc", "rsc"),
    "OK": ("rsc", ""),
    "ok thanks": ("", ""),
    "YES 105": ("rsc", "rsc"),
    "YES 106": ("", ""),
    "YES Dora": ("s", "s"),
    "yes alice": ("s", "s"),
    "Yes, Minister": ("", ""),
    "YES RESIGN": ("g", "g"),
    "Si, abbandono": ("g", "g"),
    "RESIGN YES": ("g", "g"),
    "YES ADDRESS": ("a", "a"),
    "YES\nLovely weather here, by the way.": ("rsc", "s"),
    "YES\nDid I write that?": ("", ""),
    "Yes, I am Alice": ("", ""),
    "Yes?": ("", ""),
    "~~YES~~": ("", ""),
    "Yes, someone hacked me": ("", ""),
    "Sì, come no": ("", ""),
    "NO\nYES": ("", ""),
}
LETTERS = {Stake.READS: "r", Stake.SIGNS_UP: "s", Stake.CHANGES: "c", Stake.GRAVE: "g", Stake.ADDRESS: "a"}


@pytest.mark.parametrize("text", CELL_BY_CELL)
def test_each_cell(text: str) -> None:
    for vouched, expected in zip((True, False), CELL_BY_CELL[text], strict=True):
        acting = {LETTERS[stake] for stake in Stake if said(text, "en", stake, vouched).agreed}
        assert acting - {"s"} == set(expected) - {"s"}, vouched
        if "s" in expected or text in ("YES RESIGN", "YES ADDRESS"):
            continue
        assert "s" not in acting


def test_what_stands_below_goes_along_where_the_request_was_vouched_for() -> None:
    asked = PendingQuestion(Stake.CHANGES, vouched=True, exact=("b1-b3",))
    assert read(["YES", "b1-b3"], asked) == Answer(True, beside=("b1-b3",))
    assert (
        read(["YES", "b1-b3"], PendingQuestion(Stake.CHANGES, vouched=False, exact=("b1-b3",))).agreed is None
    )


def test_a_known_signature_is_nothing_said() -> None:
    block = ("Club of Lower Marsh", "every Tuesday")
    signs = PendingQuestion(
        Stake.CHANGES, vouched=False, signs=lambda lines: tuple(filter(None, lines)) == block
    )
    assert read(["YES", "", *block], signs).agreed
    assert read(["YES", "", *block], PendingQuestion(Stake.CHANGES, vouched=False)).agreed is None


@pytest.mark.parametrize(
    "text", ["NO", "no.", "No, thanks", "no grazie", "No, I did not write that", "Hello,\n\nNO"]
)
def test_no(text: str) -> None:
    assert said(text, "en", Stake.CHANGES, True).agreed is False


@pytest.mark.parametrize("text", ["No problem, go ahead", "No?", "not now", "YES\nNO", "no yes"])
def test_what_is_no_no(text: str) -> None:
    assert said(text, "en", Stake.CHANGES, True).agreed is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_refusal_accepts_an_invitation_naturally(language: str) -> None:
    refusals = of(language, "refusal", "ambiguous")
    assert [text for text in refusals if consent.is_natural(text.split("\n"))] == []


NATURAL = [
    "I accept gladly, and thank you for thinking of an old duffer like me.",
    "Let's go for a rematch, I say.",
]


@pytest.mark.parametrize("text", NATURAL)
def test_a_sentence_accepts_an_invitation_unless_it_asks_refuses_or_reports(text: str) -> None:
    assert consent.is_natural([text])
    assert consent.is_natural([text, ""])
    assert not consent.is_natural([text.rstrip(".") + "?"])
    for other in (
        "Who are you and why do you write to me?",
        "But not before the summer, I am sorry.",
        "Someone has broken into my mailbox and wrote this.",
        "NO",
    ):
        assert not consent.is_natural([text, "", other]), other


def test_other_texts_accept_nothing() -> None:
    assert [text for text in ("ok", "", "It rained all day.", "YES") if consent.is_natural([text])] == []


@pytest.mark.parametrize("text", ["YES -", "YES –", "YES,\nbut not now", "YES:\nor so", "YES;\nlater"])
def test_a_yes_that_breaks_off_is_none(text: str) -> None:
    assert read(text.split("\n"), PendingQuestion(Stake.SIGNS_UP, vouched=True)).agreed is None
