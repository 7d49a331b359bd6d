"""How letters are set: text in 72 columns, and the same words as HTML."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.template import Context, Node, NodeList
from django.template.base import FilterExpression, Parser, Token
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from games.move_numbers import ScoreLine, moves_of
from pbem.outbox.rendering import durations
from pbem.outbox.rendering.links import Link
from pbem.outbox.rendering.rules_page import plain as plain_text
from pbem.reply_marker import AGAIN, SAID

register = template.Library()
COLUMNS = 72
_SMALL_AFTER_COLON = ("it",)
INDENT = "    "  # what stands behind it is written as it is: a command, a move

# Raw HTML stays text: plug-in games bring pages of their own.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def wrapped(text: str) -> str:
    """Each line wrapped to 72 columns; indented and empty lines stay as they are."""
    return "\n".join(_wrap(line) for line in str(text).strip("\n").split("\n"))


@register.filter
def sentences(text: str) -> str:
    """What several parts of a template say, as one paragraph."""
    return _fill(" ".join(str(text).split()), COLUMNS)


@register.filter
def indented(text: str) -> str:
    return textwrap.indent(_fill(str(text), COLUMNS - len(INDENT)), INDENT)


@register.filter
def after_colon(text: str) -> str:
    """Where a language goes on in small letters there; a command stays as it is."""
    goes_on = get_language() in _SMALL_AFTER_COLON and not text[1:2].isupper()
    return text[:1].lower() + text[1:] if goes_on else text


@register.filter
def quoted(text: str) -> str:
    """A message of the opponent: wrapped, behind a bar."""
    return _behind(SAID, text)


@register.filter
def again(text: str) -> str:
    """What the reader may copy into the next letter, mark and all."""
    return _behind(AGAIN, text)


@register.filter
def columns(score: Sequence[ScoreLine]) -> str:
    """Numbered moves side by side, as many pairs as fit; where moves are long, in lines of their own."""
    digits = max((len(line.mark) for line in score), default=0)
    width = max((len(line.moves[0]) for line in score), default=0)
    cells = [
        " ".join((f"{line.mark:>{digits}}", f"{line.moves[0]:{width}}", *line.moves[1:])).rstrip()
        for line in score
    ]
    if max(map(len, cells), default=0) > COLUMNS - len(INDENT):
        return "\n".join(f"{INDENT}{move}" for line in score for move in line.apart())
    return _in_columns(cells)


@register.filter
def side_by_side(links: Sequence[Link]) -> str:
    """What the links say, as many in a row as fit."""
    return _in_columns([link.text for link in links], gap=2)


@register.filter
def timetable(lines: Sequence[Mapping[str, Any]]) -> str:
    """Numbered moves below each other, with the day, the hour and how long each took; a long move has a line
    of its own."""
    digits = len(lines[-1]["turn"].mark.rstrip("."))
    rows = [
        (
            f"{_aligned(turn.mark, digits)} {turn.player}: {turn.move}",
            f"{durations.hour(turn.at)}  {line['took']}".rstrip(),
        )
        for line in lines
        for turn in [line["turn"]]
    ]
    room = COLUMNS - 2 - max(len(when) for _, when in rows)
    width = min(room, max(len(move) for move, _ in rows))
    beside = (
        f"{move:{width}}  {when}" if len(move) <= width else f"{move}\n{'':{width}}  {when}"
        for move, when in rows
    )
    return "\n".join(beside)


@register.filter
def paragraphs(text: str, answers: Sequence[Link] = ()) -> SafeString:
    """The words of a text letter as HTML: indented lines become what can be copied, or touched where it is one
    of the `answers`; the other answers stand below."""
    buttons = {link.text: link for link in answers or ()}
    parts = [_paragraph(part.split("\n"), buttons) for part in _parts(text)]
    return format_html_join("\n", "{}", ((part,) for part in [*parts, _buttons(buttons.values())]))


@register.filter
def buttons(answers: Sequence[Link]) -> SafeString:
    return _buttons(answers)


@register.filter
def linked(links: Sequence[Link]) -> SafeString:
    """The moves in one row, each to be touched."""
    return format_html_join("", '<a href="{}">{}</a> ', ((link.url, link.text) for link in links))


@register.filter
def numbered_moves(score: Sequence[ScoreLine]) -> SafeString:
    """Numbered moves one after the other; only between them may a line end."""
    lines = (
        (line.mark, format_html_join(" ", "<span>{}</span>", ((move,) for move in line.moves)))
        for line in score
    )
    return format_html_join("", '<span class="turn"><span class="number">{}</span>&nbsp;{}</span> ', lines)


register.filter("moves_of", moves_of)
for _filter in (
    durations.moment,
    durations.by,
    durations.due,
    durations.when,
    durations.hours,
    durations.weekday,
    durations.instant,
    durations.day,
    durations.roughly,
):
    register.filter(_filter)
register.filter("left", durations.left_until)
register.filter("span", durations.in_words)
register.filter("clock_in_words", durations.clock_in_words)
register.filter("clock_in_brief", durations.clock_in_brief)
register.filter("clock_as_written", durations.as_written)


@register.filter
def markdown(page: str) -> SafeString:
    """A rules page."""
    return mark_safe(str(_MARKDOWN.render(page)))


@register.filter
def plain(page: str) -> str:
    """The same as text."""
    return plain_text(SyntaxTreeNode(_MARKDOWN.parse(page)), COLUMNS)


@register.tag
def once_for(parser: Parser, token: Token) -> Node:
    """What stands between `{% once_for value %}` and `{% end_once %}` follows from the value: it is rendered once."""
    _, value = token.split_contents()
    nodes = parser.parse(("end_once",))
    parser.delete_first_token()
    return _OnceFor(parser.compile_filter(value), nodes)


class _OnceFor(Node):
    def __init__(self, value: FilterExpression, nodes: NodeList) -> None:
        self._value, self._nodes = value, nodes
        self._rendered: dict[object, SafeString] = {}

    def render(self, context: Context) -> SafeString:
        value = self._value.resolve(context)
        if value not in self._rendered:
            self._rendered[value] = self._nodes.render(context)
        return self._rendered[value]


def _in_columns(cells: Sequence[str], gap: int = 3) -> str:
    width = max(map(len, cells), default=0) + gap
    per_row = max(1, (COLUMNS - len(INDENT) + gap) // width)
    rows = [cells[start : start + per_row] for start in range(0, len(cells), per_row)]
    return "\n".join(INDENT + "".join(cell.ljust(width) for cell in row).rstrip() for row in rows)


def _aligned(mark: str, digits: int) -> str:
    """Numbers below each other, and what stands behind their dots."""
    number = mark.rstrip(".")
    return f"{number:>{digits}}{mark.removeprefix(number):3}"


def _parts(text: str) -> list[str]:
    return [part.strip("\n") for part in str(text).split("\n\n") if part.strip()]


def _buttons(links: Iterable[Link]) -> SafeString:
    """One row of them, the first the most likely."""
    row = format_html_join(
        " ", '<a class="button" href="{}">{}</a>', ((link.url, _broken(link.text)) for link in links)
    )
    return format_html('<p class="buttons">{}</p>', row) if row else row


def _broken(text: str) -> SafeString:
    return format_html_join(mark_safe("<br>"), "{}", ((line,) for line in text.split("\n")))


def _paragraph(lines: Sequence[str], buttons: dict[str, Link]) -> SafeString:
    """Takes the buttons that it shows."""
    if all(line.startswith(INDENT) for line in lines):
        if (together := "\n".join(line.strip() for line in lines)) in buttons:
            return _buttons([buttons.pop(together)])
        if all(line.strip() in buttons for line in lines):
            return _buttons([buttons.pop(line.strip()) for line in lines])
        moves = ((line.strip(),) for line in lines)
        return format_html_join("\n", '<p class="move"><code>{}</code></p>', moves)
    return format_html("<p>{}</p>", _broken("\n".join(lines)))


def _wrap(line: str) -> str:
    return line if len(line) <= COLUMNS or line.startswith(INDENT) else _fill(line, COLUMNS)


def _behind(mark: str, text: str) -> str:
    """Wrapped, the mark before each line."""
    lines = [
        piece for line in str(text).split("\n") for piece in _fill(line, COLUMNS - len(mark)).split("\n")
    ]
    return "\n".join(f"{mark}{line}".rstrip() for line in lines)


def _fill(text: str, width: int) -> str:
    """Neither an address nor a move like d2-f4 is broken."""
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
