"""Takes a letter out of the envelope that Italian certified mail (PEC) puts around it.

The author's provider sends the letter as a file, postacert.eml, in a signed one of its own (RFC 6109, 3.1.3),
in which they read as `"Per conto di: bruno@pec.example" <posta-certificata@pec.example>`.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.mail.parsing.charsets import undo_transfer_encoding
from pbem.mail.parsing.limits import Headers, too_complex
from pbem.mail.parsing.parts import Part

ENVELOPES = ("posta-certificata", "errore")  # errore: a letter of ordinary mail, handed on as it was
INSIDE = "postacert.eml"
CERTIFIED_BY = "posta-certificata"  # the mailbox in From of the envelope


def is_envelope(headers: Headers) -> bool:
    """As it says of itself."""
    return not too_complex(headers) and headers.get("x-trasporto").strip().lower() in ENVELOPES


def letter_in(raw: bytes, parts: Iterable[Part]) -> bytes | None:
    """The letter among the `parts` of the envelope `raw`."""
    for part in parts:
        named = INSIDE in (
            part.headers.parameter("content-disposition", "filename").lower(),
            part.headers.parameter("content-type", "name").lower(),
        )
        if part.kind == "message/rfc822" or named:
            coding = part.headers.get("content-transfer-encoding")
            return undo_transfer_encoding(raw[part.start : part.end], coding)
    return None
