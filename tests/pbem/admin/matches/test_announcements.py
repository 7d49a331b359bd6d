"""A letter of the organiser: to whom, seen before it leaves, and a copy."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from pbem.admin.events import LATE
from pbem.matches.models import Event, Match, Tournament
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.announcements import invite_to
from tests.pbem.admin.test_events import begun, cup

__all__ = ["cup"]


def press(desk: Client, cup: Tournament, **asked: str) -> Mapping[str, Any]:
    """Twice: what is shown first, and what is done then."""
    where = f"/admin/matches/tournament/{cup.pk}/press/announce/"
    shown = desk.post(where, asked)
    context: Mapping[str, Any] = shown.context
    if "sure" in context:
        assert desk.post(where, asked | {"sure": "something else"}).status_code == 200
        desk.post(where, asked | {"sure": context["sure"]})
    return context


def written() -> list[tuple[str, str]]:
    return list(OutboundMail.objects.filter(cause__startswith="announcement").values_list("kind", "address"))


def test_those_who_owe_a_move_get_it_and_the_organiser_a_copy(
    cup: Tournament, desk: Client, olga: User
) -> None:
    begun(cup)
    Match.objects.order_by("pk").first()
    owing = {match.moving.player.name for match in Match.objects.all() if match.moving}
    asked = {"to": "owing", "it": "Su, muovete!", "subject_it": "Un sollecito"}
    shown = press(desk, cup, **asked, copy="on")
    assert written() == [], "Olga's account has no address"
    User.objects.update(email="olga@example.org")
    shown = press(desk, cup, **asked, copy="on")
    assert all(name in shown["preview"][0] for name in owing)
    assert "Un sollecito" in shown["preview"][1]
    assert len(written()) == len(owing) + 1
    assert ("announcement", "olga@example.org") in written()


def test_those_who_have_not_entered_are_invited_again(cup: Tournament, desk: Client) -> None:
    now = timezone.now()
    for email in ("emil@example.org", "frida@example.org", "alice@example.org"):
        invite_to(cup, email, language="it", host="Marino", now=now)
    cup.invitations.filter(address__startswith="frida").update(agreed=False)
    press(desk, cup, to="missing", it="Ultimo invito!")
    assert written() == [("event", "emil@example.org")]


@pytest.mark.parametrize("action", ["remind", "give_time"])
def test_many_matches_at_once_are_looked_at_first(cup: Tournament, desk: Client, action: str) -> None:
    begun(cup)
    Match.objects.update(to_move_since=timezone.now() - LATE - timedelta(days=2))
    matches = list(Match.objects.order_by("pk")[:2])
    asked: dict[str, Any] = {"action": action, "_selected_action": [match.pk for match in matches]}
    where = f"/admin/matches/match/?event={cup.pk}"
    page = desk.post(where, asked | {"index": "0"})
    assert page.status_code == 200
    more = (
        {"sent": "1", "days": "3", "reason": "Piena del fiume."} if action == "give_time" else {"sent": "1"}
    )
    shown = desk.post(where, asked | more)
    assert f"[{matches[0].pk}] {matches[0].moving.player.name}" in shown.content.decode()
    kind = Event.Kind.REMINDED if action == "remind" else Event.Kind.EXTENDED
    assert not Event.objects.filter(kind=kind).exists()
    assert desk.post(where, asked | more | {"sure": shown.context["sure"]}).status_code == 302
    assert Event.objects.filter(kind=kind).count() == 2
    if action == "remind":
        again = desk.post(where, asked | more)
        desk.post(where, asked | more | {"sure": again.context["sure"]})
        assert Event.objects.filter(kind=kind).count() == 2, "once a day is enough"


def test_lists_are_filtered_by_tournament_and_game(cup: Tournament, desk: Client) -> None:
    begun(cup)
    found = {
        asked: len(desk.get(f"/admin/matches/match/?{asked}").context["cl"].result_list)
        for asked in (
            f"event={cup.pk}",
            "event=999",
            "game=loa",
            "game=zertz",
            f"event={cup.pk}&game=loa",
            "game=x",
        )
    }
    assert list(found.values()) == [6, 0, 6, 0, 6, 6]
