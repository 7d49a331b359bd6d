"""A mail program in the browser that shows all letters and sends as any player, in development only."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.headerregistry import Address, AddressHeader, DateHeader
from email.message import EmailMessage
from functools import cached_property, lru_cache, wraps
from html import escape, unescape
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.demo.post_office import answer_to, hand_over, message, quoted
from pbem.outbox.signed_addresses import play_address

# Forms


class MessageForm(forms.Form):
    """A message of a new player, or of the owner of `address`."""

    name = forms.CharField(label=_("Your name"), max_length=60, required=False)
    sender = forms.EmailField(label=_("Your address"))
    to = forms.EmailField(label=_("To"))
    subject = forms.CharField(label=_("Subject"), max_length=300, required=False)
    text = forms.CharField(
        label=_("Text"), max_length=20_000, required=False, widget=forms.Textarea(attrs={"rows": 5})
    )

    def __init__(self, *args: Any, owner: Address | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner
        if owner is not None:
            del self.fields["name"], self.fields["sender"]

    @property
    def writer(self) -> Address:
        if self.owner is not None:
            return self.owner
        return Address(self.cleaned_data["name"], addr_spec=self.cleaned_data["sender"])

    def message(self, quote: str = "") -> EmailMessage:
        """Returns the message of a mail program, with `quote` below."""
        said = self.cleaned_data
        body = "\n\n".join(filter(None, (said["text"].replace("\r\n", "\n"), quote)))
        return message(self.writer, said["to"], " ".join(said["subject"].split()), f"{body}\n")


class ReplyForm(MessageForm):
    quote = forms.BooleanField(label=_("Answer this letter, with its text below"), required=False)


# The HTML of a letter in a frame

_HREF = re.compile(r'href="(mailto:[^"]*|https?:[^"]*)"')


def framed(html: str, page: str) -> str:
    """Makes links open in the window around the frame, and mailto: links on `page`."""
    return _HREF.sub(lambda found: _link(unescape(found[1]), page), html)


def _link(url: str, page: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "mailto":
        fields = parse_qs(parts.query.replace("+", "%2B"))  # a plus is no blank there (RFC 6068)
        said = {"to": unquote(parts.path), **{name: values[0] for name, values in fields.items()}}
        wanted = {"to": said["to"], "subject": said.get("subject", ""), "text": said.get("body", "")}
        url = f"{page}?{urlencode(wanted)}#reply"
    return f'href="{escape(url)}" target="_top"'


# Mailboxes: the letters in the folder, by recipient


@dataclass(frozen=True)
class Letter:
    """A letter; `name` is that of its file."""

    name: str
    message: EmailMessage

    @property
    def reader(self) -> Address:
        return self._mailbox("To")

    @property
    def sender(self) -> Address:
        return self._mailbox("From")

    @property
    def subject(self) -> str:
        return str(self.message["Subject"] or "")

    @property
    def reply_to(self) -> str:
        return str(self._mailbox("Reply-To").addr_spec or self.sender.addr_spec)

    @property
    def sent_at(self) -> datetime | None:
        header = self.message["Date"]
        return header.datetime if isinstance(header, DateHeader) else None

    @cached_property
    def text(self) -> str:
        return self._part("plain")

    @property
    def begins(self) -> str:
        """Returns the first line with text, for the list of letters."""
        return next((line.strip() for line in self.text.splitlines() if line.strip()), "")

    @cached_property
    def html(self) -> str:
        """Returns the HTML part with its pictures embedded, since a frame cannot resolve `cid:`."""
        html = self._part("html")
        for part in self.message.walk():
            if name := part["Content-ID"]:
                payload = part.get_payload(decode=True)
                data = b64encode(payload if isinstance(payload, bytes) else b"").decode()
                html = html.replace(
                    f"cid:{str(name).strip().strip('<>')}", f"data:{part.get_content_type()};base64,{data}"
                )
        return html

    @property
    def files(self) -> list[str]:
        """Returns the names of the attachments."""
        return [str(part.get_filename()) for part in self.message.iter_attachments() if part.get_filename()]

    def _part(self, kind: str) -> str:
        body = self.message.get_body((kind,))
        return str(body.get_content()).replace("\r\n", "\n") if body else ""

    def _mailbox(self, name: str) -> Address:
        header = self.message[name]
        addresses = header.addresses if isinstance(header, AddressHeader) else ()
        return addresses[0] if addresses else Address()


@dataclass(frozen=True)
class Mailbox:
    """The letters to one address, newest first."""

    address: str
    letters: tuple[Letter, ...]

    @property
    def owner(self) -> str:
        """Returns the player's name in letters of the service; "" when there is none yet."""
        return next((letter.reader.display_name for letter in self.letters if letter.reader.display_name), "")

    @property
    def newest(self) -> str:
        return self.letters[0].name if self.letters else ""

    def letter(self, name: str) -> Letter | None:
        return next((letter for letter in self.letters if letter.name == name), None)


def mailboxes(folder: Path) -> Mapping[str, Mailbox]:
    """Returns the mailboxes by address, the one with the newest letter first."""
    found: dict[str, list[Letter]] = {}
    files = [(path.stat().st_mtime_ns, path) for path in folder.glob("*.eml")]
    for changed, path in sorted(files, reverse=True):
        letter = _read(path, changed)
        found.setdefault(letter.reader.addr_spec.lower(), []).append(letter)
    return {address: Mailbox(address, tuple(letters)) for address, letters in found.items()}


