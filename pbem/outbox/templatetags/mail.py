"""Template filters for letters: text in 72 columns, and HTML."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.template import Context, Node, NodeList
from django.template.base import FilterExpression, Parser, Token
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from markdown_it import MarkdownIt

from games.move_numbers import ScoreLine, moves_of
from pbem.outbox.rendering import durations
from pbem.outbox.rendering.contest_tables import COLUMNS
from pbem.outbox.rendering.links import Link
from pbem.outbox.rendering.plain import plain
from pbem.players.zones import city_of
from pbem.reply_marker import AGAIN, SAID

register = template.Library()
_SMALL_AFTER_COLON = ("it",)
INDENT = "    "  # marks lines that are not wrapped: commands and moves

# Raw HTML stays text: plug-in games bring pages of their own.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def wrapped(text: str) -> str:
    """Wraps each line to 72 columns. Indented and empty lines stay unchanged."""
    return "\n".join(_wrap(line) for line in str(text).strip("\n").split("\n"))


@register.filter
def unwrapped(text: str) -> str:
    """Joins the text to one line."""
    return " ".join(str(text).split())


@register.filter
def sentences(text: str) -> str:
    """Joins the text to one paragraph of 72 columns."""
    return _fill(unwrapped(text), COLUMNS)


@register.filter
def indented(text: str) -> str:
    return textwrap.indent(_fill(str(text), COLUMNS - len(INDENT)), INDENT)


@register.filter
def after_colon(text: str) -> str:
    """Lower-cases the first letter where the language does so after a colon. Commands stay unchanged."""
    goes_on = get_language() in _SMALL_AFTER_COLON and not text[1:2].isupper()
    return text[:1].lower() + text[1:] if goes_on else text


@register.filter
def city(zone: str) -> str:
    """Returns the city of a time zone in the language of the letter."""
    return city_of(zone, get_language() or "en")


@register.filter
def others(chips: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Returns the chips that are not chosen."""
    return [chip for chip in chips if not chip["on"]]


@register.filter
def labels(chips: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(chip["label"] for chip in chips)


@register.filter
def listed(names: Sequence[str]) -> str:
    """Joins the names: `72, 75 and 77`."""
    *most, last = names
    return gettext(" and ").join([*filter(None, [", ".join(most)]), last])


@register.filter
def quoted(text: str) -> str:
    """Wraps a message of the opponent behind a bar."""
    return _behind(SAID, text)


@register.filter
def again(text: str) -> str:
    """Wraps text that the reader may copy into the next letter, behind its mark."""
    return _behind(AGAIN, text)


@register.filter
def columns(score: Sequence[ScoreLine]) -> str:
    """Sets numbered moves in columns. Long moves get lines of their own."""
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
    """Sets the texts of links in columns."""
    return _in_columns([link.text for link in links], gap=2)


@register.filter
def timetable(lines: Sequence[Mapping[str, Any]]) -> str:
    """Sets numbered moves one per line with date, hour and duration. Long moves get lines of their own."""
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
    """Converts the text to HTML. Indented lines become code, or buttons where they are `answers`; other
    answers follow as buttons. The first answer is the primary button."""
    buttons = {link.text: link for link in answers or ()}
    primary = next(iter(buttons), "")
    parts = [_paragraph(part.split("\n"), buttons, primary) for part in _parts(text)]
    return format_html_join("\n", "{}", ((part,) for part in [*parts, _buttons(buttons.values(), primary)]))


@register.filter
def buttons(answers: Sequence[Link]) -> SafeString:
    """Sets links as buttons in one row, without a primary one."""
    return _buttons(answers)


@register.filter
def linked(links: Sequence[Link]) -> SafeString:
    """Sets links to the moves in one row."""
    return format_html_join("", '<a href="{}">{}</a> ', ((link.url, link.text) for link in links))


@register.filter
def numbered_moves(score: Sequence[ScoreLine]) -> SafeString:
    """Sets numbered moves in HTML, with line breaks only between them."""
    lines = (
        (line.mark, format_html_join(" ", "<span>{}</span>", ((move,) for move in line.moves)))
        for line in score
    )
    return format_html_join("", '<span class="turn"><span class="number">{}</span>&nbsp;{}</span> ', lines)


register.filter("moves_of", moves_of)


register.filter(plain)

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
    """Renders a rules page as HTML."""
    return mark_safe(str(_MARKDOWN.render(page)))


@register.tag
def once_for(parser: Parser, token: Token) -> Node:
    """Renders the block up to `{% end_once %}` once for each value."""
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
    """Aligns move numbers by their dots."""
    number = mark.rstrip(".")
    return f"{number:>{digits}}{mark.removeprefix(number):3}"


def _parts(text: str) -> list[str]:
    return [part.strip("\n") for part in str(text).split("\n\n") if part.strip()]


def _buttons(links: Iterable[Link], primary: str = "") -> SafeString:
    """Sets links as buttons in one row, likeliest first."""
    shown = ((_look(link.text, primary), link.url, _broken(link.text)) for link in links)
    row = format_html_join(" ", '<a class="{}" href="{}">{}</a>', shown)
    return format_html('<p class="buttons">{}</p>', row) if row else row


def _look(answer: str, primary: str) -> str:
    """Returns the CSS classes of a button: the primary one is filled, and a refusal is a plain link."""
    words = set(answer.split())
    if gettext("NO") in words:
        return "plain"
    return "button" if answer == primary and gettext("RESIGN") not in words else "button other"


def _broken(text: str) -> SafeString:
    return format_html_join(mark_safe("<br>"), "{}", ((line,) for line in text.split("\n")))


def _paragraph(lines: Sequence[str], buttons: dict[str, Link], primary: str) -> SafeString:
    """Converts a paragraph, and removes the buttons that it shows from `buttons`."""
    if all(line.startswith(INDENT) for line in lines):
        if (together := "\n".join(line.strip() for line in lines)) in buttons:
            return _buttons([buttons.pop(together)], primary)
        if all(line.strip() in buttons for line in lines):
            return _buttons([buttons.pop(line.strip()) for line in lines], primary)
        moves = ((line.strip(),) for line in lines)
        return format_html_join("\n", '<p class="move"><code>{}</code></p>', moves)
    return format_html("<p>{}</p>", _broken("\n".join(lines)))


def _wrap(line: str) -> str:
    return line if len(line) <= COLUMNS or line.startswith(INDENT) else _fill(line, COLUMNS)


def _behind(mark: str, text: str) -> str:
    """Wraps the text with the mark before each line."""
    lines = [
        piece for line in str(text).split("\n") for piece in _fill(line, COLUMNS - len(mark)).split("\n")
    ]
    return "\n".join(f"{mark}{line}".rstrip() for line in lines)


def _fill(text: str, width: int) -> str:
    """Fills text without breaking addresses or moves like d2-f4."""
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)
