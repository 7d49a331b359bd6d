"""Takes a letter out of the envelope that Italian certified mail (PEC) puts around it.

The provider of whoever writes sends the letter as a file, postacert.eml, in a signed one of its own (RFC 6109, 3.1.3),
in which they read as `"Per conto di: bruno@pec.example" <posta-certificata@pec.example>`.
"""

from __future__ import annotations

from pbem.inbox.letters.decoding import undo_transfer_encoding
from pbem.inbox.letters.guards import LETTER, read_headers, too_complex
from pbem.inbox.letters.parts import TooComplex, leaves

ENVELOPES = ("posta-certificata", "errore")  # errore: a letter of ordinary mail, handed on as it was
INSIDE = "postacert.eml"
CERTIFIED_BY = "posta-certificata"  # the mailbox in From of the envelope


def within(raw: bytes) -> bytes | None:
    """The letter inside; None for a letter that has no such envelope. Never raises.

    Anybody can write such an envelope: who vouches for it vouches for no word of the letter inside.
    """
    headers, body = read_headers(raw[:LETTER])
    if len(raw) > LETTER or too_complex(headers):
        return None
    if headers.get("x-trasporto").strip().lower() not in ENVELOPES:
        return None
    try:
        for part in leaves(raw, headers, body):
            named = INSIDE in (
                part.headers.parameter("content-disposition", "filename").lower(),
                part.headers.parameter("content-type", "name").lower(),
            )
            if part.kind == "message/rfc822" or named:
                coding = part.headers.get("content-transfer-encoding")
                return undo_transfer_encoding(raw[part.start : part.end], coding)
    except TooComplex:
        pass
    return None
