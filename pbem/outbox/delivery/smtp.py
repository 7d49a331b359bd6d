"""Speaks SMTP with the relay: one connection for each thread, kept open from letter to letter.

Where the relay offers it the envelope goes in one piece, and is waited for once (RFC 2920).
"""

from __future__ import annotations

import re
import smtplib
import ssl
import threading
from collections.abc import Sequence
from enum import Enum, auto
from time import monotonic

from pbem.outbox.delivery.status_codes import fate_of
from pbem.refusals import Code

# Ways in which a letter is not taken: each knows its fate, a code of `pbem.refusals`.


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


# Addresses that are not ASCII, as they go over the wire.


def in_ascii(address: str) -> str:
    """With the domain as DNS has it (RFC 5891), so that only the part before the @ may need more than ASCII."""
    if address.isascii():
        return address
    local, _, domain = address.rpartition("@")
    try:
        return f"{local}@{domain.encode('idna').decode('ascii')}"
    except UnicodeError:
        return address


STAGE = (
    30.0  # seconds for the reply to a command; the last one, to the letter itself, may take all that is left
)
NOT_LOGGED_IN = (530, 535, 538)  # RFC 4954, whatever it was said in reply to
CLOSING = 421  # said in reply to anything, by a server that hangs up then (RFC 5321, 3.8)


class Tls(Enum):
    NONE = auto()
    STARTTLS = auto()
    FROM_THE_START = auto()


class SmtpSender:
    """A relay, and how it is spoken to.

    `name` is who we say we are, `certificates` a file of those that it is known by beside the public ones,
    `patience` the seconds after which a letter is given up for now.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        user: str = "",
        password: str = "",
        tls: Tls = Tls.NONE,
        certificates: str = "",
        name: str = "localhost",
        patience: float = 100.0,
    ) -> None:
        self.host, self.port, self.user, self.password = host, port, user, password
        self.tls, self.name, self.patience = tls, name, patience
        self._context = None if tls is Tls.NONE else _trusting(certificates)
        self._kept = threading.local()

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        """Hand over; the relay's answer. Raises a NotTaken, and leaves a connection that can be used again."""
        until = monotonic() + self.patience
        recipient = in_ascii(recipient)
        smtp = self._greeted(sender, recipient, until, ahead=True)
        self._wait(smtp, until)
        try:
            _taken(self._next(smtp) or smtp.rcpt(recipient))
            self._wait(smtp, until)
            code, said = self._next(smtp) or smtp.docmd("DATA")
            if code != 354:
                _taken((code, said))
                raise smtplib.SMTPServerDisconnected(f"{code} instead of 354")
            smtp.send(_dotted(raw))
        except smtplib.SMTPResponseException as reply:
            self._end(smtp, reply.smtp_code)
            raise _told(reply) from reply
        except (OSError, smtplib.SMTPException) as trouble:
            self._forget()
            raise TemporaryFailure(repr(trouble), silent=True) from trouble
        return self._heard(smtp, until)

    def would_take(self, sender: str, recipient: str) -> None:
        """All but the letter. Raises a NotTaken."""
        until = monotonic() + self.patience
        try:
            _taken(self._greeted(sender, recipient, until).rcpt(recipient))
        except smtplib.SMTPResponseException as reply:
            raise _told(reply) from reply
        except (OSError, smtplib.SMTPException) as trouble:
            raise TemporaryFailure(repr(trouble), silent=True) from trouble
        finally:
            self._forget()

    def close(self) -> None:
        """Hang up in this thread."""
        self._forget()

    def _heard(self, smtp: smtplib.SMTP, until: float) -> str:
        """The reply to the final dot. From here on nobody knows whether the letter was taken but who hears it."""
        self._wait(smtp, until, most=self.patience)
        try:
            code, said = smtp.getreply()
        except (OSError, smtplib.SMTPException) as trouble:
            self._forget()
            raise ReplyLost(repr(trouble), silent=True) from trouble
        text = f"{code} {_text(said)}"
        if 200 <= code < 300:
            return text
        self._end(smtp, code)
        if not 400 <= code < 600:
            raise ReplyLost(text)
        raise _told(smtplib.SMTPResponseException(code, said))

    def _greeted(self, sender: str, recipient: str, until: float, *, ahead: bool = False) -> smtplib.SMTP:
        """A connection that has heard whom the letter is from: the one kept, unless the relay has left it.

        `ahead`: it may hear the rest of the envelope, too.
        """
        kept: smtplib.SMTP | None = getattr(self._kept, "smtp", None)
        if kept is not None:
            try:
                self._wait(kept, until)
                reply = self._mail(kept, sender, recipient, ahead)
            except (OSError, smtplib.SMTPException):
                reply = (CLOSING, b"hung up meanwhile")
            if reply[0] != CLOSING:
                return self._accepted(kept, reply)
            self._forget()
        smtp = self._connected(until)
        try:
            self._wait(smtp, until)
            reply = self._mail(smtp, sender, recipient, ahead)
        except (OSError, smtplib.SMTPException) as trouble:
            self._forget()
            raise RelayAway(repr(trouble)) from trouble
        return self._accepted(smtp, reply)

    def _accepted(self, smtp: smtplib.SMTP, reply: tuple[int, bytes]) -> smtplib.SMTP:
        """Who refuses our address as sender refuses all letters; the one for the bounce is always a new one."""
        code, said = reply
        if 200 <= code < 300:
            return smtp
        self._end(smtp, code)
        text = f"{code} {_text(said)}"
        raise RelayRefuses(text) if code >= 500 else RelayAway(text)

    def _connected(self, until: float) -> smtplib.SMTP:
        try:
            smtp = self._called(until)
            self._kept.smtp = smtp
            if self.tls is Tls.STARTTLS:
                _taken(smtp.starttls(context=self._context))
            self._wait(smtp, until)
            if self.user:
                smtp.login(self.user, self.password)
            smtp.ehlo_or_helo_if_needed()
        except smtplib.SMTPResponseException as reply:
            self._forget()
            text = f"{reply.smtp_code} {_text(reply.smtp_error)}"
            raise (RelayRefuses if reply.smtp_code >= 500 else RelayAway)(text) from reply
        except (smtplib.SMTPNotSupportedError, ssl.SSLCertVerificationError) as trouble:
            self._forget()
            raise RelayRefuses(repr(trouble)) from trouble
        except (OSError, smtplib.SMTPException) as trouble:
            self._forget()
            raise RelayAway(repr(trouble)) from trouble
        return smtp

    def _called(self, until: float) -> smtplib.SMTP:
        timeout = _left(until, STAGE)
        if self._context and self.tls is Tls.FROM_THE_START:
            return smtplib.SMTP_SSL(
                self.host, self.port, local_hostname=self.name, timeout=timeout, context=self._context
            )
        return smtplib.SMTP(self.host, self.port, local_hostname=self.name, timeout=timeout)

    def _mail(self, smtp: smtplib.SMTP, sender: str, recipient: str, ahead: bool) -> tuple[int, bytes]:
        """The reply to MAIL FROM; those to what follows are outstanding, where they were asked for ahead."""
        options = _options(smtp, recipient)
        if not (ahead and smtp.has_extn("pipelining")):
            return smtp.mail(sender, options)
        mail = " ".join((f"MAIL FROM:{smtplib.quoteaddr(sender)}", *options))
        smtp.send(_lines(mail, f"RCPT TO:{smtplib.quoteaddr(recipient)}", "DATA"))
        self._kept.outstanding = 2
        return smtp.getreply()

    def _next(self, smtp: smtplib.SMTP) -> tuple[int, bytes] | None:
        """The next reply that is outstanding, if one is."""
        left: int = getattr(self._kept, "outstanding", 0)
        if not left:
            return None
        self._kept.outstanding = left - 1
        return smtp.getreply()

    def _caught_up(self, smtp: smtplib.SMTP) -> None:
        """No reply is outstanding. A relay that waits for the letter though nobody is to get it is told so (3.1)."""
        while reply := self._next(smtp):
            if reply[0] == 354:
                smtp.send(b".\r\n")
                smtp.getreply()

    def _wait(self, smtp: smtplib.SMTP, until: float, most: float = STAGE) -> None:
        if smtp.sock is not None:
            smtp.sock.settimeout(_left(until, most))

    def _end(self, smtp: smtplib.SMTP, code: int) -> None:
        """After a refusal: ready for the next letter, unless the relay hangs up."""
        try:
            if code != CLOSING:
                self._caught_up(smtp)
                if smtp.rset()[0] == 250:
                    return
        except (OSError, smtplib.SMTPException):
            pass
        self._forget()

    def _forget(self) -> None:
        smtp: smtplib.SMTP | None = getattr(self._kept, "smtp", None)
        if smtp is not None:
            smtp.close()
        self._kept.smtp, self._kept.outstanding = None, 0


