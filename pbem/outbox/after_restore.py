"""Prepares the service after a restore from backup: a new epoch, clock credit, and letters with the boards."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.apps import apps
from django.db import transaction

from pbem.matches.clock.outages import credit_gap
from pbem.matches.models import Event, Heartbeat, Match, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.match_events import says
from pbem.outbox.notifications.notify import SHOW_TURNS, Section, write_to_player
from pbem.players import services
from pbem.players.models import ApiToken, Restore
from pbem.refusals import Code
from pbem.sequences import leave_out, numbered

Status = OutboundMail.Status
OURS = ("players", "matches", "outbox", "inbox", "desk")
MATCHES, ROWS = 1_000, 1_000_000  # numbers left unused for lost rows; those of matches are typed by people
SAID_ANEW = SHOW_TURNS | {"restored", "board", "reminder"}
ALIVE = timedelta(minutes=5)


def up_until(now: datetime) -> datetime | None:
    """Returns the last heartbeat or sent letter before `now`. None when there is none."""
    beat = Heartbeat.objects.filter(beat_at__lte=now).order_by("-beat_at").values_list("beat_at", flat=True)
    sent = (
        OutboundMail.objects.filter(sent_at__lte=now).order_by("-sent_at").values_list("sent_at", flat=True)
    )
    return max((moment for moment in (beat.first(), sent.first()) if moment), default=None)


def is_new(now: datetime, since: datetime | None = None) -> bool:
    """Tells whether the database seems restored and `restored` has not run.

    Without `since`: it has been silent, after activity since the last restore. With `since`: no restore from
    that time is recorded.
    """
    if since is not None:
        return not Restore.objects.filter(since=since).exists()
    alive, last = up_until(now), Restore.objects.first()
    if alive is None or now - alive <= ALIVE:
        return False
    return last is None or alive > last.restored_at


@transaction.atomic
def restored(*, now: datetime, since: datetime | None = None) -> Restore:
    """Starts a new epoch. What was written after `since` is lost. Run it while nothing else runs."""
    since = since or up_until(now) or now
    epoch = Restore.objects.create(number=services.number_of(now), since=since, restored_at=now)
    services.forget()
    ApiToken.objects.all().delete()  # those that were stopped since the backup would be valid again
    for kind in numbered(model for app in OURS for model in apps.get_app_config(app).get_models()):
        leave_out(kind, MATCHES if kind is Match else ROWS)
    credit_gap(since, now, now=now)
    playing = Match.objects.filter(status=Match.Status.PLAYING).order_by("pk")
    for match in playing:
        _keep_in(match)
        for seat in match.seated:
            _tell(seat, epoch, now)
    for match in Match.objects.filter(status=Match.Status.PROPOSED).order_by("pk"):
        for seat in match.seated:
            if seat.player_id != match.proposer_id:
                _tell(seat, epoch, now)
    transaction.on_commit(services.forget)
    return epoch


def _tell(seat: Seat, epoch: Restore, now: datetime) -> None:
    """Sends a player the board with a reply address of the new epoch; for a proposed match, the challenge."""
    match = seat.match
    assert epoch.since
    sections: list[Section] = [{"kind": "restored", "match": match.pk, "since": epoch.since.isoformat()}]
    if match.status == Match.Status.PROPOSED:
        asked = Event.objects.filter(match=match, kind=Event.Kind.PROPOSED).order_by("pk").last()
        sections += [{"kind": "challenge", "event": asked.pk}] if asked else []
    for section in sections:
        write_to_player(
            seat.player,
            cause=f"restored:{epoch.number}:{match.pk}",
            section=section,
            match=match,
            ply=match.ply,
            now=now,
            answers=section["kind"] == "challenge" and seat.player.silent_since is None,
        )


def _keep_in(match: Match) -> None:
    """Suppresses waiting board letters, which left before the restore or are outdated."""
    # Letters with messages are sent, with their old Message-ID: mail programs drop duplicates.
    for row in OutboundMail.objects.filter(match=match, status=Status.WAITING):
        if all(section["kind"] in SAID_ANEW for section in row.sections) and not _says(row.sections):
            row.status, row.verdict, row.leased_until = Status.SUPPRESSED, Code.SUPPRESSED, None
            row.save(update_fields=["status", "verdict", "leased_until"])


def _says(sections: Iterable[Section]) -> bool:
    events = Event.objects.filter(pk__in=[section["event"] for section in sections if "event" in section])
    return any(map(says, events.select_related("match")))
