"""Deadlines are rows: which have passed, and how time that counts for nobody moves them on."""

from collections.abc import Callable
from datetime import timedelta

from pbem.matches.models import Match
from pbem.players.models import Address
from tests.mail_fixtures import MORNING

Begin = Callable[..., Match]
HOUR = timedelta(hours=1)


def due(match: Match, after: timedelta) -> Match:
    match.deadline = MORNING + after
    match.save(update_fields=["deadline"])
    return match


def deadline(match: Match) -> timedelta | None:
    match.refresh_from_db()
    return match.deadline and match.deadline - MORNING


def test_a_deadline_has_passed_only_after_its_last_moment(begin: Begin) -> None:
    match = due(begin(), HOUR)
    assert not Match.objects.overdue(MORNING + HOUR).exists()
    assert Match.objects.overdue(MORNING + HOUR + timedelta.resolution).get() == match


def test_only_a_match_that_is_played_runs_out_of_time(begin: Begin) -> None:
    begin()
    over = due(begin(), HOUR)
    Match.objects.filter(pk=over.pk).update(status=Match.Status.OVER)
    assert not Match.objects.overdue(MORNING + 2 * HOUR).exists()


def test_whoever_gets_no_letters_runs_out_of_no_time(begin: Begin) -> None:
    """Alice is to move. That Bruno cannot be reached does not help her."""
    due(begin(), HOUR)
    Address.objects.filter(player__name="Bruno").update(paused_at=MORNING)
    assert Match.objects.overdue(MORNING + 2 * HOUR).exists()
    Address.objects.filter(player__name="Alice").update(paused_at=MORNING)
    assert not Match.objects.overdue(MORNING + 2 * HOUR).exists()
