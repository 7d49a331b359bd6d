"""Moves and offers by token: the same services as by letter, refused in the same words, and told to the opponent."""

from __future__ import annotations

from random import Random

import pytest
from django.utils import timezone

from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.matchmaking.seeks import offer
from pbem.matches.models import Event, Match, Turn
from pbem.matches.services import offer_draw, propose
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.compose import compose
from pbem.players.api_tokens import Scope
from pbem.players.models import Player
from pbem.players.services import register
from pbem.refusals import Code
from tests.pbem.api.conftest import Program, is_problem
from tests.pbem.site.conftest import NOON, match


@pytest.fixture
def going(alice: Player, bruno: Player) -> Match:
    """Alice, who moves first, is to move after six half-moves."""
    return match(alice, bruno, over=False)


def legal(going: Match) -> list[str]:
    return [str(move) for move in Match.objects.get(pk=going.pk).current().moves()]


def letters_to(player: Player) -> list[str]:
    rows = OutboundMail.objects.filter(player=player).order_by("pk")
    return [compose(row).text for row in rows]


def test_a_move_is_played_once_by_its_name(going: Match, alice: Player, bruno: Player) -> None:
    program, (one, other, *_) = Program(alice), legal(going)
    path = f"/matches/{going.pk}/moves/6"
    OutboundMail.objects.all().delete()
    Player.objects.filter(pk=alice.pk).update(receipts=True)
    first = program.put(path, {"move": one, "message": "By my program"})
    assert first.status_code == 201
    assert (first.json()["move"], first.json()["ply"], first.json()["your_turn"]) == (one, 7, False)
    again = program.put(path, {"move": one})
    assert (again.status_code, again.json()["move"]) == (200, one)
    assert Turn.objects.filter(match=going, ply=6).count() == 1
    is_problem(program.put(path, {"move": other}), 409, Code.STALE_TURN)
    is_problem(program.put(f"/matches/{going.pk}/moves/5", {"move": one}), 409, Code.STALE_TURN)
    is_problem(
        program.put(f"/matches/{going.pk}/moves/7", {"move": legal(going)[0]}), 409, Code.NOT_YOUR_TURN
    )
    is_problem(program.put(f"/matches/{going.pk}/moves/8", {"move": one}), 409, Code.STALE_TURN)
    event = Event.objects.filter(match=going, kind=Event.Kind.MOVED).latest("pk")
    assert event.facts["by"] == "api"
    assert event.letter is None
    [to_alice], [to_bruno] = letters_to(alice), letters_to(bruno)
    assert "By my program" in to_bruno
    assert "A program played this for Alice." in " ".join(to_bruno.split())
    assert "A program played this in your name, with one of your tokens." in " ".join(to_alice.split())
    assert Turn.objects.get(match=going, ply=6).message == "By my program"


def test_the_same_move_may_be_written_otherwise(going: Match, alice: Player) -> None:
    one = legal(going)[0]
    path = f"/matches/{going.pk}/moves/6"
    assert Program(alice).put(path, {"move": one.upper(), "notation": "en"}).status_code == 201
    assert Program(alice).put(path, {"move": one}).status_code == 200


def test_an_illegal_move_says_why(going: Match, alice: Player) -> None:
    program = Program(alice)
    path = f"/matches/{going.pk}/moves/6"
    told = is_problem(
        program.put(path, {"move": "a2-a1"}, **{"Accept-Language": "it"}), 422, Code.ILLEGAL_MOVE
    )
    assert told["objection"]
    assert told["cells"]
    assert "mossa" in told["detail"]
    is_problem(program.put(path, {"move": "hello"}), 422, Code.NO_MOVE_FOUND)
    assert Match.objects.get(pk=going.pk).ply == 6


def test_matches_of_others_are_none(going: Match, carla: Player) -> None:
    program = Program(carla)
    for number in (going.pk, 987654, 10**30):
        is_problem(program.put(f"/matches/{number}/moves/6", {"move": "a1-a2"}), 404, Code.NO_SUCH_MATCH)
        is_problem(program.post(f"/matches/{number}/draw"), 404, Code.NO_SUCH_MATCH)


def test_a_draw_is_accepted_by_its_name(going: Match, alice: Player, bruno: Player) -> None:
    path = f"/matches/{going.pk}"
    assert Program(alice).post(f"{path}/draw").status_code == 200
    program = Program(bruno)
    is_problem(program.post(f"{path}/accept", {"offer": "undo"}), 409, Code.OFFER_GONE)
    assert program.post(f"{path}/decline", {"reason": "not yet"}).status_code == 200
    is_problem(program.post(f"{path}/accept", {"offer": "draw"}), 409, Code.OFFER_GONE)
    offer_draw(Match.objects.get(pk=going.pk).seated[0], now=timezone.now())
    told = program.post(f"{path}/accept", {"offer": "draw"}).json()
    assert (told["status"], told["result"], told["reason"]) == ("over", "1/2", "agreed")
    is_problem(program.post(f"{path}/draw"), 409, Code.MATCH_OVER)


