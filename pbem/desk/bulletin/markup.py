"""The organiser's Markdown in print: as HTML without raw HTML and pictures from elsewhere, and names as Markdown."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Raw HTML stays text; a picture from elsewhere would not be in the archive.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~])")


def html(markdown: str, level: int = 2) -> str:
    """Headings begin below those of the page, which has used up to `level`."""
    tokens = _MARKDOWN.parse(markdown)
    for token in tokens:
        _lower(token, level)
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def plain(text: str) -> str:
    """As Markdown that shows it as it is, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(str(text).split()))


def _lower(token: Token, level: int) -> None:
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1:]) + level)}"
