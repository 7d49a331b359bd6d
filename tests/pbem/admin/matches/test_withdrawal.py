"""Dates of tournaments and withdrawals at the desk: what is shown before, what is done, who may."""

from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from pbem.admin.models import AuditEntry
from pbem.competitions.tournaments import begin, drawn, open_tournament, sweep
from pbem.matches.models import Tournament
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import register

NOW = timezone.now()


@pytest.fixture
def cup(alice: Player, bruno: Player) -> Tournament:
    cup = open_tournament("Coppa", game="loa", system="single", now=NOW)
    cup.enter([alice, bruno, register(name="Carla", email="c@example.org", language="it", now=NOW)])
    return cup


def where(cup: Tournament, verb: str) -> str:
    return f"/admin/matches/tournament/{cup.pk}/press/{verb}/"


def sent_twice(desk: Client, to: str, answers: dict[str, str]) -> str:
    """What the preview said, which is then agreed to."""
    preview = desk.post(to, answers)
    assert preview.status_code == 200
    assert desk.post(to, answers | {"sure": preview.context["sure"]}).status_code == 302
    return "\n".join(preview.context["preview"])


def test_a_first_day_is_set_and_called_off(desk: Client, cup: Tournament) -> None:
    day = timezone.localdate() + timedelta(days=10)
    answers = {"day": day.isoformat(), "begin": "all"}
    said = sent_twice(desk, where(cup, "start-date"), answers)
    assert "Alice" in said
    assert "Carla" in said
    cup.refresh_from_db()
    assert cup.competition.begins_at is not None
    assert timezone.localdate(cup.competition.begins_at) == day
    page = desk.get(f"/admin/matches/tournament/{cup.pk}/change/").content.decode()
    assert "Annulla il primo giorno" in page
    assert desk.post(where(cup, "call-off")).status_code == 302
    sweep(now=NOW + timedelta(days=20), rng=Random(1))
    assert not cup.matches.exists()
    assert desk.get(where(cup, "call-off")).status_code == 404
    past = desk.post(where(cup, "start-date"), answers | {"day": "2020-01-01"})
    assert "già passato" in past.content.decode()
    sent_twice(desk, where(cup, "start-date"), answers)
    sweep(now=NOW + timedelta(days=20), rng=Random(1))
    assert cup.matches.count() == 3


def test_a_player_leaves_in_one_form(desk: Client, charlie: Client, cup: Tournament, bruno: Player) -> None:
    begin(cup, [player.pk for player in drawn(cup)], at_once=True, now=NOW, rng=Random(1))
    answers = {"player": str(bruno.pk), "reason": "Trasloco"}
    assert charlie.post(where(cup, "withdraw"), answers).status_code == 403
    assert desk.post(where(cup, "withdraw"), answers | {"player": "999"}).status_code == 200
    said = sent_twice(desk, where(cup, "withdraw"), answers)
    assert "escono dalla classifica" in said
    assert "3 lettere" in said
    assert OutboundMail.objects.filter(kind="contest_withdrawn").count() == 3
    entry = AuditEntry.objects.latest("pk")
    assert (entry.verb, entry.reason) == ("withdraw", "Trasloco")
    page = desk.get(f"/admin/matches/tournament/{cup.pk}/change/")
    assert {row.entrant.name for row, *_ in page.context["table"]} == {"Alice", "Carla"}
    assert "Trasloco" in page.content.decode()
