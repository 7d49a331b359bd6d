"""The ratings of a player over time, as an SVG file in both colour schemes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from games.kit.svg import FONTS, PALETTES

WIDTH, HEIGHT, LEFT, MARGIN = 560, 180, 48, 16
LEAST = 100  # points from the bottom to the top


def curve(points: Sequence[tuple[datetime, float]]) -> bytes:
    """Draws at least two ratings, oldest first."""
    values = [value for _, value in points]
    low, high = min(values), max(values)
    middle, span = (low + high) / 2, max(high - low, LEAST)
    begins, lasts = points[0][0], max((points[-1][0] - points[0][0]).total_seconds(), 1.0)

    def place(at: datetime, value: float) -> tuple[float, float]:
        across = (at - begins).total_seconds() / lasts
        up = (value - middle) / span + 0.5
        return (
            LEFT + across * (WIDTH - LEFT - MARGIN),
            HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN),
        )

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
    last_x, last_y = place(*points[-1])
    marks = "".join(
        f'<line x1="{LEFT}" x2="{WIDTH - MARGIN}" y1="{y:.1f}" y2="{y:.1f}" stroke="var(--faint)" stroke-width="1"/>'
        f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end" font-size="14" fill="var(--muted)">{value:.0f}</text>'
        for value in (middle - span / 2, middle, middle + span / 2)
        for y in (place(begins, value)[1],)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' font-family="{FONTS}">{PALETTES}<rect width="{WIDTH}" height="{HEIGHT}" fill="var(--paper)"/>{marks}'
        f'<polyline points="{line}" fill="none" stroke="var(--told)" stroke-width="2.5" stroke-linejoin="round"/>'
        f'<circle cx="{last_x:.1f}" cy="{last_y:.1f}" r="4.5" fill="var(--told)"/></svg>\n'
    ).encode()
