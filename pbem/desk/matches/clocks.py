"""Clocks at the desk: what was agreed, and what is left."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext

from pbem.desk.base.lists import when
from pbem.desk.base.pages import link
from pbem.desk.letters.shunted import number as called
from pbem.matches.clock.service import remaining
from pbem.matches.models import Match, Stoppage
from pbem.outbox.rendering.durations import in_words, unlabelled

SHOWN = 20  # rows


def clock_of(match: Match, now: datetime) -> str:
    """What was agreed, and what each player has left; "-" where nobody's time is limited."""
    if match.agreed.control is None:
        return "-"
    lines = [unlabelled(match.agreed)]
    if match.status == Match.Status.PLAYING:
        lines += [
            f"{seat.player.name}: {in_words(left)}" for seat in match.seated if (left := remaining(seat, now))
        ]
    if match.stopped:
        lines.append(gettext("The clock stands still."))
    lines += [
        format_html("{} {}", gettext("Until somebody has decided about this email:"), link(row, called(row)))
        for row in (*match.held_by_inboundmail.defer("raw"), *match.held_by_outboundmail.all())
    ]
    lines += _ledger(match)
    return format_html_join("", "<div>{}</div>", ((line,) for line in lines))


def _ledger(match: Match) -> list[str]:
    """What was charged to nobody since the match began, the newest first."""
    if match.started_at is None:
        return []
    rows = Stoppage.objects.after(match.started_at).filter(Q(match=match) | Q(match=None))
    if match.ended_at:
        rows = rows.filter(since__lt=match.ended_at)
    newest = list(rows.select_related("seat__player").order_by("-since", "-pk")[:SHOWN])
    return [gettext("Not counted:"), *map(_written, newest)] if newest else []


def _written(row: Stoppage) -> str:
    until = when(row.until) if row.until else gettext("to this day")
    of = filter(None, (row.get_component_display(), row.seat and row.seat.player.name, row.note))
    return " \N{MIDDLE DOT} ".join(map(str, (f"{when(row.since)} - {until}", row.get_why_display(), *of)))
