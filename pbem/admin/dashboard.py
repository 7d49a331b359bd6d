"""The admin's first page: how the service is, who is to move, running tournaments, and queues that wait for a
decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import prefetch_related_objects
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pbem.admin.base.lists import newest
from pbem.admin.base.pages import page_of
from pbem.admin.events import running
from pbem.admin.matches.clocks import LONG_WAITS, SOON
from pbem.health import health
from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage
from pbem.inbox.newcomers.strangers import LOST
from pbem.matches.matchmaking.eligibility import against_a_wish
from pbem.matches.models import Match, Outage
from pbem.outbox.delivery.clock_start import standing_still
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.players.models import Player
from pbem.ratings import leaderboards
from pbem.ratings.models import RatedGame
from pbem.robots.models import EngineJob

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


# Queues, each with its oldest rows, its size and a link to its list; read from an index, no further than
# `COUNTED`

SHOWN, NEXT = 5, 8
COUNTED = 500
RECENTLY, A_MONTH = timedelta(days=7), timedelta(days=30)


@dataclass(frozen=True)
class Queue:
    """Rows in order; `since` is the column from which each waits; `asked` is the filter of the list.

    An urgent queue should be empty.
    """

    title: StrPromise | str
    rows: models.QuerySet[Any]
    since: str
    asked: str = ""
    urgent: bool = False
    list_of: type[models.Model] | None = None  # None: that of the rows

    @property
    def where(self) -> str:
        """Returns the address of the whole list."""
        opts = self._meta
        return reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist") + self.asked

    @property
    def permission(self) -> str:
        return f"{self._meta.app_label}.view_{self._meta.model_name}"

    @property
    def _meta(self) -> Any:
        return (self.list_of or self.rows.model)._meta

    def shown(self) -> list[tuple[Any, datetime]]:
        return [(row, getattr(row, self.since)) for row in self.rows[:SHOWN]]


def laggards(now: datetime) -> Queue:
    """Returns the players who are late with a move, with a clock or without, the longest first."""
    days = LONG_WAITS[0]
    late = models.Q(
        seats__match__status=Match.Status.PLAYING,
        seats__match__to_move=models.F("seats__side"),
        seats__match__to_move_since__lt=now - timedelta(days=days),
    )
    players = Player.objects.filter(late).annotate(late_since=models.Min("seats__match__to_move_since"))
    return Queue(
        title=_("Waiting for a move for more than %(days)s days") % {"days": days},
        rows=players.order_by("late_since", "pk"),
        since="late_since",
        list_of=Match,
        asked=f"?awaited={days}",
    )


def early_resignations(now: datetime) -> Queue:
    """Returns the players who resign rated matches early, perhaps to lower their rating."""
    return Queue(
        title=_("Many rated matches resigned after a few moves"),
        rows=leaderboards.who_resigns_early(now),
        since="resigned_at",
        list_of=RatedGame,
        asked="?early=1",
    )


def queues(now: datetime) -> Iterator[Queue]:
    """Yields the queues in the order of the page: decisions, then letters, then the machine."""
    matches = Match.objects.all()
    yield Queue(
        title=_("Time is up, somebody must decide"),
        rows=matches.filter(flagged_at__isnull=False).order_by("flagged_at"),
        since="flagged_at",
        asked="?clock=flagged",
        urgent=True,
    )
    timed = matches.timed().order_by("deadline")
    yield Queue(_("Overdue"), timed.filter(deadline__lt=now), "deadline", "?clock=overdue", urgent=True)
    yield Queue(
        title=_("Due within a day"),
        rows=timed.filter(deadline__gte=now, deadline__lt=now + SOON),
        since="deadline",
        asked="?clock=soon",
    )
    yield laggards(now)
    yield early_resignations(now)
    yield Queue(
        title=_("Begun in a tournament although one refuses the other's challenges"),
        rows=against_a_wish().order_by("pk"),
        since="started_at",
        asked="?wish=against",
    )
    yield Queue(
        title=_("Robots that found no move, or only by the rules alone"),
        rows=EngineJob.objects.failed().filter(created_at__gte=now - RECENTLY).order_by("-pk"),
        since="created_at",
        asked="?failed=1",
        urgent=True,
    )
    yield Queue(
        title=_("Messages from people"),
        rows=PersonalMessage.objects.filter(done_at__isnull=True)
        .select_related("player")
        .order_by("received_at"),
        since="received_at",
        asked="?done_at=0",
        urgent=True,
    )
    yield Queue(
        title=_("Questions that were answered twice, neither with YES nor with NO"),
        rows=Confirmation.objects.unclear(now).filter(newest(Confirmation)).order_by("-pk"),
        since="asked_at",
        asked="?unclear=1",
        urgent=True,
    )
    held = Confirmation.objects.open(now).filter(newest(Confirmation), doubted=True).order_by("-pk")
    yield Queue(_("Emails held until their player confirms them"), held, "asked_at", "?held=1")
    lost = InboundMail.objects.filter(newest(InboundMail), verdict=LOST, received_at__gte=now - A_MONTH)
    yield Queue(
        title=_("Players whose letters bounce, perhaps writing from other addresses"),
        rows=lost.defer("raw").order_by("-pk"),
        since="received_at",
        asked=f"?verdict={LOST}",
    )
    yield Queue(
        title=_("Set aside on the way in"),
        rows=InboundMail.objects.shunted().defer("raw").order_by("received_at"),
        since="received_at",
        asked="?verdict=shunted",
        urgent=True,
    )
    yield Queue(
        title=_("Clocks stopped for an email that was set aside"),
        rows=standing_still(matches, InboundMail).order_by("pk"),
        since="started_at",
        asked="?clock=held",
        urgent=True,
    )
    leaving = OutboundMail.objects.defer("sections", "text")
    yield Queue(
        title=_("Set aside on the way out"),
        rows=leaving.shunted().order_by("created_at"),
        since="created_at",
        asked="?verdict=shunted",
        urgent=True,
    )
    yield Queue(
        title=_("Held until an address works again"),
        rows=leaving.filter(status=OutboundMail.Status.HELD).order_by("-pk"),
        since="created_at",
        asked="?status__exact=held",
    )
    yield Queue(
        title=_("Came back lately"),
        rows=BouncedMail.objects.filter(newest(BouncedMail), happened_at__gte=now - RECENTLY).order_by("-pk"),
        since="happened_at",
    )
    yield Queue(
        title=_("Outages lately"),
        rows=Outage.objects.filter(until__gte=now - RECENTLY).order_by("-pk"),
        since="since",
    )


def read_players(rows: Iterable[Any]) -> None:
    """Reads the players of the matches in all queues at once."""
    prefetch_related_objects([row for row in rows if isinstance(row, Match)], "seats__player")


def page_of_row(row: Any) -> str:
    """Returns the link of a row; for a late player, to the matches in which they are late."""
    if not hasattr(row, "late_since"):
        return page_of(row)
    return f"{reverse('admin:matches_match_changelist')}?awaited={LONG_WAITS[0]}&mover={row.pk}"


def called(row: Any, now: datetime) -> str:
    """Returns the title of a row; the players of matches are prefetched."""
    if hasattr(row, "late_since"):
        days = (now - row.late_since).days
        waits = ngettext("for %(days)s day", "for %(days)s days", days) % {"days": days}
        return f"{row.name}: {waits}"
    if hasattr(row, "resigned_at"):
        matches = ngettext("%(matches)s match", "%(matches)s matches", row.resigned)
        return f"{row.name}: {matches % {'matches': row.resigned}}"
    if not isinstance(row, Match):
        return str(row)
    seats = sorted(row.seats.all(), key=lambda seat: seat.side)
    return f"[{row.pk}] {row.title}: {' - '.join(seat.player.name for seat in seats)}"


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Fills the page, for Unfold, with what the user may see; the rows of empty queues are not read."""
    now = timezone.now()
    seen = [queue for queue in queues(now) if request.user.has_perm(queue.permission)]
    sizes = [queue.rows.order_by()[: COUNTED + 1].count() for queue in seen]
    shown = [queue.shown() if size else [] for queue, size in zip(seen, sizes, strict=True)]
    read_players(row for rows in shown for row, _since in rows)
    filled: list[dict[str, Any]] = [
        {
            "queue": queue,
            "rows": [(page_of_row(row), called(row, now), since) for row, since in rows],
            "size": f"{COUNTED}+" if size > COUNTED else str(size),
        }
        for queue, rows, size in zip(seen, shown, sizes, strict=True)
    ]
    context["now"] = now
    context["queues"] = filled
    context["sections"] = [
        (title, [each for each in filled if each["rows"] and each["queue"].urgent is urgent])
        for title, urgent in ((_("Needs attention"), True), (_("Waiting for somebody"), False))
    ]
    context["wanted"] = sum(1 for each in filled if each["rows"] and each["queue"].urgent)
    context["idle"] = [each for each in filled if not each["rows"]]
    if request.user.has_perm("matches.view_match"):
        context |= in_play(now)
    if request.user.has_perm("matches.view_tournament"):
        context["events"] = running(now)
        context["first_steps"] = not context["events"] and _is_new()
    if request.user.has_perm("matches.view_heartbeat"):
        context["troubles"] = [each.vital.trouble for each in health(now) if each.is_failing]
    return context


def in_play(now: datetime) -> dict[str, Any]:
    """Returns the figures of the first line, counted no further than `COUNTED`, and the next matches to be moved in."""
    playing = Match.objects.filter(status=Match.Status.PLAYING)
    shown = list(Match.objects.timed().order_by("deadline")[:NEXT])
    shown += playing.filter(deadline=None).order_by("-pk")[: NEXT - len(shown)]
    read_players(shown)
    last = InboundMail.objects.order_by("-pk").values_list("received_at", flat=True).first()
    return {
        "playing": playing.order_by()[: COUNTED + 1].count(),
        "players": Player.objects.people().order_by()[: COUNTED + 1].count(),
        "last_email": last,
        "due": [
            (page_of(match), called(match, now), seat.player.name, match.deadline)
            for match in shown
            if (seat := match.moving)
        ],
    }


def _is_new() -> bool:
    """Tells whether no player has registered, or no match exists."""
    return not (Player.objects.people().exists() and Match.objects.exists())
