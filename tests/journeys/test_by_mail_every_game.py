"""Every game and variant that is here, begun by mail and played for some turns in both languages."""

from random import Random

import pytest

from games.registry import names
from pbem.matches.models import Match
from tests.post import Correspondent

TURNS = 8


@pytest.mark.parametrize("name", names())
def test_some_turns_by_letter(alice: Correspondent, bruno: Correspondent, name: str) -> None:
    assert alice.writes(f"CHALLENGE Bruno {name} first").verdict == "ok"
    assert bruno.answers(bruno.letter, "SÌ").verdict == "ok"
    rng, players = Random(name), (alice, bruno)
    for _turn in range(TURNS):
        match = Match.objects.get()
        position = match.current()
        who = players[position.to_move]
        written = match.game.write(position, position.sample(rng), who.player.notation)
        assert who.answers(who.letter, f"{written}\nA te!").verdict == "ok", (name, written, who.letter.text)
    match = Match.objects.get()
    assert match.game_name == name
    assert match.ply >= TURNS
    assert str(match.record().replay()[-1]) == match.position
    for who in players:
        assert who.letter.message.get_content_type() in ("multipart/alternative", "multipart/mixed")
        assert sum(part.get_content_type() == "image/png" for part in who.letter.message.walk()) == 1
        assert all(len(line) <= 72 for line in who.letter.text.splitlines() if "://" not in line)
        assert len(who.letter.raw) < 100_000
