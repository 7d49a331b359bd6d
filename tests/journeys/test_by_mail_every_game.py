"""Every game and variant that is here, begun by mail and played for some turns in both languages.

Each answer comes from another mail program.
"""

from itertools import cycle, islice
from random import Random

import pytest

from games.registry import names
from pbem.matches.models import Match
from tests.examples import first
from tests.mail_fixtures import Correspondent
from tests.programs import WAYS

TURNS = 8


@pytest.mark.parametrize("name", first(sorted(names(), key=lambda name: ":" in name), quick=6))
def test_some_turns_by_letter(alice: Correspondent, bruno: Correspondent, name: str) -> None:
    assert alice.writes(f"CHALLENGE Bruno {name} first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    rng, players = Random(name), (alice, bruno)
    ways = islice(cycle(WAYS), names().index(name) * TURNS, None)
    for turn in range(TURNS):
        match = Match.objects.get()
        if match.status == Match.Status.OVER:  # one game of Insert in a hundred
            break
        position = match.current()
        who = players[position.to_move]
        written = match.game.write(position, position.sample(rng), who.player.notation)
        way, said = next(ways), f"A domani {turn}!"
        assert who.answers_with(way, who.letter, f"{written}\n{said}").verdict == "ok", (way[0].name, written)
        told = (bruno if who is alice else alice).letter
        assert f"  | {said}" in told.text.splitlines(), way[0].name
    match = Match.objects.get()
    assert match.game_name == name
    assert match.ply >= TURNS or match.status == Match.Status.OVER
    assert str(match.record().replay()[-1]) == match.position
    for who in players:
        assert who.letter.message.get_content_type() in ("multipart/alternative", "multipart/mixed")
        assert sum(part.get_content_type() == "image/png" for part in who.letter.message.walk()) == 1
        assert all(len(line) <= 72 for line in who.letter.text.splitlines() if "://" not in line)
        assert len(who.letter.raw) < 100_000
