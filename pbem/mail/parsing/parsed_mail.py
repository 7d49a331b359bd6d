"""A message that is parsed once, as far as somebody asks: headers, parts, what it says of itself and what it wraps."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from pbem.mail.parsing.headers import Glance, glance_at
from pbem.mail.parsing.limits import LETTER, Headers, read_headers
from pbem.mail.parsing.parts import Part, TooComplex, leaves
from pbem.mail.parsing.pec import is_envelope, letter_in
from pbem.mail.parsing.report import NO_REPORT, Report, report_in


class ParsedMail:
    """Of any octets. `own_domain` lets it know our own letters when they come back.

    Parts are those of the first LETTER octets; asking for them raises TooComplex. Nothing else raises.
    """

    def __init__(self, raw: bytes, *, own_domain: str = "") -> None:
        self.raw = raw
        self.own_domain = own_domain

    @property
    def headers(self) -> Headers:
        return self._head[0]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """In reading order; letters within the letter are not opened."""
        headers, body = self._head
        return tuple(leaves(self.raw[:LETTER], headers, body))

    @cached_property
    def glance(self) -> Glance:
        """What the headers say, which proves nothing."""
        return glance_at(self.headers, own_domain=self.own_domain)

    @cached_property
    def report(self) -> Report:
        """What a mail server says in it of a letter of ours."""
        try:
            return report_in(self.raw[:LETTER], self.headers, self.parts)
        except TooComplex:
            return replace(NO_REPORT, headers=self.headers)

    @cached_property
    def inside(self) -> ParsedMail | None:
        """The message in an envelope of certified mail; None where there is no such envelope.

        Anybody can write such an envelope: who vouches for it vouches for no word of the message inside.
        """
        if len(self.raw) > LETTER or not is_envelope(self.headers):
            return None
        try:
            raw = letter_in(self.raw, self.parts)
        except TooComplex:
            return None
        return None if raw is None else ParsedMail(raw, own_domain=self.own_domain)

    @cached_property
    def _head(self) -> tuple[Headers, int]:
        return read_headers(self.raw[:LETTER])
