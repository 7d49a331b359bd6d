"""Template filters of bulletins: the organiser's Markdown as HTML, and plain text as Markdown."""

from __future__ import annotations

import re

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

register = template.Library()
# Raw HTML stays text; an external picture would be missing in the archive.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~])")


@register.filter
def html(markdown: str, level: int = 2) -> SafeString:
    """Renders Markdown; headings begin below `level`."""
    tokens = _MARKDOWN.parse(markdown)
    for token in tokens:
        _lower(token, level)
    return mark_safe(str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})))


@register.filter
def md(text: str) -> str:
    """Escapes text for Markdown, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(str(text).split()))


def _lower(token: Token, level: int) -> None:
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1:]) + level)}"
