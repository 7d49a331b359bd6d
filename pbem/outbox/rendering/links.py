"""Builds mailto links with prepared answers, and headers for mail providers."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.template import Context as TemplateContext
from django.template import Engine
from django.template.base import Template
from django.template.loader import get_template
from django.utils.translation import gettext

from pbem.network import LOOPBACK
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.board import Board
from pbem.outbox.rendering.recipient import Context, Reader
from pbem.outbox.signed_addresses import board_url

# Partials of templates/mail: each kind has some in text, `turn-lead`, for subject, state and news (the first line),
# lead, answers (each line becomes a button) and text. One in HTML, `turn-body`, takes the place of `section.html`.


def render_text(kind: str, part: str, values: Context) -> str | None:
    """Renders a text partial of a kind without escaping. None when there is no such partial."""
    partial = partials("txt").get(f"{kind}-{part}")
    return None if partial is None else str(partial.render(TemplateContext(dict(values), autoescape=False)))


@cache
def partials(suffix: str) -> Mapping[str, Template]:
    """Collects the partials of all `mail/*.<suffix>` by name."""
    found = {}
    for folder in Engine.get_default().dirs:
        for path in Path(folder, "mail").glob(f"*.{suffix}"):
            for name in _template(path.name).extra_data.get("partials", {}):
                found[name] = _template(f"{path.name}#{name}")
    return found


def _template(name: str) -> Any:
    return get_template(f"mail/{name}").template  # type: ignore[attr-defined]  # of Django's own engine


MOST_LINKS = 40  # mail programs truncate letters of 100 kB
MOST_BOARDS = 10  # of a digest


@dataclass(frozen=True)
class Link:
    text: str
    url: str


def link_moves(contexts: Sequence[Context], reader: Reader, reply_to: str, subject: str) -> None:
    """Adds `links` with the legal moves to the section that asks for one."""
    if reader.player is None or not reader.player.move_links:
        return
    for context in contexts:
        board: Board | None = context.get("board")
        if board is not None and context["examples"]:
            context["links"] = _links(board.moves(MOST_LINKS), reply_to, subject)
        elif context["kind"] == "tried":
            context["links"] = _links([context["first"]], reply_to, subject)


def link_boards(contexts: Sequence[Context], reader: Reader) -> None:
    """Adds `board_link`, a page where the move can be clicked, to the sections that ask for one."""
    player = reader.player
    if player is None or player.program or not player.board_links or not _has_site():
        return
    asking = [context for context in contexts if context.get("board") and context.get("examples")]
    for context in asking if len(asking) <= MOST_BOARDS else ():
        context["board_link"] = board_url(context["seat"], context["ply"])


def _has_site() -> bool:
    """Tells whether readers can reach the site: its address is not that of this machine, except in development."""
    return settings.DEVELOPMENT or urlsplit(settings.SITE_URL).hostname not in LOOPBACK


def link_answers(contexts: Sequence[Context], reply_to: str, subject: str, *, one_match: bool) -> None:
    """Adds `answers` to each section from the template partial of that name, and `options` besides moves."""
    # A reply to a letter about several matches does not say which one it is about.
    for context in contexts:
        clear = one_match or "match" not in context or "reply_to" in context
        words = render_text(context["kind"], "answers", context) if clear else None
        options = _options(context) if context.get("examples") else ()
        context["answers"] = _links(_answers(words or ""), reply_to, subject)
        context["options"] = _links(options, reply_to, subject)


def _answers(block: str) -> list[str]:
    """Splits the block into answers. Indented lines belong to one answer."""
    together = re.sub(r"(?m)(?<=\S)\n(?=    \S)", "\0", block)
    return [re.sub(r"\0 *", "\n", line) for line in together.split("\n")]


def _options(context: Context) -> Iterator[str]:
    """Yields the commands that are allowed instead of a move."""
    number = f"{context['numbered']}: " if "numbered" in context else ""
    if context["draw_offered"] and context["kind"] != "offer":
        yield number + gettext("DRAW") if number else gettext("YES DRAW")
        yield number + gettext("NO")
    if context["may_swap"]:
        yield number + gettext("SWAP")


def _links(lines: Iterable[str], reply_to: str, subject: str) -> list[Link]:
    words = filter(None, map(str.strip, lines))
    empty = mailto(reply_to, f"Re: {subject}", "")
    return [Link(word, empty + quote(_plain(word), safe="")) for word in words]


def _plain(answer: str) -> str:
    """Converts the first word to ASCII (SI for SÌ), since some mail programs garble it."""
    first, blank, rest = answer.partition(" ")
    letters = unicodedata.normalize("NFKD", first)
    return "".join(each for each in letters if not unicodedata.combining(each)) + blank + rest


def link_taps(contexts: Sequence[Context], reply_to: str, subject: str) -> None:
    """Adds a `url` to each tappable line of the sections."""
    for context in contexts:
        for tap in context.get("taps", ()):
            tap["url"] = mailto(reply_to, f"Re: {subject}", tap["command"])


def mailto(address: str, subject: str, body: str) -> str:
    """Returns a mailto URL (RFC 6068). Encodes a plus as well, since some programs read it as a blank."""
    to = quote(address, safe="@")
    return f"mailto:{to}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"


# Headers for mail providers

_OFF = {"settings": {"enable": 0}}


def _mailgun(name: str) -> dict[str, str]:
    """Mailgun keeps our Message-ID and reports it with each event."""
    return {"X-Mailgun-Track": "no"}


def _postmark(name: str) -> dict[str, str]:
    return {
        "X-PM-KeepID": "true",  # otherwise it replaces the Message-ID and breaks threads
        "X-PM-Metadata-letter": name,
        "X-PM-TrackOpens": "false",
        "X-PM-TrackLinks": "None",
    }


def _sendgrid(name: str) -> dict[str, str]:
    filters = dict.fromkeys(("opentrack", "clicktrack", "subscriptiontrack"), _OFF)
    return {"X-SMTPAPI": json.dumps({"unique_args": {"letter": name}, "filters": filters})}


# By the relay's domain. They disable open tracking, rewritten links and a second unsubscribe link.
RELAYS = {"mailgun.org": _mailgun, "postmarkapp.com": _postmark, "sendgrid.net": _sendgrid}


def relay_headers(row: OutboundMail) -> dict[str, str]:
    """Returns the headers for the relay. Empty for other relays."""
    host = urlsplit(settings.EMAIL_URL).hostname or ""
    domain = ".".join(host.split(".")[-2:])
    name = row.message_id.strip("<>").partition("@")[0]
    return RELAYS[domain](name) if domain in RELAYS else {}
