"""The HTML of a letter for a frame: its links to addresses lead to the page's own answer."""

from __future__ import annotations

import re
from html import escape, unescape
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

_HREF = re.compile(r'href="(mailto:[^"]*|https?:[^"]*)"')


def framed(html: str, page: str) -> str:
    """A link of the letter opens in the window around the frame; one that writes a message, on `page`."""
    return _HREF.sub(lambda found: _link(unescape(found[1]), page), html)


def _link(url: str, page: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "mailto":
        fields = parse_qs(parts.query.replace("+", "%2B"))  # a plus is no blank there (RFC 6068)
        said = {"to": unquote(parts.path), **{name: values[0] for name, values in fields.items()}}
        wanted = {"to": said["to"], "subject": said.get("subject", ""), "text": said.get("body", "")}
        url = f"{page}?{urlencode(wanted)}#reply"
    return f'href="{escape(url)}" target="_top"'
