"""Converts HTML to plain text, without quotations."""

from __future__ import annotations

import re

from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig
from lxml.etree import ParserError, XMLSyntaxError
from lxml.html import HtmlElement, fromstring

NODES = 2_000  # maximum elements; a reply has hundreds

# Quotation markup of Gmail, Thunderbird, Yahoo, Proton and Zoho. Most others use <blockquote>.
_QUOTE_CLASSES = {
    "gmail_attr",
    "moz-cite-prefix",
    "moz-email-headers-table",
    "protonmail_quote",
    "yahoo_quoted",
    "zmail_extra",
}
_SIGNATURE_CLASSES = {"moz-signature", "gmail_signature"}
_QUOTE_CLASS_ENDS = "yahoo_quoted"  # after a prefix that changes with each letter
# Outlook puts one of these before the quoted letter, as siblings. Everything after it is quoted.
_QUOTE_BEGINS = {
    "OLK_SRC_BODY_SECTION",
    "appendonsend",
    "divRplyFwdMsg",
    "mail-editor-reference-message-container",
}
_UNSEEN = {
    "head",
    "style",
    "script",
    "title",
    "noscript",
    "template",
    "svg",
    "math",
    "select",
    "textarea",
}
_STRUCK_OUT = {"s", "strike", "del"}  # the sender has withdrawn it

_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,200}\?>")
# Only styles that affect lines are kept: a padding of a million ems would be a million blanks.
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?(?:\.([\w-]+))?")
_STYLE = re.compile(
    r"(?:display\s{0,8}:\s{0,8}(?:none|block)|white-space\s{0,8}:\s{0,8}pre[a-z-]{0,20}|line-through)\b",
    re.IGNORECASE,
)
_RULES = 500
_CONFIG = ParserConfig(css=CSS_PROFILES["strict"])


def text_of(html: str) -> str:
    """Returns the visible text of a page, with `>` in place of quotations. Empty when it is not HTML."""
    try:
        page = fromstring(_DECLARATION.sub("", html.replace("\x00", "")))
    except (ParserError, XMLSyntaxError, ValueError):
        return ""
    _cut_at_outlook_quote(page)
    _apply_sheet(page)
    for element in list(page.iter()):
        if not isinstance(element.tag, str) or element.tag in _UNSEEN or _is_signature(element):
            _drop(element)
            continue
        style = _kept_of(str(element.attrib.pop("style", "")))
        if element.tag in _STRUCK_OUT or "line-through" in style:
            _strike_out(element)
        elif "display:none" in style:
            _drop(element)
        elif _is_quote(element):
            _mark(element)
        elif style:
            element.set("style", style)
    for element in list(page.iter())[NODES:]:
        _drop(element)
    return str(Inscriptis(page, _CONFIG).get_text())


def _apply_sheet(page: HtmlElement) -> None:
    """Applies the style sheet's rules for tags and classes to each element."""
    sheet = "".join(element.text or "" for element in page.iter("style"))
    styles: dict[tuple[str, str], str] = {}
    for rule in sheet.split("}")[:_RULES]:
        selectors, _, said = rule.rpartition("{")
        found = _kept_of(said)
        for selector in selectors.split(",") if found else ():
            if named := _SELECTOR.fullmatch(selector.strip()):
                styles[named[1] or "", named[2] or ""] = found
    for element in page.iter() if styles else ():
        if isinstance(element.tag, str):
            names = ["", *element.get("class", "").split()]
            ways = [(tag, name) for name in names for tag in ("", element.tag)]
            element.set("style", ";".join(filter(None, (*map(styles.get, ways), element.get("style")))))


def _kept_of(style: str) -> str:
    return ";".join("".join(each.split()).lower() for each in _STYLE.findall(style))


def _is_signature(element: HtmlElement) -> bool:
    return bool(_SIGNATURE_CLASSES & set(element.get("class", "").split()))


def _strike_out(element: HtmlElement) -> None:
    """Removes struck-out text. Leaves an ellipsis within a word, so that the rest does not read as a move."""
    before, around = element.getprevious(), element.getparent()
    text = before.tail if before is not None else around.text if around is not None else ""
    if (text or " ")[-1:].isspace():
        _drop(element)
    else:
        element.clear(keep_tail=True)
        element.tag, element.text = "span", "…"


def _is_quote(element: HtmlElement) -> bool:
    classes = set(element.get("class", "").split())
    if element.tag == "blockquote" or classes & _QUOTE_CLASSES:
        return True
    if any(name.endswith(_QUOTE_CLASS_ENDS) for name in classes):
        return True
    # Gmail replies may stand between quotations in this element. Without quotations it is a forwarded letter.
    return "gmail_quote" in classes and element.find(".//blockquote") is None


def _cut_at_outlook_quote(page: HtmlElement) -> None:
    first = next((element for element in page.iter() if element.get("id", "") in _QUOTE_BEGINS), None)
    while first is not None and (parent := first.getparent()) is not None:
        for later in list(first.itersiblings()):
            parent.remove(later)
        if first.get("id", "") in _QUOTE_BEGINS:
            parent.remove(first)
        first = parent


def _mark(element: HtmlElement) -> None:
    """Replaces a quotation by a `>`, so that text below it is read."""
    element.clear(keep_tail=True)
    element.tag, element.text = "p", ">"


def _drop(element: HtmlElement) -> None:
    if element.getparent() is not None:
        element.drop_tree()
