"""Renders rules pages and guides: Markdown, with boards as pictures, text and words."""

from __future__ import annotations

import logging
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from django.conf import settings
from markdown_it.tree import SyntaxTreeNode

from games.kit.drawing import DEFAULT, Theme
from games.pages import WIDTH, Diagram, parts, read
from games.protocol import Notation
from games.registry import AnyGame

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Part:
    """A part of a page: Markdown, or a board as `text`, `words` and a `picture` named `name`."""

    markdown: str = ""
    text: str = ""
    words: str = ""
    picture: bytes = b""
    name: str = ""
    width: int = WIDTH
    letter: str = ""  # Message-ID of the letter that contains it

    @property
    def cid(self) -> str:
        return f"{self.name}.{self.letter}"


def rules_page(game: AnyGame, notation: Notation, theme: Theme = DEFAULT) -> list[Part]:
    """Returns the parts of a rules page. The raw page when a board cannot be drawn (S04)."""
    try:
        return _drawn(parts(game, notation.language), game.key, notation, theme)
    except Exception:
        log.exception("S04: the rules page of %s has a board that cannot be drawn", game.key)
        return [Part(game.rules_page(notation.language))]


def guide(language: str, play_address: str) -> str:
    """Returns the player's guide as Markdown."""
    page = files(__package__).joinpath(f"guide/player.{language}.md").read_text("utf-8")
    return page.replace("play@example.org", play_address)


def robots_page(language: str) -> list[Part]:
    """Returns the page about robots."""
    page = files(__package__).joinpath(f"guide/robots.{language}.md").read_text("utf-8")
    most = {"matches": settings.ROBOT_MATCHES, "thinks": settings.ROBOT_THINKS_PER_DAY}
    return [Part(page.format(**most))]


def guide_page(notation: Notation, play_address: str, theme: Theme = DEFAULT) -> list[Part]:
    """Returns the parts of the player's guide."""
    return _drawn(read(guide(notation.language, play_address)), "guide", notation, theme)


def _drawn(page: Iterable[str | Diagram], name: str, notation: Notation, theme: Theme) -> list[Part]:
    return [
        _board(part, notation, theme, f"{name}-{number}") if isinstance(part, Diagram) else Part(part)
        for number, part in enumerate(page)
    ]


def _board(diagram: Diagram, notation: Notation, theme: Theme, name: str) -> Part:
    return Part(
        text=diagram.text(notation),
        words=diagram.words(notation),
        picture=diagram.picture(notation, theme),
        name=name,
    )


# Plain text

INDENT = "    "
HARD = "\N{NO-BREAK SPACE}"  # in code, so that it stays on one line
GAP = 2  # columns between table columns


def plain(page: SyntaxTreeNode, columns: int) -> str:
    """Converts a page to plain text, with an empty line between blocks."""
    return "\n\n".join(_block(node, columns) for node in page.children)


def _block(node: SyntaxTreeNode, columns: int) -> str:
    return _BLOCKS.get(node.type, _paragraph)(node, columns)


def _paragraph(node: SyntaxTreeNode, columns: int) -> str:
    return _fill(_said(node), columns)


def _heading(node: SyntaxTreeNode, columns: int) -> str:
    """Sets a heading in capitals, except for words with digits, such as cells."""
    words = _said(node).split()
    return _fill(" ".join(word if re.search(r"\d", word) else word.upper() for word in words), columns)


def _code(node: SyntaxTreeNode, columns: int) -> str:
    return textwrap.indent(node.content.rstrip("\n"), INDENT)


def _list(node: SyntaxTreeNode, columns: int) -> str:
    first = int(node.attrs.get("start", 1))
    ordered = node.type == "ordered_list"
    items = enumerate(node.children, first)
    return "\n".join(_item(item, f"{number}. " if ordered else "• ", columns) for number, item in items)


def _item(node: SyntaxTreeNode, mark: str, columns: int) -> str:
    blocks = "\n".join(_block(child, columns - len(mark)) for child in node.children)
    return mark + textwrap.indent(blocks, " " * len(mark)).lstrip()


def _quotation(node: SyntaxTreeNode, columns: int) -> str:
    return textwrap.indent(plain(node, columns - len(INDENT)), INDENT)


def _table(node: SyntaxTreeNode, columns: int) -> str:
    """Sets a table in columns, or each row as a paragraph when it is too wide."""
    rows = [[_said(cell) for cell in row.children] for part in node.children for row in part.children]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    if sum(widths) + GAP * (len(widths) - 1) > columns:
        return "\n".join(_fill(": ".join(filter(None, row)), columns) for row in rows)
    return "\n".join(_row(row, widths) for row in rows)


def _row(cells: Sequence[str], widths: Iterable[int]) -> str:
    beside = (cell.ljust(width + GAP) for cell, width in zip(cells, widths, strict=True))
    return "".join(beside).rstrip().replace(HARD, " ")


def _said(node: SyntaxTreeNode) -> str:
    """Returns the text of a node; for a picture, its alternative text."""
    if node.type in ("softbreak", "hardbreak"):
        return " "
    if node.children:
        return "".join(map(_said, node.children))
    return node.content.replace(" ", HARD) if node.type == "code_inline" else node.content


def _fill(text: str, columns: int) -> str:
    filled = textwrap.fill(text, columns, break_long_words=False, break_on_hyphens=False)
    return filled.replace(HARD, " ")


_BLOCKS: Mapping[str, Callable[[SyntaxTreeNode, int], str]] = {
    "heading": _heading,
    "fence": _code,
    "code_block": _code,
    "html_block": _code,
    "bullet_list": _list,
    "ordered_list": _list,
    "blockquote": _quotation,
    "table": _table,
}
