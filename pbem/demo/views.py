"""A mail program in the browser for those who try the service out: everybody's letters, and a way to answer them.

It writes in anybody's name, so it is there in development alone.
"""

from __future__ import annotations

from collections.abc import Callable
from email.headerregistry import Address
from functools import wraps
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from pbem.demo.forms import MessageForm, ReplyForm
from pbem.demo.framed import framed
from pbem.demo.mail_client import answer_to, hand_over, quoted
from pbem.demo.mailboxes import Letter, Mailbox, mailboxes
from pbem.outbox.sealed_addresses import play_address

View = Callable[..., HttpResponse]
WAIT, GLANCE = 5.0, 0.05  # seconds for what comes of a message, and between two looks
# Nothing of a letter runs, and nothing is fetched for it.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
FIRST = "carla"  # whose message stands in the empty form


def in_development(view: View) -> View:
    """Elsewhere there is no such page, even if somebody has mounted it."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.DEVELOPMENT:
            raise Http404
        return view(request, *args, **kwargs)

    return shown


@in_development
def letters(request: HttpRequest) -> HttpResponse:
    """Whose letters there are, and a first message of somebody new."""
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
    """One's letters, and a new message."""
    box = _box(address)
    form = MessageForm(request.POST or None, initial={"to": play_address()}, owner=_owner(box))
    if request.method == "POST" and form.is_valid() and (gone := _send(form)):
        return gone
    return render(request, "demo/inbox.html", _page(request, box) | {"form": form})


@in_development
def letter(request: HttpRequest, address: str, name: str) -> HttpResponse:
    """A letter, and the answer to it. A link of the letter brings an answer that is written already."""
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
    """The HTML of a letter, as a mail program shows it."""
    _, shown = _letter(address, name)
    page = reverse("letters:letter", args=[address, name])
    headers = {"Content-Security-Policy": POLICY}
    return HttpResponse(framed(shown.html, page), headers=headers)


@in_development
def newest(request: HttpRequest, address: str) -> HttpResponse:
    """What a page asks that waits for a letter."""
    box = _box(address)
    subject = box.letters[0].subject if box.letters else ""
    page = reverse("letters:letter", args=[box.address, box.newest]) if box.newest else ""
    return JsonResponse({"name": box.newest, "subject": subject, "page": page})


def _page(request: HttpRequest, box: Mailbox) -> dict[str, Any]:
    """What stands on each page about somebody's letters."""
    return {"box": box, "boxes": mailboxes(settings.LETTERS).values(), "sent": "sent" in request.GET}


def _send(form: MessageForm, answered: Letter | None = None) -> HttpResponse | None:
    """To the mail door; then to the letter that answers it. None, with an error in the form, if the door says no."""
    quote = form.cleaned_data.get("quote", False)
    try:
        written = form.message(_quote(answered) if answered and quote else "")
        address = str(form.writer.addr_spec).lower()
        before = _box(address).newest
        if answered and quote:
            answer_to(answered.message, written)
        hand_over(written, _door(), lmtp=settings.DOOR_PROTOCOL == "lmtp")
    except (OSError, ValueError) as error:
        form.add_error(None, gettext("The mail door says: %(error)s") % {"error": error})
        return None
    came = _wait(address, before)
    where = ("letters:letter", [address, came]) if came else ("letters:inbox", [address])
    return redirect(f"{reverse(where[0], args=where[1])}?{urlencode({'sent': 1})}")


def _wait(address: str, before: str) -> str:
    """The name of the first letter that comes now; "" if none does for a while."""
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
    """Empty for whom nothing has come yet."""
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
    host, _, port = settings.DOOR_LISTEN.rpartition(":")
    return host.strip("[]"), int(port)
