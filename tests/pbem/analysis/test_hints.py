"""Hints: never where they would help in another match, and found out without asking for each of them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pbem.analysis.service import stands_elsewhere
from pbem.matches.models import Match
from pbem.matches.services import play
from tests.mail_fixtures import Correspondent, Post
from tests.players_fixtures import Begin


def looked_up(match: Match) -> tuple[bool, int]:
    """Whether another stands alike, and how many queries that takes."""
    seat = Match.objects.get(pk=match.pk).seated[0]
    with CaptureQueriesContext(connection) as asked:
        return stands_elsewhere(seat), len(asked)


@pytest.mark.django_db
def test_however_many_matches_a_player_has(begin: Begin, alice: Correspondent, post: Post) -> None:
    learning = begin("loa learning")
    assert looked_up(learning)[0] is False, "it is the only one"
    begin("loa learning")
    assert looked_up(learning)[0] is False, "nor does another with hints count"
    others = [begin("loa") for _ in range(2)]
    alike, queries = looked_up(learning)
    assert alike
    for other in (*others, begin("loa"), begin("loa")):
        play(Match.objects.get(pk=other.pk).seated[0], "b8-b6", now=post.now)
    assert looked_up(learning) == (False, queries)