def test_undo_is_asked_and_granted(going: Match, alice: Player, bruno: Player) -> None:
    path = f"/matches/{going.pk}"
    assert Program(bruno).post(f"{path}/undo", {}).status_code == 200
    assert Program(alice).post(f"{path}/accept", {"offer": "undo"}).json()["ply"] == 5


def test_words_go_to_the_opponent_within_the_limit(
    going: Match, alice: Player, bruno: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(alice)
    path = f"/matches/{going.pk}/say"
    assert program.post(path, {"text": "Well played. Write to me: alice@example.org"}).status_code == 200
    event = Event.objects.filter(kind=Event.Kind.SAID).latest("pk")
    assert event.facts["text"].startswith("Well played")
    assert "alice@example.org" not in event.facts["text"]
    for _ in range(CAPS["chat"].most - 1):
        assert program.post(path, {"text": "again"}).status_code == 200
    answer = program.post(path, {"text": "again"})
    assert is_problem(answer, 429, Code.TOO_MUCH_TALK)["limit"] == CAPS["chat"].most
    assert int(answer.headers["Retry-After"]) > 0


def test_a_line_waits_for_the_reply(going: Match, alice: Player, bruno: Player) -> None:
    path = f"/matches/{going.pk}/lines"
    position = going.current()
    reply = next(iter(position.moves()))
    answer = next(iter(position.play(reply).moves()))
    told = Program(bruno).post(path, {"moves": [str(reply), str(answer)]})
    assert told.status_code == 200
    Program(alice).put(f"/matches/{going.pk}/moves/6", {"move": str(reply)})
    assert Match.objects.get(pk=going.pk).ply == 8
    is_problem(Program(alice).post(path, {"moves": ["a1-a2", None]}), 422, Code.IMPOSSIBLE_LINE)
    is_problem(Program(bruno).post(path, {"moves": ["a1-a9", "a1-a2"]}), 422, Code.IMPOSSIBLE_LINE)


def test_resigning_names_the_match(going: Match, alice: Player) -> None:
    program = Program(alice)
    path = f"/matches/{going.pk}/resign"
    is_problem(program.post(path, {"confirm": going.pk + 1}), 422)
    is_problem(program.post(path, {}), 422)
    assert program.post(path, {"confirm": going.pk}).json()["reason"] == "resigned"


def test_challenges_and_offers(alice: Player, bruno: Player, carla: Player) -> None:
    program = Program(alice)
    told = program.post("/challenges", {"opponent": "Bruno", "game": "loa", "options": ["first", "3d/move"]})
    assert told.status_code == 201
    assert (told.json()["status"], told.json()["opponent"], told.json()["clock"]) == (
        "proposed",
        "Bruno",
        "3d/move",
    )
    near = is_problem(
        program.post("/challenges", {"opponent": "Brunno", "game": "loa"}), 404, Code.NO_SUCH_PLAYER
    )
    assert near["nearest"] == ["Bruno"]
    is_problem(program.post("/challenges", {"opponent": "Bruno", "game": "chess"}), 404, Code.NO_SUCH_GAME)
    is_problem(program.post("/challenges", {"opponent": "Alice", "game": "loa"}), 422, Code.AGAINST_YOURSELF)
    seek = offer(carla, game="loa", now=timezone.now(), rng=Random(1))
    assert program.post(f"/offers/{seek.pk}/join").json()["status"] == "playing"
    is_problem(program.post(f"/offers/{seek.pk}/join"), 404, Code.NO_SUCH_OFFER)


def test_the_limit_of_a_day(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(alice)
    for number in range(CAPS["challenges"].most + 1):
        register(name=f"Player{number}", email=f"p{number}@example.org", language="en", now=NOON)
        answer = program.post("/challenges", {"opponent": f"Player{number}", "game": "loa"})
    is_problem(answer, 429, Code.TOO_MANY_CHALLENGES)


def test_a_robot_reads_nothing(alice: Player) -> None:
    robot = Player.objects.robots().first()
    assert robot
    begun = propose(
        challenger=alice, opponent=robot, game="loa", options=["first"], now=timezone.now(), rng=Random(1)
    )
    is_problem(Program(alice).post(f"/matches/{begun.pk}/say", {"text": "hi"}), 403, Code.NO_SUCH_READER)
    assert Program(alice).put(f"/matches/{begun.pk}/moves/0", {"move": legal(begun)[0]}).status_code == 201


def test_scopes(going: Match, alice: Player) -> None:
    reader, player = Program(alice, Scope.READ), Program(alice, Scope.PLAY)
    move = {"move": legal(going)[0]}
    is_problem(reader.put(f"/matches/{going.pk}/moves/6", move), 403)
    is_problem(player.post("/challenges", {"opponent": "Bruno", "game": "loa"}), 403)
    assert reader.get("/me/turns").status_code == 200
    assert player.put(f"/matches/{going.pk}/moves/6", move).status_code == 201