@lru_cache(maxsize=1024)
def _read(path: Path, changed: int) -> Letter:
    # `changed` is part of the cache key: a later file may have the same name.
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    return Letter(path.stem, message)


View = Callable[..., HttpResponse]
WAIT, GLANCE = 5.0, 0.05  # seconds for the response to a message, and between two looks
# No script of a letter runs, and nothing is fetched for it.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
FIRST = "carla"  # the sender in the empty form


def in_development(view: View) -> View:
    """Raises Http404 outside development, even if the URLs are mounted."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.DEVELOPMENT:
            raise Http404
        return view(request, *args, **kwargs)

    return shown


@in_development
def letters(request: HttpRequest) -> HttpResponse:
    """Lists the mailboxes, with a form for the first message of a new player."""
    boxes = mailboxes(settings.LETTERS)
    first = {
        "name": FIRST.capitalize(),
        "sender": f"{FIRST}@players.localhost",
        "to": play_address(),
        "text": gettext("REGISTER %(name)s") % {"name": FIRST.capitalize()},
    }
    form = MessageForm(request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid() and (gone := _send(form)):
        return gone
    return render(request, "demo/letters.html", {"boxes": boxes.values(), "form": form})


@in_development
def inbox(request: HttpRequest, address: str) -> HttpResponse:
    """Lists a player's letters, with a form for a new message."""
    box = _box(address)
    form = MessageForm(request.POST or None, initial={"to": play_address()}, owner=_owner(box))
    if request.method == "POST" and form.is_valid() and (gone := _send(form)):
        return gone
    return render(request, "demo/inbox.html", _page(request, box) | {"form": form})


@in_development
def letter(request: HttpRequest, address: str, name: str) -> HttpResponse:
    """Shows a letter with a form for the reply, filled in by the link that led here."""
    box, shown = _letter(address, name)
    linked = "to" in request.GET
    initial = {"to": shown.reply_to, "subject": _re(shown.subject), "quote": True}
    if linked:
        initial = {**{key: request.GET.get(key, "") for key in ("to", "subject", "text")}, "quote": False}
    form = ReplyForm(request.POST or None, initial=initial, owner=_owner(box))
    if request.method == "POST" and form.is_valid() and (gone := _send(form, shown)):
        return gone
    context = _page(request, box) | {"letter": shown, "form": form, "linked": linked}
    return render(request, "demo/letter.html", context)


@in_development
def frame(request: HttpRequest, address: str, name: str) -> HttpResponse:
    """Shows the HTML of a letter."""
    _, shown = _letter(address, name)
    page = reverse("letters:letter", args=[address, name])
    headers = {"Content-Security-Policy": POLICY}
    return HttpResponse(framed(shown.html, page), headers=headers)


@in_development
def newest(request: HttpRequest, address: str) -> HttpResponse:
    """Answers a page that waits for a letter."""
    box = _box(address)
    subject = box.letters[0].subject if box.letters else ""
    page = reverse("letters:letter", args=[box.address, box.newest]) if box.newest else ""
    return JsonResponse({"name": box.newest, "subject": subject, "page": page})


def _page(request: HttpRequest, box: Mailbox) -> dict[str, Any]:
    """Returns the context of the pages of a mailbox."""
    return {"box": box, "boxes": mailboxes(settings.LETTERS).values(), "sent": "sent" in request.GET}


def _send(form: MessageForm, answered: Letter | None = None) -> HttpResponse | None:
    """Sends a message and redirects to its reply. None, with a form error, when the mail door refuses."""
    quote = form.cleaned_data.get("quote", False)
    try:
        written = form.message(_quote(answered) if answered and quote else "")
        address = str(form.writer.addr_spec).lower()
        before = _box(address).newest
        if answered and quote:
            answer_to(answered.message, written)
        hand_over(written, _door(), lmtp=settings.SMTP_PROTOCOL == "lmtp")
    except (OSError, ValueError) as error:
        form.add_error(None, gettext("The mail door says: %(error)s") % {"error": error})
        return None
    came = _wait(address, before)
    where = ("letters:letter", [address, came]) if came else ("letters:inbox", [address])
    return redirect(f"{reverse(where[0], args=where[1])}?{urlencode({'sent': 1})}")


def _wait(address: str, before: str) -> str:
    """Returns the name of the first new letter; "" when none comes in time."""
    end = monotonic() + WAIT
    while monotonic() < end:
        names = [letter.name for letter in _box(address).letters]
        if new := names[: names.index(before)] if before in names else names:
            return new[-1]
        sleep(GLANCE)
    return ""


def _quote(answered: Letter) -> str:
    now = timezone.localtime()
    wrote = gettext("On %(day)s at %(hour)s, %(name)s wrote:") % {
        "day": date_format(now, "d/m/Y"),
        "hour": date_format(now, "H:i"),
        "name": answered.sender.display_name or answered.sender.addr_spec,
    }
    return f"{wrote}\n{quoted(answered.text)}"


def _box(address: str) -> Mailbox:
    """Returns a mailbox; it is empty before the first letter."""
    found = mailboxes(settings.LETTERS).get(address.lower())
    return found or Mailbox(address.lower(), ())


def _letter(address: str, name: str) -> tuple[Mailbox, Letter]:
    box = _box(address)
    found = box.letter(name)
    if found is None:
        raise Http404
    return box, found


def _owner(box: Mailbox) -> Address:
    try:
        return Address(box.owner, addr_spec=box.address)
    except ValueError:
        raise Http404 from None


def _re(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def _door() -> tuple[str, int]:
    host, _, port = settings.SMTP_LISTEN.rpartition(":")
    return host.strip("[]"), int(port)
