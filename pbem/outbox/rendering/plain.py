"""A rules page as plain text: Markdown without its marks, set in the columns of a letter."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence

from markdown_it.tree import SyntaxTreeNode

INDENT = "    "
HARD = "\N{NO-BREAK SPACE}"  # what is written as one is on one line
GAP = 2  # columns between those of a table


def plain(page: SyntaxTreeNode, columns: int) -> str:
    """The blocks of the page, an empty line between each two."""
    return "\n\n".join(_block(node, columns) for node in page.children)


def _block(node: SyntaxTreeNode, columns: int) -> str:
    return _BLOCKS.get(node.type, _paragraph)(node, columns)


def _paragraph(node: SyntaxTreeNode, columns: int) -> str:
    return _fill(_said(node), columns)


def _heading(node: SyntaxTreeNode, columns: int) -> str:
    """In capitals, but for the cells of a board."""
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
    """In columns; where they are too wide, each row is a paragraph of its own."""
    rows = [[_said(cell) for cell in row.children] for part in node.children for row in part.children]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    if sum(widths) + GAP * (len(widths) - 1) > columns:
        return "\n".join(_fill(": ".join(filter(None, row)), columns) for row in rows)
    return "\n".join(_row(row, widths) for row in rows)


def _row(cells: Sequence[str], widths: Iterable[int]) -> str:
    beside = (cell.ljust(width + GAP) for cell, width in zip(cells, widths, strict=True))
    return "".join(beside).rstrip().replace(HARD, " ")


def _said(node: SyntaxTreeNode) -> str:
    """The words in it, of a picture those in its place."""
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
