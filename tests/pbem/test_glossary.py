"""One word for one thing: what `docs/glossary.md` says not to say stands in no text that people read."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from pbem.operator.management.commands import collect_messages

ROOT = settings.ROOT
_ROW = re.compile(
    r"^\| (?P<english>[^|]+)\|(?P<italian>[^|]+)\|[^|]*\|(?P<not>[^|]*)\|(?P<non>[^|]*)\|$", re.MULTILINE
)
_ITALIAN = collect_messages.read(ROOT / "pbem/locale/it/LC_MESSAGES/django.po")


def test_the_glossary_has_every_term_once() -> None:
    terms = [(row["english"].strip(), row["italian"].strip()) for row in _rows()]
    assert len(terms) > 40
    assert len(set(terms)) == len(terms)


def test_no_english_text_says_what_the_glossary_forbids() -> None:
    assert _said(_english(), _forbidden("not")) == []


def test_a_player_is_they() -> None:
    words = ["he", "him", "his", "himself"]
    assert _said([("made up", "What his opponent wrote.")], words)
    assert _said(_english(), words) == []


def test_italian_writes_numbers_in_one_way() -> None:
    """`47%` and `partita 12`; a number in brackets stands in titles alone, and a clock has its own spelling."""
    spaced = re.compile(r"(?:\d|\)s) (?:%%|%(?!\())")
    bracketed = re.compile(r"\bpartit[ae] \[")
    texts = [*_sentences(1), *_toml("wording.it"), *_toml("phrases.it"), *_documents("*.it.md")]
    for form, bad, good in (
        (spaced, "il 47 % vince", "il 47% vince"),
        (bracketed, "la partita [12]", "la partita 12"),
    ):
        assert form.search(bad)
        assert not form.search(good)
        assert [text for _, text in texts if form.search(text)] == []


def test_italian_until_has_its_negation() -> None:
    """`finché qualcuno non la accetta` is until; without `non` it is as long as, of a state."""
    until = re.compile(r"finché (?:qualcuno (?!non)|scrivi|la chiudi|è finit[ao])")
    assert until.search("aperta finché qualcuno la accetta")
    assert not until.search("aperta finché qualcuno non la accetta")
    assert [text for _, text in _sentences(1) if until.search(text)] == []


def test_no_italian_text_says_what_the_glossary_forbids() -> None:
    games = [*_toml("phrases.it"), *_documents("rules.it.md")]
    at_the_board = _forbidden("non", after="## At the board", before="## The organiser's side")
    everywhere = [word for word in _forbidden("non") if word not in at_the_board]
    texts = [*_sentences(1), *_toml("wording.it"), *_documents("*.it.md"), *games]
    assert _said(texts, everywhere) == []
    assert _said(games, [word for word in at_the_board if word != "riga"]) == []
    assert _said(_toml("phrases.it"), ["riga"]) == []  # in the rules it is a line of text, and a row of rings


# A way of writing that is not ours, and a sample of it
_FAULTS = {
    "a percent sign stands at its number": (r"(?:\d|\)s|\}\}) %(?!\()", "80 % of the moves"),
    "a sentence says match 12": (r"\b[Mm]atch(?:es)? \[", "Answer the latest letter of match [12]."),
    "nobody says Who cannot loses": (
        r"(?:^|[.;:] )Who (?:\w+ ){1,6}(?:loses|passes|wins)\b",
        "Who cannot move loses.",
    ),
    "commands send": (r"\b(?:brings|mails) (?:you|the|all|one|its)\b", "A YES brings you the board."),
    "plain words": (r"\b(?:anew|in the place of|as was agreed)\b", "You can invite them anew."),
}


@pytest.mark.parametrize(("fault", "sample"), _FAULTS.values(), ids=_FAULTS)
def test_english_is_written_in_one_way(fault: str, sample: str) -> None:
    pages = [page for page in _documents("*.md") if ".it.md" not in page[0]]
    assert re.search(fault, sample)
    assert [(where, text) for where, text in [*_english(), *pages] if re.search(fault, text)] == []


def _english() -> list[tuple[str, str]]:
    pages = _documents("*.en.md", "README.md", "deploy/*.md", "CHANGELOG.md")
    return [*_sentences(0), *_toml("wording.en"), *_toml("phrases.en"), *pages]


def _rows() -> Iterator[re.Match[str]]:
    for row in _ROW.finditer((ROOT / "docs/glossary.md").read_text("utf-8")):
        if row["english"].strip() not in ("English", "---"):
            yield row


def _forbidden(column: str, after: str = "", before: str = "") -> list[str]:
    page = (ROOT / "docs/glossary.md").read_text("utf-8")
    start, end = page.index(after), page.index(before) if before else len(page)
    rows = [row[column] for row in _rows() if start <= row.start() < end]
    return [word.strip() for row in rows for word in row.split(",") if word.strip()]


def _said(texts: list[tuple[str, str]], words: list[str]) -> list[tuple[str, str]]:
    """Where one of the words stands, as a word."""
    found = re.compile(rf"(?<![\w/-])(?:{'|'.join(map(re.escape, words))})(?![\w/-])", re.IGNORECASE)
    return [(where, hit[0]) for where, text in texts for hit in [found.search(text)] if hit]


def _sentences(which: int) -> list[tuple[str, str]]:
    """Of the catalogue: what the sources say, or its translation."""
    both = [(message.id, message.string) for message in _ITALIAN if message.id]
    sides = [pair[which] for pair in both]
    return [(str(side), " ".join(side) if isinstance(side, tuple) else str(side)) for side in sides]


def _toml(name: str) -> list[tuple[str, str]]:
    """Every value that people read; words that they may write are theirs to choose."""
    folders = [ROOT / "pbem", ROOT / "games"]
    files = sorted(path for folder in folders for path in folder.rglob(f"*{name}.toml"))
    assert files
    return [
        (f"{path.parent.name}/{path.name}", said)
        for path in files
        for said in _values(tomllib.loads(path.read_text("utf-8")))
    ]


def _values(table: Any) -> Iterator[str]:
    if isinstance(table, str):
        yield table
    elif isinstance(table, dict):
        for name, value in table.items():
            if name != "alike":  # patterns of what people write
                yield from _values(value)


def _documents(*patterns: str) -> list[tuple[str, str]]:
    """Line by line, without what is written as code."""
    files = {path for pattern in patterns for path in [*ROOT.glob(pattern), *ROOT.glob(f"docs/{pattern}")]}
    files |= {
        path
        for folder in ("pbem", "games")
        for pattern in patterns
        for path in (ROOT / folder).rglob(pattern)
    }
    return [
        (f"{path.parent.name}/{path.name}:{number}", re.sub(r"`[^`]*`", "", line))
        for path in sorted(files)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
    ]
