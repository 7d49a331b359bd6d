"""Renders Markdown as text in 72 columns, by the HTML that it means."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from html import escape
from typing import Any

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.html_properties import Display, WhiteSpace
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from inscriptis.model.tag import CustomHtmlTagHandlerMapping
from lxml.html import fromstring
from markdown_it import MarkdownIt

from pbem.outbox.rendering.contest_tables import COLUMNS

_HARD, _HEADING = "\ue000", "\ue001"  # private use: a blank that stays, and the beginning of a heading
_LEAD = re.compile(r" *(?:• |[0-9]+\. )?")
_RULES: dict[str, Callable[..., str]] = {
    "code_inline": lambda tokens, at, *_: _hard(tokens[at].content),
    "fence": lambda tokens, at, *_: f"<pre>{_hard(tokens[at].content)}</pre>",
    "code_block": lambda tokens, at, *_: f"<pre>{_hard(tokens[at].content)}</pre>",
    "heading_open": lambda *_: f"<p>{_HEADING}",
    "heading_close": lambda *_: "</p>",
    "table_open": lambda *_: "<figure><table>",  # a table has no margins of its own
    "table_close": lambda *_: "</table></figure>",
}
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.renderer.rules.update(_RULES)  # type: ignore[attr-defined]
_BLOCK: dict[str, Any] = {"display": Display.block, "margin_before": 1, "margin_after": 1}
_CONFIG = ParserConfig(
    css=CSS_PROFILES["strict"]
    | {
        "ul": HtmlElement(display=Display.block, padding_inline=2),
        "ol": HtmlElement(display=Display.block, padding_inline=3),
        "blockquote": HtmlElement(**_BLOCK, padding_inline=4),
        "pre": HtmlElement(**_BLOCK, padding_inline=4, whitespace=WhiteSpace.pre),
    },
    custom_html_tag_handler_mapping=CustomHtmlTagHandlerMapping(
        {
            "ul": lambda state, _: state.li_counter.append("• "),
            "ol": lambda state, attrs: state.li_counter.append(int(attrs.get("start", 1))),
        },
        {},
    ),
)


def plain(page: str) -> str:
    """Renders Markdown as text in 72 columns: the HTML that it means, as inscriptis reads it."""
    html = fromstring(f"<div>{_MARKDOWN.render(page)}</div>")
    lines = Inscriptis(html, _CONFIG).get_text().strip("\n").split("\n")
    text = "\n".join(map(_filled, lines)).replace(_HARD, " ")
    return re.sub(r"\n{3,}", "\n\n", text)  # below a table


def _hard(code: str) -> str:
    return escape(code.rstrip("\n").replace(" ", _HARD))


def _filled(line: str) -> str:
    """Wraps a line behind its indent and bullet. A heading is in capitals, except for words with digits."""
    if line.startswith(_HEADING):
        words = line.replace(_HEADING, "").split(" ")
        line = " ".join(word if re.search(r"\d", word) else word.upper() for word in words)  # cells
    if len(line) <= COLUMNS:
        return line.rstrip()
    lead = _LEAD.match(line)
    indent = lead[0] if lead else ""
    said = " ".join(line[len(indent) :].split())  # a row of a table that is too wide
    return textwrap.fill(
        said,
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=" " * len(indent),
        break_long_words=False,
        break_on_hyphens=False,
    )
