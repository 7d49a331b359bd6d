"""A visitor who reads all of the API finds no hidden name, number, day, word or half-move."""

from __future__ import annotations

from django.utils import timezone

from pbem.competitions.models import Competition
from pbem.matches.models import Match
from pbem.players.models import Player
from pbem.published.visible import shown
from tests.pbem.api.conftest import Program, is_problem
from tests.pbem.site.test_privacy import HIDDEN, LATE, OPEN, STEPS, people, season  # noqa: F401 - fixtures


def everything(visitor: Program, begin: list[str]) -> dict[str, str]:
    """Reads these and what follows them."""
    found: dict[str, str] = {}
    while begin:
        path = begin.pop()
        answer = visitor.client.get(f"/api/v1{path}", REMOTE_ADDR=f"192.0.2.{len(found) % 250}")
        assert answer.status_code in (200, 404), path
        found[path] = answer.content.decode()
        if after := answer.headers.get("Link"):
            begin.append(after.partition("/api/v1")[2].partition(">")[0])
    return found


def test_nothing_hidden_is_anywhere(
    season: list[Match],  # noqa: F811
    people: dict[str, Player],  # noqa: F811
    visitor: Program,
) -> None:
    contest = Competition.objects.get(system="round_robin").pk
    begin = ["/games", "/matches", "/matches?game=loa", "/ratings/loa", "/openapi.json"]
    begin += [f"/competitions/{contest}", f"/competitions/{contest}/table"]
    begin += [path for name in STEPS for path in (f"/players/{name}", f"/matches?player={name}")]
    begin += [f"/matches/{each.pk}?legal=1" for each in season]
    found = everything(visitor, begin)
    text = "\n".join(found.values())
    for name in OPEN:
        assert f'"{name}"' in text
    for name in HIDDEN:
        assert name not in text
        is_problem(visitor.get(f"/players/{name}"), 404)
    assert "SECRET" not in text
    assert "@" not in text
    now, nothing = timezone.now(), visitor.get("/matches/987654").content
    listed = "".join(told for path, told in found.items() if not path.startswith("/matches/"))
    for each in season:
        seen, own = shown(each, now), found[f"/matches/{each.pk}?legal=1"]
        if seen is None:
            assert own.encode() == nothing
            assert f'"match": {each.pk},' not in listed
            continue
        if seen.live:
            moves = own.partition('"legal"')[0]
            assert not any(move in moves for move in LATE)
        if not seen.dated:
            assert "2026-03-0" not in own
            assert '"2026-03"' in own
