"""Speaks SMTP with the relay, over one persistent connection per thread."""

from __future__ import annotations

import re
import smtplib
import ssl
import threading
from collections.abc import Sequence
from enum import Enum, auto
from time import monotonic

from pbem.outbox.delivery.status_codes import reply_class_of
from pbem.refusals import Code

# Failures. Each has a fate, a code of `pbem.refusals`.


class DeliveryError(Exception):
    """The relay has probably not taken the letter. `reply` is its reply, or the error.

    `silent`: it fell silent after the recipient was sent, possibly because it waits for that domain.
    """

    relay = False  # True when the relay refuses regardless of the recipient

    def __init__(self, reply: str, *, silent: bool = False) -> None:
        super().__init__(reply)
        self.reply, self.silent = reply, silent

    @property
    def fate(self) -> str:
        return reply_class_of(self.reply) or Code.UNKNOWN_REPLY


class TemporaryFailure(DeliveryError):
    """Temporary failure: a 4xx reply, or the connection broke before the letter was sent."""

    @property
    def fate(self) -> str:
        return Code.MAILBOX_FULL if reply_class_of(self.reply) == Code.MAILBOX_FULL else Code.SOFT


class Refusal(DeliveryError):
    """Permanent refusal of this letter to this address: a 5xx reply."""


class RelayAway(TemporaryFailure):
    """The relay is unreachable or takes no letters now."""

    relay = True


class RelayRefuses(DeliveryError):
    """The relay rejects our password, certificate or sender address. The operator has to act."""

    relay = True
    fate = Code.POLICY


class ReplyLost(DeliveryError):
    """The letter was sent, but no valid reply came. It may have been taken."""

    fate = Code.UNKNOWN_REPLY


# Internationalised addresses


def in_ascii(address: str) -> str:
    """Converts the domain to its DNS form (RFC 5891), so that only the local part may need more than ASCII."""
    if address.isascii():
        return address
    local, _, domain = address.rpartition("@")
    try:
        return f"{local}@{domain.encode('idna').decode('ascii')}"
    except UnicodeError:
        return address


STAGE = 30.0  # seconds for the reply to a command; the reply to the letter may take all that is left
NOT_LOGGED_IN = (530, 535, 538)  # RFC 4954, in reply to any command
CLOSING = 421  # in reply to any command, before the server hangs up (RFC 5321, 3.8)


class Tls(Enum):
    NONE = auto()
    STARTTLS = auto()
    FROM_THE_START = auto()


class SmtpSender:
    """An SMTP client for one relay.

    `name` is our host name, `certificates` a file of additional trusted certificates, `patience` the time
    limit for a letter in seconds.
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
        """Hands over a letter and returns the relay's reply. Raises a NotTaken. The connection stays usable."""
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
        """Runs the session up to RCPT TO. Raises a NotTaken."""
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
        """Closes this thread's connection."""
        self._forget()

    def _heard(self, smtp: smtplib.SMTP, until: float) -> str:
        """Reads the reply to the final dot. Raises ReplyLost when it does not come."""
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
        """Returns a connection after MAIL FROM: the kept one, unless the relay has closed it.

        `ahead`: pipelines the rest of the envelope.
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
        """Returns the connection. Raises RelayRefuses or RelayAway when MAIL FROM is refused."""
        # The relay rejects our sender address, which affects all letters: each bounce address is new.
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
        """Sends MAIL FROM and returns its reply. `ahead`: RCPT and DATA follow, their replies are
        outstanding."""
        options = _options(smtp, recipient)
        # Pipelining (RFC 2920)
        if not (ahead and smtp.has_extn("pipelining")):
            return smtp.mail(sender, options)
        mail = " ".join((f"MAIL FROM:{smtplib.quoteaddr(sender)}", *options))
        smtp.send(_lines(mail, f"RCPT TO:{smtplib.quoteaddr(recipient)}", "DATA"))
        self._kept.outstanding = 2
        return smtp.getreply()

    def _next(self, smtp: smtplib.SMTP) -> tuple[int, bytes] | None:
        """Returns the next outstanding reply. None when there is none."""
        left: int = getattr(self._kept, "outstanding", 0)
        if not left:
            return None
        self._kept.outstanding = left - 1
        return smtp.getreply()

    def _caught_up(self, smtp: smtplib.SMTP) -> None:
        """Reads all outstanding replies."""
        # A relay that accepts DATA without a recipient gets an empty letter (RFC 2920, 3.1).
        while reply := self._next(smtp):
            if reply[0] == 354:
                smtp.send(b".\r\n")
                smtp.getreply()

    def _wait(self, smtp: smtplib.SMTP, until: float, most: float = STAGE) -> None:
        if smtp.sock is not None:
            smtp.sock.settimeout(_left(until, most))

    def _end(self, smtp: smtplib.SMTP, code: int) -> None:
        """Resets the session after a refusal, or closes the connection."""
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
    """Returns the options of MAIL FROM. Raises Refusal when the relay lacks the SMTPUTF8 that it needs (RFC
    6531)."""
    if recipient.isascii():
        smtp.command_encoding = "ascii"
        return ()
    if not smtp.has_extn("smtputf8"):
        raise Refusal("553 5.6.7 Not sent: the address is not ASCII, and SMTPUTF8 is not offered.")
    smtp.command_encoding = "utf-8"
    return "SMTPUTF8", "BODY=8BITMIME"


def _lines(*commands: str) -> str:
    """Joins commands with CRLF. Raises ValueError for a line end in a command."""
    # Prevents command injection, as smtplib does.
    if any(end in command for command in commands for end in "\r\n"):
        raise ValueError(f"a line end in {commands!r}")
    return "".join(f"{command}\r\n" for command in commands)


def _dotted(raw: bytes) -> bytes:
    """Applies dot-stuffing, and appends the final dot."""
    # In one piece: sent separately, the dot would wait for an ACK.
    end = b"" if raw.endswith(b"\r\n") else b"\r\n"
    return re.sub(rb"(?m)^\.", b"..", raw) + end + b".\r\n"


def _taken(reply: tuple[int, bytes]) -> tuple[int, bytes]:
    """Raises SMTPResponseException unless the reply is 2xx."""
    if not 200 <= reply[0] < 300:
        raise smtplib.SMTPResponseException(*reply)
    return reply


def _told(reply: smtplib.SMTPResponseException) -> DeliveryError:
    text = f"{reply.smtp_code} {_text(reply.smtp_error)}"
    if reply.smtp_code in NOT_LOGGED_IN:
        return RelayRefuses(text)
    return Refusal(text) if 500 <= reply.smtp_code < 600 else TemporaryFailure(text)


def _text(answer: bytes | str) -> str:
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
