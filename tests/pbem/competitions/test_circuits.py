"""A circuit over contests of ours and events elsewhere."""

import pytest

from pbem.competitions.models import Circuit
from tests.pbem.competitions.played import opened, people, play_on, swept

pytestmark = pytest.mark.django_db


def test_a_circuit_of_two_events() -> None:
    cup = opened("groups", people(8), size=4, advance=1)
    swept()
    play_on()
    circuit = Circuit.objects.create(name="Grand prix", points=[10, 6, 4], best=1)
    circuit.stages.create(contest=cup)
    circuit.stages.create(name="PerGioco", imported="1;Player02\n2;Zoe\n")
    assert [(line.name, line.place, line.points) for line in circuit.standing()[:4]] == [
        ("Player01", 1, 10.0),
        ("Player02", 1, 10.0),
        ("Zoe", 3, 6.0),
        ("Player03", 4, 2.0),
    ]  # third of the cup are 3 and 4, who share the points of third and fourth
