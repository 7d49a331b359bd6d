"""A post office for tests: letters go in as bytes, and every letter that leaves lands in a mailbox."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, parseaddr
from functools import cached_property, lru_cache
from html import escape

from django.conf import settings
from django.db import transaction

from pbem.inbox import services as inbox
from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import store_message
from pbem.matches.clock import outages
from pbem.matches.models import Component, Heartbeat
from pbem.outbox import sending as outbox
from pbem.outbox.delivery.backends import Sender
from pbem.outbox.notifications import digests
from pbem.players import services as players
from pbem.players.models import Player
from tests.programs import Original, Way

AUTHSERV_ID = "mx.pbem.test"
MORNING = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)  # a Monday


class _Reading(EmailPolicy):
    """The default, which parses a field anew whenever somebody asks for it; most letters have the same ones."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return _parsed(name, value)


class _Writing(EmailPolicy):
    """The same of fields that are written."""

    def header_store_parse(self, name: str, value: str) -> tuple[str, str]:
        return _stored(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        return _folded(name, value)


_parsed = lru_cache(maxsize=4096)(policy.default.header_fetch_parse)
_stored = lru_cache(maxsize=4096)(policy.SMTP.header_store_parse)
_folded = lru_cache(maxsize=4096)(policy.SMTP.fold_binary)
READING, WRITING = _Reading(), _Writing(linesep="\r\n")


def unwrapped(text: str) -> str:
    """In one line."""
    return " ".join(text.split())


@dataclass(frozen=True)
class Delivery:
    """A letter as a mailbox has it; `envelope_sender` is where its bounce would go."""

    to: str
    envelope_sender: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        message = message_from_bytes(self.raw, policy=READING)
        assert isinstance(message, EmailMessage)
        return message

    @property
    def kind(self) -> str:
        return str(self.message["X-PBeM-Letter"])

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def reply_to(self) -> str:
        return parseaddr(str(self.message["Reply-To"]))[1]

    @property
    def text(self) -> str:
        return self._body("plain")

    @property
    def html(self) -> str:
        return self._body("html")

    @property
    def attachments(self) -> dict[str, str]:
        """The text of files by their names."""
        return {name: content.decode() for name, content in self.files.items() if not name.endswith(".gif")}

    @property
    def files(self) -> dict[str, bytes]:
        """What is attached, by its name."""
        return {
            str(part.get_filename()): bytes(part.get_payload(decode=True))
            for part in self.message.walk()
            if part.get_content_disposition() == "attachment"
        }

    def __repr__(self) -> str:
        return f"<{self.kind} to {self.to}: {self.subject}>"

    def _body(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return "" if part is None else str(part.get_content())


@dataclass
class Mailboxes:
    """A Sender that delivers into memory; `failure`, if set, is raised instead."""

    boxes: defaultdict[str, list[Delivery]] = field(default_factory=lambda: defaultdict(list))
    seen: Counter[tuple[str, str]] = field(
        default_factory=Counter
    )  # how many letters each reader of a box knows
    failure: Exception | None = None

    def copied(self) -> Mailboxes:
        boxes = {email: list(letters) for email, letters in self.boxes.items()}
        return Mailboxes(defaultdict(list, boxes), self.seen.copy(), self.failure)

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        if self.failure:
            raise self.failure
        for way_out in (
            b"\r\nList-Unsubscribe: ",
            b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
        ):
            assert raw.count(way_out) == 1, "whoever reads a letter of ours can have no more (RFC 8058)"
        self.boxes[recipient].append(Delivery(recipient, sender, raw))
        return "250 delivered"


@dataclass
class Post:
    """The service with nothing but bytes on either side. `now` moves only when a test says so."""

    now: datetime = MORNING
    mailboxes: Mailboxes = field(default_factory=Mailboxes)
    written: int = 0

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Whatever happens within has not happened afterwards: for many ways to go on from one beginning."""
        boxes, now = self.mailboxes, self.now
        self.mailboxes = boxes.copied()
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
        self.mailboxes, self.now = boxes, now
        players.forget()
        outages.forget()

    def deliver(self, raw: bytes, recipient: str, sender: str = "somebody@example.org") -> InboundMail:
        """Through the door, opened, and everything sent that came of it; the row, with its verdict."""
        row = self.keep(raw, recipient, sender)
        self.open()
        self.send()
        row.refresh_from_db()
        return row

    def keep(self, raw: bytes, recipient: str, sender: str = "somebody@example.org") -> InboundMail:
        return store_message(raw, sender=sender, recipient=recipient, now=self.now)

    def live(self) -> None:
        """The worker has never been away."""
        beat = Heartbeat(component=Component.WORKER, minute=self.now, beat_at=self.now)
        Heartbeat.objects.bulk_create([beat], ignore_conflicts=True)

    def open(self) -> None:
        """What the tasks would do: every letter that waits is opened."""
        self.live()
        for pk in list(inbox.waiting(now=self.now)):
            inbox.open_mail(pk, now=self.now)

    def open_one(self, pk: int) -> None:
        """The oldest of its queue."""
        self.live()
        inbox.open_mail(pk, now=self.now)

    def send(self) -> None:
        for pk in list(outbox.due(now=self.now)):
            outbox.send(pk, now=self.now, sender=self.sender)

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)

    def digest(self) -> None:
        """What comes with time: every digest that is due is written and sent."""
        for pk in list(digests.due(now=self.now)):
            digests.write(pk, now=self.now)
        self.send()

    @property
    def sender(self) -> Sender:
        return self.mailboxes


@dataclass
class Correspondent:
    """Somebody with a mailbox, who writes letters as people do and answers as mail programs do."""

    post: Post
    name: str
    email: str
    wrote: str = "On 4 May 2026, PBeM wrote:"

    @property
    def letters(self) -> list[Delivery]:
        return self.post.mailboxes.boxes[self.email]

    @property
    def letter(self) -> Delivery:
        """The newest."""
        return self.letters[-1]

    def reads(self) -> list[Delivery]:
        """What has come since the last time."""
        seen, letters, reader = self.post.mailboxes.seen, self.letters, (self.name, self.email)
        new, seen[reader] = letters[seen[reader] :], len(letters)
        return new

    def reads_again(self) -> None:
        """As if nothing had been read yet."""
        self.post.mailboxes.seen[self.name, self.email] = 0

    def kinds(self) -> list[str]:
        """What has come since the last time, by kind."""
        return [letter.kind for letter in self.reads()]

    @property
    def player(self) -> Player:
        player = Player.objects.called(self.name)
        assert player is not None
        return player

    def writes(
        self,
        body: str,
        *,
        to: str = "",
        subject: str = "",
        dmarc: str = "pass",
        headers: dict[str, str] | None = None,
        subtype: str = "plain",
    ) -> InboundMail:
        """A letter, to play@ unless `to` says otherwise; `dmarc` "" leaves out what our server found."""
        raw = self.pens(body, subject=subject, dmarc=dmarc, headers=headers, subtype=subtype)
        return self.post.deliver(raw, to or play_address(), self.email)

    def answers(
        self,
        letter: Delivery,
        body: str,
        *,
        to: str = "",
        dmarc: str = "pass",
        headers: dict[str, str] | None = None,
    ) -> InboundMail:
        """A reply above the quoted letter, to where the letter asks for it unless `to` says otherwise."""
        quoted = "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines())
        mine = {
            "In-Reply-To": str(letter.message["Message-ID"]),
            "References": str(letter.message["Message-ID"]),
        }
        return self.writes(
            f"{body}\n\n{self.wrote}\n{quoted}\n",
            to=to or letter.reply_to,
            subject=f"Re: {letter.subject}",
            dmarc=dmarc,
            headers=mine | (headers or {}),
        )

    def answers_with(self, way: Way, letter: Delivery, body: str) -> InboundMail:
        """A reply as one of the mail programs writes it."""
        program, style, only_html = way
        self.post.written += 1
        headers = {
            "Authentication-Results": found("pass", self.email),
            "From": f"{self.name} <{self.email}>",
            "To": letter.reply_to,
            "Subject": "Re: our match",
            "Date": format_datetime(self.post.now),
            "Message-ID": f"<{self.post.written}@example.org>",
            "In-Reply-To": str(letter.message["Message-ID"]),
        }
        raw = program.answer(
            body.splitlines(),
            Original(letter.text, letter.html or page_of(letter.text)),
            self.player.language,
            style,
            only_html=only_html,
            headers=headers,
        )
        return self.post.deliver(raw, letter.reply_to, self.email)

    def pens(
        self,
        body: str,
        *,
        subject: str = "",
        dmarc: str = "pass",
        headers: dict[str, str] | None = None,
        subtype: str = "plain",
    ) -> bytes:
        """The bytes of a letter, each with a Message-ID of its own."""
        self.post.written += 1
        letter = EmailMessage(policy=WRITING)
        if dmarc:
            author = parseaddr((headers or {}).get("From", self.email))[1]
            letter["Authentication-Results"] = found(dmarc, author)
        letter["From"] = f"{self.name} <{self.email}>"
        letter["To"] = play_address()
        letter["Subject"] = subject
        letter["Date"] = format_datetime(self.post.now)
        letter["Message-ID"] = f"<{self.post.written}@example.org>"
        for name, value in (headers or {}).items():
            del letter[name]
            letter[name] = value
        letter.set_content(body, subtype=subtype)
        return letter.as_bytes()


def page_of(text: str) -> str:
    """What programs make of a letter that has no page, to quote it in one."""
    paragraphs = escape(text.strip()).replace("  ", "&nbsp; ").split("\n\n")
    lines = "".join(f"<p>{paragraph}</p>".replace("\n", "<br>") for paragraph in paragraphs)
    return f"<html><head></head><body>{lines}</body></html>"


def found(dmarc: str, author: str) -> str:
    """What our mail server writes on top of a letter that the provider of `author` has brought it, or another."""
    spf = "pass" if dmarc == "pass" else "none"
    domain = author.rpartition("@")[2]
    return f"{AUTHSERV_ID}; spf={spf} smtp.mailfrom={author}; dmarc={dmarc} header.from={domain}"


def play_address() -> str:
    return f"play@{settings.MAIL_DOMAIN}"


def registered(post: Post, name: str, language: str, wrote: str = "") -> Correspondent:
    """Somebody who signed up some time ago."""
    email = f"{name.lower()}@example.org"
    players.register(name=name, email=email, language=language, now=post.now)
    return Correspondent(post, name, email, wrote or Correspondent.wrote)
