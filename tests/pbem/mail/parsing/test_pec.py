"""Letters of Italian certified mail: the one inside is read, and nobody is believed more for the envelope."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.matches.models import Match
from pbem.players.models import Address
from pbem.refusals import Code
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, Post

PEC = (Path(__file__).parents[3] / "mail" / "pec_it.eml").read_bytes()


def test_the_letter_inside() -> None:
    inside = ParsedMail(PEC).inside
    assert inside is not None
    assert inside.summary.senders == ("bruno@pec.example",)
    assert read_letter(inside).lines == ("d4xd2",)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        PEC.replace(b"X-Trasporto: posta-certificata\n", b""),
        PEC.replace(b"postacert.eml", b"other.eml").replace(b"message/rfc822", b"text/plain"),
        b"X-Trasporto: errore\n\nNothing inside.\n",
        PEC + b"x" * 11 * 1024 * 1024,
    ],
    ids=["nothing", "no envelope", "no letter", "no file", "too large"],
)
def test_no_letter_inside(raw: bytes) -> None:
    assert ParsedMail(raw).inside is None


def certified(letter: bytes, dmarc: str) -> bytes:
    """A letter of Bruno in an envelope that its provider vouches for."""
    head, _, rest = PEC.partition(b"From: Bruno <bruno@pec.example>")
    stamp = f"Authentication-Results: {AUTHSERV_ID}; dmarc={dmarc} header.from=pec.example\n"
    return stamp.encode() + head + letter.replace(b"\r\n", b"\n") + rest[rest.index(b"\n--mixed--") :]


def test_a_player_with_certified_mail_plays(
    post: Post, loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    pec = Correspondent(post, "Bruno", "bruno@pec.example")
    Address.objects.filter(email=bruno.email).update(email=pec.email)
    alice.answers(alice.letter, "b1-b3")
    reply_to = pec.letter.reply_to
    row = post.deliver(certified(pec.pens("a2-c2"), "pass"), reply_to, "posta-certificata@pec.example")
    assert (row.verdict, row.player) == ("ok", bruno.player)
    assert pec.letter.kind == "played"


def test_the_envelope_vouches_for_nobody_inside(post: Post, loa: Match, alice: Correspondent) -> None:
    """Anyone who writes such an envelope themselves, and has DMARC say that it is theirs, is asked like anybody."""
    forged = alice.pens("SET LANGUAGE it")  # with an Authentication-Results of our own server in it
    row = post.deliver(certified(forged, "pass"), "play@pbem.localhost", "posta-certificata@pec.example")
    assert row.verdict == Code.CONFIRM_NEEDED
    assert alice.kinds()[-1] == "confirm"
    row = post.deliver(certified(forged + b"2", "fail"), alice.letter.reply_to, "x@pec.example")
    assert row.reading["dmarc"] == "fail"
