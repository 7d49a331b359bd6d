"""How mail programs make an answer: what was typed, above, below or between a quotation, as text and as a page."""

from __future__ import annotations

import quopri
import re
import textwrap
from base64 import encodebytes
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from types import MappingProxyType

from inscriptis import get_text

OURS = "m+aaaq4tq7vd2nzc5e6jlmwxy3fgb2kphs@pbem.example"
NAME = f"PBeM <{OURS}>"
LINK = f'PBeM &lt;<a href="mailto:{OURS}">{OURS}</a>&gt;'
TOP, BOTTOM, BETWEEN = "top", "bottom", "between"
Typed = Sequence[str]
_TAG = re.compile(r"<(/)?([a-z]+)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_VOID = {"br", "img", "hr", "meta"}


FROM_ALICE = MappingProxyType(
    {
        "From": "Alice <alice@example.org>",
        "To": NAME,
        "Subject": "Re: [105] Zertz: Alice - Bruno",
        "Message-ID": "<1@example.org>",
        "In-Reply-To": "<turn@pbem.example>",
    }
)


@dataclass(frozen=True)
class Original:
    """A letter of ours, as it was sent."""

    text: str
    html: str

    @cached_property
    def body(self) -> str:
        """What of the page stands in an answer: programs leave out its head."""
        return _COMMENT.sub("", self.html.partition("<body")[2].partition(">")[2].rpartition("</body>")[0])

    @cached_property
    def halves(self) -> tuple[str, str]:
        """Its page, broken behind the first paragraph as an editor breaks it: what is open there is opened again."""
        first, end, rest = self.body.partition("</p>")
        opened: list[str] = []
        for tag in _TAG.finditer(first):
            if tag[1]:
                opened.pop()
            elif tag[2] not in _VOID:
                opened.append(tag[2])
        opened.pop()  # the paragraph
        return first + end + "".join(f"</{tag}>" for tag in reversed(opened)), (
            "".join(f"<{tag}>" for tag in opened) + rest
        )

    @cached_property
    def shown(self) -> str:
        """Its page as text: what those send who make the plain part themselves."""
        return _as_text(self.html)


@dataclass(frozen=True)
class Program:
    """`wrote` says who wrote what follows, by language; `plain` and `page` put it and the quotation together.

    `styles` are those that people can write in it; `above` is what the program puts below what was typed.
    """

    name: str
    wrote: Mapping[str, str]
    plain: Callable[[Program, str, Typed, Original, str], str]
    page: Callable[[Program, str, Typed, Original, str], str] | None = None
    styles: tuple[str, ...] = (TOP,)
    above: Mapping[str, tuple[str, ...]] | None = None
    flowed: bool = False
    encoding: str = "quoted-printable"

    def answer(
        self,
        typed: Typed,
        ours: Original,
        language: str,
        style: str = TOP,
        *,
        only_html: bool = False,
        headers: Mapping[str, str] = FROM_ALICE,
    ) -> bytes:
        """The octets of a reply. `only_html` leaves the plain part out."""
        parts = [] if only_html else [_part(self.plain(self, language, typed, ours, style), "plain", self)]
        if self.page:
            page = self.page(self, language, typed, ours, style)
            parts.append(_part(f"<html><head></head><body>{page}</body></html>", "html", self))
        head = (
            "".join(f"{name}: {value}\n" for name, value in headers.items()).encode() + b"MIME-Version: 1.0\n"
        )
        if len(parts) == 1:
            return head + parts[0]
        between = b"".join(b"--=_0\n" + part + b"\n" for part in parts)
        return head + b'Content-Type: multipart/alternative; boundary="=_0"\n\n' + between + b"--=_0--\n"

    def below(self, language: str) -> tuple[str, ...]:
        return self.above[language] if self.above else ()


Way = tuple[Program, str, bool]  # the program, where one writes in it, and whether only the page is sent


def _part(text: str, kind: str, program: Program) -> bytes:
    flowed = "; format=flowed" if program.flowed and kind == "plain" else ""
    head = (
        f"Content-Type: text/{kind}; charset=utf-8{flowed}\nContent-Transfer-Encoding: {program.encoding}\n\n"
    )
    octets = text.encode()
    match program.encoding:
        case "base64":
            octets = encodebytes(octets)
        case "quoted-printable":
            octets = quopri.encodestring(octets)
    return head.encode() + octets


@cache
def _as_text(html: str) -> str:
    return "\n".join(line.strip() for line in get_text(html).splitlines())


def _around(said: Typed, quotation: Sequence[str], style: str) -> Iterator[str]:
    """What was typed above the quotation, below it, or the first line within it."""
    if style == TOP:
        yield from (*said, "", *quotation)
    elif style == BOTTOM:
        yield from (*quotation, "", *said)
    else:
        blank = (at for at, line in enumerate(quotation) if at > 5 and not line.strip("> "))
        middle = next(blank, len(quotation) - 1)
        yield from (*quotation[:middle], "", said[0], "", *quotation[middle:], "", *said[1:])


def marked(
    mark: str = "> ", *, wrapped: bool = False, page: bool = False, wrote_too: bool = False
) -> Callable[..., str]:
    """Each line behind a mark. `page`: of the text of the page; `wrote_too`: the line that says who wrote is marked."""

    def plain(program: Program, language: str, typed: Typed, ours: Original, style: str) -> str:
        lines = (ours.shown if page else ours.text).splitlines()
        if wrapped:
            lines = [piece for line in lines for piece in textwrap.wrap(line, 74) or [""]]
        wrote = program.wrote[language].splitlines()
        quoted = [f"{mark}{line}".rstrip() for line in ([*wrote, ""] if wrote_too else []) + lines]
        head = [] if wrote_too else [*wrote, ""] if program.name != "thunderbird" else wrote
        return "\n".join(_around([*typed, *program.below(language)], [*head, *quoted], style))

    return plain


def unmarked(indent: str = "") -> Callable[..., str]:
    """Nothing tells the quotation from what was typed but the lines above it."""

    def plain(program: Program, language: str, typed: Typed, ours: Original, style: str) -> str:
        lines = [program.wrote[language], "", *ours.shown.splitlines()]
        quoted = [f"{indent}{line}" for line in "\n".join(lines).splitlines()]
        return "\n".join(_around([*typed, *program.below(language)], quoted, style))

    return plain


def page_with(lines: str, quotation: str, *, empty: str = "<br>") -> Callable[..., str]:
    """`lines` is what stands around a typed line, `quotation` around the letter quoted."""

    def page(program: Program, language: str, typed: Typed, ours: Original, style: str) -> str:
        def said(some: Typed) -> str:
            return "".join(lines.replace("TYPED", escape(line) or empty) for line in some)

        def quoted(body: str) -> str:
            wrote = escape(program.wrote[language]).replace("\n", "<br>").replace(escape(NAME), LINK)
            return quotation.replace("WROTE", wrote).replace("OURS", body)

        if style == TOP:
            return said([*typed, *program.below(language)]) + quoted(ours.body)
        if style == BOTTOM:
            return quoted(ours.body) + said([*typed, *program.below(language)])
        first, rest = ours.halves
        again = quotation.replace("WROTE", "").replace("OURS", rest)
        return quoted(first) + said(typed[:1]) + again + said([*typed[1:], *program.below(language)])

    return page
