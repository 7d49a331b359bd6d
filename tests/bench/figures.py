"""A measured figure, what it stands beside, and what it should reach; and the table they make."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.table import Table


@dataclass(frozen=True)
class Peer:
    """Somebody else's way to do the same, or the least that it can cost, in the unit of the figure."""

    name: str
    figure: float | None  # None: it could not run here, and `name` says why


@dataclass(frozen=True)
class Row:
    """One line. Milliseconds, KB, MiB and percents are better the smaller they are, everything else the larger.

    `bound` is what the figure should reach, `ratio_bound` how many times as good as the peer it should be.
    """

    what: str
    figure: float
    unit: str
    peer: Peer | None = None
    bound: float | None = None
    ratio_bound: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times as good as the peer; below 1 the peer is better."""
        if self.peer is None or not self.peer.figure or not self.figure:
            return None
        return self.peer.figure / self.figure if self._smaller else self.figure / self.peer.figure

    @property
    def target(self) -> str:
        sign = "≤" if self._smaller else "≥"
        bounds = f"{sign} {self.bound:g}" if self.bound is not None else ""
        ratio = f"≥ {self.ratio_bound:g} ×" if self.ratio_bound is not None else ""
        return ", ".join(filter(None, (bounds, ratio)))

    @property
    def met(self) -> bool | None:
        """Whether every target that could be judged is reached; None where there is none."""
        met = []
        if self.bound is not None:
            met.append(self.figure <= self.bound if self._smaller else self.figure >= self.bound)
        if self.ratio_bound is not None and self.ratio is not None:
            met.append(self.ratio >= self.ratio_bound)
        return all(met) if met else None

    @property
    def _smaller(self) -> bool:
        return self.unit.split()[0] in ("ms", "KB", "MiB", "%", "times")


def table(title: str, rows: Iterable[Row]) -> Table:
    made = Table(title=title, title_justify="left", title_style="bold")
    for heading in ("what", "figure", "unit", "peer or ceiling", "its figure", "ratio", "target", "met"):
        right = heading in ("figure", "its figure", "ratio")
        made.add_column(heading, justify="right" if right else "left")
    for row in rows:
        peer = row.peer or Peer("", None)
        met = {True: "yes", False: "[bold]no[/]", None: ""}[row.met]
        figures = _number(row.figure), row.unit, peer.name, _number(peer.figure), _ratio(row.ratio)
        made.add_row(row.what, *figures, row.target, met)
    return made


def _number(figure: float | None) -> str:
    """Three significant digits, thousands apart."""
    if figure is None:
        return ""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def _ratio(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"
