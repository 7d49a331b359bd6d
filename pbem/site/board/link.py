"""The link of a letter to its board: what it shows, and whether anything can be done there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pbem.inbox.resolver import resolve_board
from pbem.matches.models import Match, Seat
from pbem.site import browsers
from pbem.site.models import Browser


@dataclass(frozen=True)
class Link:
    """A verified link. `shows`: the board of its letter may be shown; `open`: it is still the board of the match."""

    token: str
    seat: Seat
    ply: int
    shows: bool
    open: bool

    @property
    def path(self) -> str:
        return f"/b/{self.token}/"

    def belongs_to(self, browser: Browser | None) -> bool:
        return browser is not None and browser.player_id == self.seat.player_id

    def acts(self, browser: Browser | None, now: datetime) -> bool:
        """Tells whether what this browser posts is done at once."""
        return browser is not None and self.belongs_to(browser) and browsers.acts_at_once(browser, now)


def follow(token: str, now: datetime) -> Link | None:
    """Returns the link with this token. None for one that we have not made."""
    found = resolve_board(token, now)
    if found is None or found.state == "absent" or found.ply is None:
        return None
    match = found.seat.match
    # Letters before a takeback or a restore may have shown what never was.
    shows = found.state != "revoked" and not found.restored and found.ply <= match.ply
    playing = match.status == Match.Status.PLAYING and found.seat.player.suspended_at is None
    is_open = shows and playing and found.state == "current"
    return Link(token.lower(), found.seat, found.ply, shows, is_open)
