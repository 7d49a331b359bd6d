"""Clocks at the desk: what was agreed, and what is left."""

from __future__ import annotations

from datetime import datetime

from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext

from pbem.desk.frame.pages import link
from pbem.desk.letters.shunted import number as called
from pbem.matches.models import Match
from pbem.matches.time.clocks import remaining
from pbem.outbox.writing.spans import clock_in_words, in_words


def clock_of(match: Match, now: datetime) -> str:
    """What was agreed, and what each player has left; "-" where nobody's time is limited."""
    if match.agreed.control is None:
        return "-"
    lines = [clock_in_words(match.agreed)]
    if match.status == Match.Status.PLAYING:
        lines += [
            f"{seat.player.name}: {in_words(left)}" for seat in match.seated if (left := remaining(seat, now))
        ]
    if match.stopped:
        lines.append(gettext("The clock stands still."))
    lines += [
        format_html("{} {}", gettext("Until somebody has decided about this letter:"), link(row, called(row)))
        for row in (*match.held_by_inboundmail.defer("raw"), *match.held_by_outboundmail.all())
    ]
    return format_html_join("", "<div>{}</div>", ((line,) for line in lines))
