"""Letters that Alice signed once, as somebody else could send them again: `python -m tests.replays` writes them.

Her provider has signed each with a real key, which is made on the spot and no secret; what an attacker has done to it
since breaks no signature. They lie in tests/mail/replays.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

from tests.signing import rsa_key, signed

FOLDER = Path(__file__).parent / "mail" / "replays"
DOMAIN, SELECTOR = "example.org", "s1"
SIGNED_AT = 1_735_689_600  # the first of January 2025: the same octets whenever they are made
USUAL = b"from:to:subject:date:message-id"
CAREFUL = USUAL + b":cc:reply-to:in-reply-to:references:mime-version:content-type:content-transfer-encoding"
LETTER = {
    "From": "Alice <alice@example.org>",
    "To": "play@pbem.localhost",
    "Subject": "Hello",
    "Date": "Mon, 04 May 2026 08:59:00 +0000",
    "Message-ID": "<replayed@example.org>",
}
PRIVATE = {
    "To": "Bruno <bruno@example.org>",
    "Subject": "Re: Dinner at eight?",
    "In-Reply-To": "<dinner@example.org>",
    "References": "<dinner@example.org>",
}


def letter(body: str, names: bytes = USUAL, *, whole: bool = True, **fields: str) -> bytes:
    """As Alice's provider sends it; names of fields have _ for -."""
    written = LETTER | {name.replace("_", "-"): value for name, value in fields.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in written.items())
    raw = f"{head}\r\n{body}\r\n".encode()
    with patch("dkim.time.time", return_value=SIGNED_AT):
        return signed(raw, rsa_key(), DOMAIN, SELECTOR, names=names, length=not whole)


def private(body: str) -> bytes:
    return letter(body, **{name.replace("-", "_"): value for name, value in PRIVATE.items()})


def _fake(raw: bytes) -> bytes:
    """A signature with the seal of the good one, which claims to cover everything."""
    seal = raw.partition(b" b=")[2].partition(b"\r\nFrom:")[0]
    return (
        b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; h="
        + CAREFUL
        + b"; bh=YQ==;\r\n b="
        + seal
        + b"\r\n"
    )


def replays() -> Mapping[str, bytes]:
    """By the name of their files."""
    talk, draw = letter("See you soon."), letter("DRAW")
    silent = USUAL.replace(b":subject", b"")
    return {
        # Plainly hers, to us alone, now: to be believed, so that the others are not doubted for something else.
        "honest": draw,
        "honest_careful": letter(
            "DRAW", CAREFUL, MIME_Version="1.0", Content_Type="text/plain; charset=utf-8"
        ),
        # What was put around it since.
        "second_subject": b"Subject: DRAW\r\n" + talk,
        "second_subject_below": talk.replace(b"\r\n\r\n", b"\r\nSubject: DRAW\r\n\r\n", 1),
        "subject_replaced": letter("See you soon.", silent).replace(b"Subject: Hello", b"Subject: DRAW"),
        "subject_replaced_no_move": letter("See you soon.", silent).replace(
            b"Subject: Hello", b"Subject: STOP ALL"
        ),
        "content_type": b"Content-Type: text/html\r\n" + letter("x<!-- y\r\n--><br>DRAW<br>"),
        "transfer_encoding": b"Content-Transfer-Encoding: quoted-printable\r\n"
        + letter("It was =\r\n=44RAW"),
        "text_appended": letter("See you soon.", whole=False) + b"DRAW\r\n",
        "cc_added": b"Cc: bruno@example.org\r\n" + draw,
        "reply_to_added": b"Reply-To: mallory@evil.example\r\n" + draw,
        "in_reply_to_added": b"In-Reply-To: <dinner@example.org>\r\n" + draw,
        "second_to": b"To: play@pbem.localhost\r\n" + private("DRAW"),
        "to_replaced": letter("DRAW", USUAL.replace(b":to", b""), To="bruno@example.org").replace(
            b"To: bruno@example.org", b"To: play@pbem.localhost"
        ),
        "date_replaced": letter(
            "DRAW", USUAL.replace(b":date", b""), Date="Mon, 04 May 2020 08:59:00 +0000"
        ).replace(b"2020", b"2026"),
        "message_id_replaced": letter("DRAW", USUAL.replace(b":message-id", b"")).replace(
            b"<replayed", b"<new"
        ),
        "fake_signature": _fake(letter("See you soon.", silent))
        + letter("See you soon.", silent).replace(b"Subject: Hello", b"Subject: DRAW"),
        "hidden_headers": b"From: Alice <alice@example.org>\r\nTo: play@pbem.localhost\r\nSubject: DRAW\r\n"
        b"Date: Mon, 04 May 2026 08:59:00 +0000\r\nMessage-ID: <new@example.org>\r\nX-Hidden: x\r\r\n" + talk,
        # Nothing was: they were never meant for us, or not now.
        "private_yes": private("Yes!"),
        "private_draw": private("DRAW"),
        "private_question": letter("Yes!", Subject="Re: DRAW 1", In_Reply_To="<dinner@example.org>"),
        "private_question_unthreaded": letter("Yes!", Subject="R: DRAW 1"),
        "private_to_both": letter("DRAW", To="play@pbem.localhost, bruno@example.org"),
        "old": letter("DRAW", Date="Fri, 01 May 2026 08:59:00 +0000"),
        "undated": letter("DRAW", Date="some day"),
        "unnamed": letter("DRAW", Message_ID="none"),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, raw in replays().items():
        (FOLDER / f"{name}.eml").write_bytes(raw)
