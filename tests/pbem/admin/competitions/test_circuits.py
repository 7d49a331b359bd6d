"""Circuits at the desk: made, filled with events, and put right."""

from typing import Any

from django.test import Client

from pbem.admin.models import AuditEntry
from pbem.competitions.models import Circuit, Contest
from pbem.players.models import Player

ADD = "/admin/contests/circuit/add/"


def press(desk: Client, circuit: Circuit, verb: str, **answers: Any) -> Any:
    return desk.post(f"/admin/contests/circuit/{circuit.pk}/press/{verb}/", answers)


def made(desk: Client) -> Circuit:
    desk.post(ADD, {"name": "Grand prix", "points": "10; 6; 4", "best": "2"})
    circuit = Circuit.objects.get()
    press(desk, circuit, "add-event", event="PerGioco", results="Place;Name\n1;Alice\n2;Zoe")
    return circuit


def points(circuit: Circuit) -> dict[str, float]:
    return {line.name: line.points for line in Circuit.objects.get(pk=circuit.pk).standing()}


def test_a_circuit(desk: Client, eight: list[Player]) -> None:
    circuit = made(desk)
    assert (circuit.points, circuit.best) == ([10, 6, 4], 2)
    answer = press(desk, circuit, "add-event", event="PerGioco", results="1;Alice\nno place")
    assert "Line 2 has no place and name: no place" in answer.content.decode()
    cup = Contest.objects.create(name="Autumn cup", system="swiss", game_name="loa")
    press(desk, circuit, "add-event", contest=cup.pk)
    said = desk.get(f"/admin/contests/circuit/{circuit.pk}/change/").content.decode()
    assert "Zoe" in said
    assert "Autumn cup" in said


def test_a_wrong_result_is_put_right(desk: Client, watcher: Client) -> None:
    circuit = made(desk)
    stage = circuit.stages.get()
    verb = f"event-{stage.pk}"
    page = f"/admin/contests/circuit/{circuit.pk}/"
    assert f"press/{verb}/" in desk.get(f"{page}change/").content.decode()
    assert f"press/{verb}/" not in watcher.get(f"{page}change/").content.decode()
    assert "2;Zoe" in desk.get(f"{page}press/{verb}/").content.decode()
    right = {"event": "PerGioco", "results": "1;Zoe\n2;Alice"}
    assert press(watcher, circuit, verb, **right, reason="No").status_code == 403
    press(desk, circuit, verb, **right)  # without a reason
    wrong = press(desk, circuit, verb, event="PerGioco", results="Zoe", reason="Typed wrongly")
    assert "There is no result in it." in wrong.content.decode()
    assert points(circuit) == {"Alice": 10, "Zoe": 6}
    press(desk, circuit, verb, **right, reason="Typed wrongly")
    assert points(circuit) == {"Zoe": 10, "Alice": 6}
    kept = AuditEntry.objects.latest("pk")
    assert (kept.who, kept.reason) == ("olga", "Typed wrongly")
    assert "2;Zoe" in kept.before[f"event {stage.pk}"]
    assert "1;Zoe" in kept.after[f"event {stage.pk}"]


def test_an_event_is_taken_out(desk: Client) -> None:
    circuit = made(desk)
    cup = Contest.objects.create(name="Autumn cup", system="swiss", game_name="loa")
    press(desk, circuit, "add-event", contest=cup.pk)
    ours, elsewhere = circuit.stages.get(contest=cup), circuit.stages.get(contest=None)
    press(desk, circuit, f"event-{ours.pk}", reason="Of another circuit")  # without saying what
    assert circuit.stages.count() == 2
    said = {"event": "PerGioco", "results": "1;Alice\n2;Zoe", "out": "on", "reason": "Of another circuit"}
    for stage in (ours, elsewhere):
        press(desk, circuit, f"event-{stage.pk}", **said)
    assert not circuit.stages.exists()
    assert Contest.objects.filter(pk=cup.pk).exists()
    assert "2;Zoe" in AuditEntry.objects.latest("pk").before[f"event {elsewhere.pk}"]


def test_the_circuit_itself_is_corrected(desk: Client) -> None:
    circuit = made(desk)
    Circuit.objects.create(name="Another")
    form = f"/admin/contests/circuit/{circuit.pk}/press/correct/"
    assert "10, 6, 4" in desk.get(form).content.decode()
    taken = press(desk, circuit, "correct", name="Another", points="3, 2, 1", reason="Fewer")
    assert "There is a circuit of this name" in taken.content.decode()
    press(desk, circuit, "correct", name="Grand prix", points="3, 2, 1", best="1", reason="Fewer")
    assert points(circuit) == {"Alice": 3, "Zoe": 2}
    assert AuditEntry.objects.latest("pk").before["points"] == [10, 6, 4]
