"""Ways in which a letter is not taken: each knows its fate, a code of `pbem.refusals`."""

from __future__ import annotations

from pbem.outbox.delivery.status_codes import fate_of
from pbem.refusals import Code


class NotTaken(Exception):
    """The relay has not taken the letter, as far as anybody knows. `reply` is what it said, or what we saw.

    A `silent` relay knew whom the letter is for, and said nothing: it may be that domain that it waits for.
    """

    relay = False  # whether it is our relay that does not want, whomever the letter is for

    def __init__(self, reply: str, *, silent: bool = False) -> None:
        super().__init__(reply)
        self.reply, self.silent = reply, silent

    @property
    def fate(self) -> str:
        return fate_of(self.reply) or Code.UNKNOWN_REPLY


class TemporaryFailure(NotTaken):
    """Not now: a reply of 4xx, or the connection broke before the letter was out."""

    @property
    def fate(self) -> str:
        return Code.MAILBOX_FULL if fate_of(self.reply) == Code.MAILBOX_FULL else Code.SOFT


class Refusal(NotTaken):
    """Never this letter to this address: a reply of 5xx."""


class RelayAway(TemporaryFailure):
    """The relay cannot be reached, or takes no letters now."""

    relay = True


class RelayRefuses(NotTaken):
    """The relay does not want us: password, certificate, our address as sender. The operator has to look."""

    relay = True
    fate = Code.POLICY


class ReplyLost(NotTaken):
    """The letter went out whole, and no reply came that says yes or no. It may have been taken."""

    fate = Code.UNKNOWN_REPLY
