"""A program plays over HTTP against a player by mail; the service is killed, nothing is lost, nothing played twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest
from django.utils import timezone

from pbem.matches import services as matches
from pbem.matches.models import Match, Turn
from pbem.matches.terms import Terms
from pbem.players import api_tokens
from pbem.players.api_tokens import Scope
from pbem.players.models import Player
from pbem.players.services import register
from tests.journeys.conftest import QUOTES, House
from tests.journeys.in_flight import Play, Relay
from tests.processes import ROOT, TIMEOUT, wait_until

pytestmark = pytest.mark.prove

KILLS = int(os.environ.get("KILLS", "8"))
KILLED = -signal.SIGKILL
ENGINE = """
import json, sys
from random import Random
from games.registry import find
asked = json.loads(sys.stdin.readline())
game, rules = find(asked["game"])
position = game.position(rules, asked["position"])
move = Random(asked["position"]).choice([str(move) for move in position.moves()])
print(json.dumps(asked | {"move": move}), file=open(sys.argv[1], "a"))
print(json.dumps({"move": move}))
"""


def relay(house: House, name: str) -> Relay:
    made = house.player(name)
    return Relay(made.name, made.address, QUOTES[name], made.post, made.door)


def start(house: House) -> Play:
    now = timezone.now()
    with house.rows():
        for name, language in (("Alice", "en"), ("Bruno", "it")):
            register(name=name, email=f"{name.lower()}@players.localhost", language=language, now=now)
        alice, bruno = (Player.objects.get(name=name) for name in ("Alice", "Bruno"))
        match = matches.start(first=alice, second=bruno, game="loa", terms=Terms(), now=now, rng=Random(1))
    return Play(house, relay(house, "Alice"), relay(house, "Bruno"), [match.pk])


def robot(house: House, text: str, log: Path) -> subprocess.Popen[bytes]:
    engine = house.folder / "engine.py"
    engine.write_text(ENGINE)
    web = "http://{}:{}".format(*house.web)
    command = [
        sys.executable,
        str(ROOT / "docs/robot_by_http.py"),
        web,
        text,
        sys.executable,
        str(engine),
        str(log),
    ]
    env = {**os.environ, "PAUSE": "0.05", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=env, cwd=house.folder)


def answer_by_mail(play: Play, ended: threading.Event) -> None:
    """Has Bruno answer each turn, and again where no answer was taken."""
    [number], answered = play.numbers, {}
    while not ended.is_set():
        time.sleep(0.05)
        play.bruno.try_again()
        match = Match.objects.get(pk=number)
        waits = match.status == "playing" and match.to_move == 1
        if not waits or time.monotonic() - answered.get(match.ply, -9.0) < 5:
            continue
        move = Random(match.ply).choice([str(move) for move in match.current().moves()])
        try:
            play.move(play.bruno, number, move)
        except IndexError:
            continue  # the letter has not come yet
        answered[match.ply] = time.monotonic()


def goes_on(number: int, plies: int) -> None:
    """Waits for so many half-moves more."""
    before = Match.objects.get(pk=number).ply
    wait_until(lambda: Match.objects.get(pk=number).ply >= before + plies, "half-moves")


def test_a_match_goes_on_over_kills(house: House) -> None:
    play, rng, log = start(house), Random(1969), house.folder / "asked"
    with house.rows():
        [number] = play.numbers
        alice = Player.objects.get(name="Alice")
        _, text = api_tokens.create(alice, [Scope.PLAY], now=timezone.now())
        service, ended = house.serve(), threading.Event()
        program = robot(house, text, log)
        mail = threading.Thread(target=answer_by_mail, args=(play, ended))
        mail.start()
        try:
            for _ in range(KILLS):
                goes_on(number, 1)
                time.sleep(rng.uniform(0.0, 0.5))  # this is the time that is meant to be any
                assert service.end(signal.SIGKILL) == KILLED
                service = house.serve()
            goes_on(number, 4)
            assert program.poll() is None, "it needs no help"
        finally:
            ended.set()
            mail.join(TIMEOUT)
            program.terminate()
            program.wait(TIMEOUT)
        match = Match.objects.get(pk=number)
        turns = list(match.live_turns())
        assert match.ply >= KILLS
        assert [turn.ply for turn in turns] == list(range(match.ply))
        assert [turn.position for turn in turns] == [str(each) for each in match.record().replay()][1:]
        assert not Turn.objects.filter(match=match).exclude(undone_by=None).exists()
        asked = {line["position"]: line["move"] for line in map(json.loads, log.read_text().splitlines())}
        before = [str(match.start_position()), *(turn.position for turn in turns)]
        own = {before[turn.ply]: turn.move for turn in turns if turn.side == 0}
        assert own == {position: asked[position] for position in own}, "each move is what the engine said"
        assert len(set(asked) - set(own)) <= 1, "and nothing that it said was lost, but for the last"
