"""Robots at the desk: what has failed is seen and tried again, and a robot is as its level is."""

from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from pbem.analysis.models import AnalysisJob
from pbem.matches.models import Match
from pbem.matches.services import propose
from pbem.players.models import Player
from pbem.robots import services
from pbem.robots.engine import Failed
from pbem.robots.models import EngineJob

LIST = "/admin/robots/enginejob/"


def fails(asked: object) -> None:
    raise Failed("MemoryError")


def test_a_think_that_failed_waits_at_the_desk_and_is_tried_again(
    desk: Client, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, robot = timezone.now(), Player.objects.get(robot=1)
    propose(
        challenger=alice, opponent=robot, game="loa", options=["second"], setup=None, now=now, rng=Random(1)
    )
    monkeypatch.setattr(services, "by_rules", lambda position, seed: 1 / 0)
    row = EngineJob.objects.get()
    assert not list(desk.get(f"{LIST}?failed=1").context["cl"].result_list)
    for _ in range(4):
        services.think(row.pk, now=now, ask=fails)  # type: ignore[arg-type]
    row.refresh_from_db()
    assert row.status == "failed"
    front = desk.get("/admin/")
    sizes = {filled["queue"].where: filled["size"] for filled in front.context["queues"]}
    assert sizes[f"{LIST}?failed=1"] == "1"
    assert [shown.pk for shown in desk.get(f"{LIST}?failed=1").context["cl"].result_list] == [row.pk]
    assert "ZeroDivisionError" in desk.get(f"{LIST}{row.pk}/change/").content.decode()
    desk.post(f"{LIST}{row.pk}/press/again/")
    row.refresh_from_db()
    assert (row.status, row.tries, Match.objects.get().ply) == ("waiting", 0, 0)


def test_an_analysis_that_failed_is_tried_again(desk: Client, alice: Player) -> None:
    now, robot = timezone.now(), Player.objects.get(robot=1)
    propose(challenger=alice, opponent=robot, game="loa", options=[], setup=None, now=now, rng=Random(1))
    loa = Match.objects.get()
    row = AnalysisJob.objects.create(
        match=loa, kind="analysis", ply=loa.ply, position=loa.position, status="failed", tries=3,
        created_at=now, due_at=now, done_at=now, trouble="MemoryError",
    )  # fmt: skip
    wish = row.wishes.create(player=alice, asked_at=now, told_at=now)
    page = f"/admin/analysis/analysisjob/{row.pk}/"
    assert "MemoryError" in desk.get(f"{page}change/").content.decode()
    desk.post(f"{page}press/again/")
    row.refresh_from_db()
    wish.refresh_from_db()
    assert (row.status, row.tries, row.trouble, wish.told_at) == ("waiting", 0, "", None)
    assert not desk.get(f"{page}change/").context["buttons"]


def test_a_robot_is_suspended_and_otherwise_left_as_it_is(desk: Client) -> None:
    robot = Player.objects.get(robot=2)
    page = desk.get(f"/admin/players/player/{robot.pk}/change/")
    assert [button.verb for button in page.context["buttons"]] == ["suspend"]
    assert not page.context["has_change_permission"]
    assert "Robot-2" in desk.get("/admin/players/player/").content.decode()
    desk.post(f"/admin/players/player/{robot.pk}/press/suspend/", {"reason": "busy"})
    assert [each.name for each in Player.objects.robots()] == ["Robot-1", "Robot-3"]
    assert not Player.objects.opponents().filter(pk=robot.pk).exists()
