"""Defines the colours and picture sizes of letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.kit.drawing import THEMES, Theme
from games.kit.layout import DENSE, WIDTH

COLUMN = 552  # CSS pixels
MARGINS = 48


@dataclass(frozen=True)
class Sheet:
    """Colours of the HTML, as #rrggbb. `paper` matches the pictures, so that they have no visible edge."""

    scheme: str  # of CSS: light, dark, or both where the mail program may choose
    paper: str
    ink: str
    quiet: str
    faint: str  # for decoration
    panel: str
    box: str
    rule: str
    accent: str


@dataclass(frozen=True)
class Look:
    """A reader's display settings. `width` is that of a board in CSS pixels; `turned`: seen from the far side."""

    theme: str = "default"
    width: int = WIDTH
    turned: bool = False

    @property
    def palette(self) -> Theme:
        return THEMES[self.theme]

    @property
    def pixels(self) -> int:
        """The width of a board's picture. One picture serves all widths: a larger one makes letters too large."""
        return DENSE

    @property
    def sheet(self) -> Sheet:
        return SHEETS[self.theme]

    @property
    def night(self) -> Sheet | None:
        """The sheet for dark mail programs. None when the reader has chosen a theme."""
        return SHEETS["dark"] if self.theme == "default" else None

    @property
    def room(self) -> int:
        """The width of the sheet in CSS pixels."""
        return max(self.column, COLUMN) + MARGINS

    @property
    def column(self) -> int:
        """The width at which a board is shown, in CSS pixels: the column's, unless the reader prefers another."""
        return COLUMN if self.width == WIDTH else self.width


USUAL = Look()

SHEETS: Mapping[str, Sheet] = {
    "default": Sheet(
        scheme="light dark",
        paper=THEMES["default"].paper,
        ink=THEMES["default"].ink,
        quiet="#6b655a",
        faint="#c4bdae",
        panel="#f1ece0",
        box="#ffffff",
        rule="#dcd4c4",
        accent=THEMES["default"].accent,
    ),
    "dark": Sheet(
        scheme="dark",
        paper=THEMES["dark"].paper,
        ink=THEMES["dark"].ink,
        quiet="#b3aea4",
        faint="#5d6064",
        panel="#292c2f",
        box="#383b3f",
        rule="#55585c",
        accent=THEMES["dark"].accent,
    ),
    "print": Sheet(
        scheme="light",
        paper=THEMES["print"].paper,
        ink=THEMES["print"].ink,
        quiet="#444444",
        faint="#c0c0c0",
        panel="#f4f4f4",
        box="#ffffff",
        rule="#bbbbbb",
        accent=THEMES["print"].accent,
    ),
}
