"""Running tournaments in figures (progress, late players, deadlines), and seeks and invitations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, gettext_lazy

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import when
from pbem.admin.base.pages import ReadOnlyAdmin
from pbem.admin.matches.clocks import LONG_WAITS
from pbem.admin.signals import answers, tournament_counts
from pbem.matches.matchmaking.seeks import close
from pbem.matches.models import Entry, Invitation, Match, MatchQuerySet, Seat, Seek, Tournament

Status = Match.Status
LATE = timedelta(days=LONG_WAITS[0])
EVENTS, NAMED, READ = 12, 3, 200  # tournaments shown; late players and deadlines of each; rows read for all


@dataclass(frozen=True)
class Late:
    """A late player to move, and the opponent who waits."""

    match: int
    tournament: int
    player: int
    name: str
    opponent: str
    since: datetime
    days: int


@dataclass
class Running:
    """A running tournament: `due` has the next deadlines, `counts` what other apps count of it, each with its
    sentence."""

    tournament: Tournament
    over: int
    playing: int
    entered: int
    late: list[Late] = field(default_factory=list)
    due: list[tuple[int, datetime]] = field(default_factory=list)
    counts: list[tuple[int, str]] = field(default_factory=list)

    @property
    def percent(self) -> int:
        counted = self.over + self.playing
        return 100 * self.over // counted if counted else 0


def running(now: datetime, tournaments: Iterable[int] | None = None) -> Sequence[Running]:
    """Returns the newest tournaments in play or open for entries, or the given ones. Four queries, without
    those of other apps' counts."""
    rows = Tournament.objects.all()
    if tournaments is None:
        in_play = Match.objects.filter(tournament__isnull=False, status=Status.PLAYING).values("tournament")
        begun = Match.objects.filter(
            tournament=OuterRef("pk")
        )  # joined, a tournament would be there once a match
        is_open = Q(begun=0, competition__closed_at=None) & ~Exists(begun)
        rows = rows.filter(Q(pk__in=in_play) | is_open)
    else:
        rows = rows.filter(pk__in=tournaments)
    found: dict[int, Any] = {row.pk: row for row in _counted(rows).order_by("-pk")[:EVENTS]}
    here = {pk: Running(row, row.over, row.playing, row.entered) for pk, row in found.items()}
    for late in late_in(Match.objects.filter(tournament__in=here), now):
        here[late.tournament].late.append(late)
    timed = Match.objects.filter(tournament__in=here).timed().order_by("deadline", "pk")
    for match, tournament, deadline in timed.values_list("pk", "tournament", "deadline")[:READ]:
        if tournament is not None and deadline is not None and len(here[tournament].due) < NAMED:
            here[tournament].due.append((match, deadline))
    for counted in answers(tournament_counts, tournaments=list(here)):
        for tournament, count in counted.items():
            here[tournament].counts.append(count)
    return list(here.values())


def late_in(matches: MatchQuerySet, now: datetime, most: int = READ) -> list[Late]:
    """Returns the moves awaited for a week, with a clock or without, longest first. Two queries."""
    awaited = matches.awaited(now - LATE).order_by("to_move_since", "pk")
    rows = list(awaited.values_list("pk", "tournament", "to_move", "to_move_since")[:most])
    seats = Seat.objects.filter(match__in=[row[0] for row in rows]).values_list(
        "match", "side", "player", "player__name"
    )
    seated = {(match, side): (player, name) for match, side, player, name in seats}
    return [
        Late(
            match,
            tournament or 0,
            *seated[match, side],
            seated[match, 1 - side][1],
            since,
            (now - since).days,
        )
        for match, tournament, side, since in rows
        if side is not None and since is not None
    ]


def _counted(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    # Subqueries, since joined rows would multiply the counts.
    of_it = Match.objects.filter(tournament=OuterRef("pk")).order_by()
    entries = Entry.objects.filter(tournament=OuterRef("pk")).order_by()
    counts: dict[str, QuerySet[Any]] = {
        "over": of_it.filter(status=Status.OVER),
        "playing": of_it.filter(status=Status.PLAYING),
        "entered": entries,
    }
    return rows.annotate(**{name: _count(each) for name, each in counts.items()})


def _count(rows: QuerySet[Any]) -> Coalesce:
    grouped = rows.values("tournament").annotate(counted=Count("pk")).values("counted")
    return Coalesce(Subquery(grouped, output_field=IntegerField()), 0)


# Seeks and invitations


class SeekAdmin(ReadOnlyAdmin):
    list_display = ("number", "player", "game_name", "keep", "stands_until", "closed")
    list_select_related = ("player",)
    sortable_by = ("number",)
    fields = (
        *("player", "game_name", "setup", "side", "terms", "keep", "on_time", "language", "least", "most"),
        *("created_at", "until", "closed_at"),
    )

    @admin.display(description=gettext_lazy("open until"))
    def stands_until(self, seek: Seek) -> str:
        return when(seek.until)

    @admin.display(description=gettext_lazy("closed"))
    def closed(self, seek: Seek) -> str:
        return when(seek.closed_at)

    def buttons(self, seek: Seek) -> Sequence[AdminAction]:
        if seek.closed_at:
            return []
        return [
            AdminAction(
                verb="close",
                label=gettext("Close it"),
                done=gettext("The offer is closed; its matches go on."),
                press=partial(_close, seek),
            )
        ]


class InvitationAdmin(ReadOnlyAdmin):
    list_display = ("sent", "challenger", "address", "game_name", "answered")
    list_select_related = ("challenger",)
    sortable_by = ("sent",)
    fields = (
        *("challenger", "address", "game_name", "setup", "side", "terms"),
        *("asked_at", "told", "answered_at", "match"),
    )

    @admin.display(description=gettext_lazy("asked"), ordering="pk")
    def sent(self, invitation: Invitation) -> str:
        return when(invitation.asked_at)

    @admin.display(description=gettext_lazy("answered"))
    def answered(self, invitation: Invitation) -> str:
        return when(invitation.answered_at)


def _close(seek: Seek, pressed: ActionInput) -> None:
    close(seek.player, seek.pk, now=pressed.now)