def _trusting(certificates: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if certificates:
        context.load_verify_locations(certificates)
    return context


def _left(until: float, most: float) -> float:
    return max(0.05, min(most, until - monotonic()))


def _options(smtp: smtplib.SMTP, recipient: str) -> Sequence[str]:
    """Of MAIL FROM. An address that is not ASCII needs a relay that says SMTPUTF8 (RFC 6531)."""
    if recipient.isascii():
        smtp.command_encoding = "ascii"
        return ()
    if not smtp.has_extn("smtputf8"):
        raise Refusal("553 5.6.7 Not sent: the address is not ASCII, and SMTPUTF8 is not offered.")
    smtp.command_encoding = "utf-8"
    return "SMTPUTF8", "BODY=8BITMIME"


def _lines(*commands: str) -> str:
    """As smtplib, which sends them one by one, it lets no address begin a command of its own."""
    if any(end in command for command in commands for end in "\r\n"):
        raise ValueError(f"a line end in {commands!r}")
    return "".join(f"{command}\r\n" for command in commands)


def _dotted(raw: bytes) -> bytes:
    """In one piece with the final dot: sent on its own, that would wait for the other side's ACK."""
    end = b"" if raw.endswith(b"\r\n") else b"\r\n"
    return re.sub(rb"(?m)^\.", b"..", raw) + end + b".\r\n"


def _taken(reply: tuple[int, bytes]) -> tuple[int, bytes]:
    """Raises whatever is not a yes."""
    if not 200 <= reply[0] < 300:
        raise smtplib.SMTPResponseException(*reply)
    return reply


def _told(reply: smtplib.SMTPResponseException) -> NotTaken:
    text = f"{reply.smtp_code} {_text(reply.smtp_error)}"
    if reply.smtp_code in NOT_LOGGED_IN:
        return RelayRefuses(text)
    return Refusal(text) if 500 <= reply.smtp_code < 600 else TemporaryFailure(text)


def _text(answer: bytes | str) -> str:
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
