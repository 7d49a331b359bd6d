"""A challenge that a new email names by its player is taken up, declined or withdrawn after a YES."""

import pytest

from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, unwrapped


@pytest.mark.parametrize(
    ("said", "asked", "status"),
    [
        ("accetto la sfida di Alice", "Accetti la sfida di Alice?", Match.Status.PLAYING),
        (
            "Dite ad Alice che purtroppo non posso accettare la sua sfida.",
            "RIFIUTO {}",
            Match.Status.DECLINED,
        ),
    ],
)
def test_of_another(
    alice: Correspondent,
    bruno: Correspondent,
    charlie: Correspondent,
    said: str,
    asked: str,
    status: Match.Status,
) -> None:
    charlie.writes("CHALLENGE Bruno zertz")
    alice.writes("CHALLENGE Bruno loa")
    match = Match.objects.latest("pk")
    assert bruno.writes(said).verdict == Code.CONFIRM_NEEDED
    assert asked.format(match.pk) in unwrapped(bruno.letter.text)
    assert bruno.answers(bruno.letter, "sì").verdict == "ok"
    match.refresh_from_db()
    assert match.status == status


def test_of_their_own(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("CHALLENGE Bruno loa")
    alice.writes("I've changed my mind, please cancel my challenge to Bruno.")
    alice.answers(alice.letter, "yes")
    assert Match.objects.get().status == Match.Status.DECLINED


def test_where_none_waits_it_is_for_a_person(alice: Correspondent) -> None:
    alice.writes("I accept the challenge of Bruno, of course")
    assert alice.letter.kind == "to_organiser"
