"""Whole games between Alice and Bruno, from the challenge to the record, by nothing but letters."""

from collections import Counter

import pytest

from games.export import from_json
from games.protocol import Notation, Side
from games.registry import find
from pbem.demo.play import LINES_OF_ACTION, ZERTZ
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from tests.mail_fixtures import Correspondent


@pytest.mark.parametrize(
    ("name", "first", "moves", "winner", "reason"),
    [
        ("zertz", "Alice", ZERTZ, Side.SECOND, "white"),
        pytest.param("zertz", "Bruno", ZERTZ, Side.SECOND, "white", marks=pytest.mark.prove),
        pytest.param("loa", "Alice", LINES_OF_ACTION, Side.SECOND, "joined", marks=pytest.mark.prove),
        ("loa", "Bruno", LINES_OF_ACTION, Side.SECOND, "joined"),
    ],
)
def test_a_whole_game(
    alice: Correspondent,
    bruno: Correspondent,
    charlie: Correspondent,
    name: str,
    first: str,
    moves: str,
    winner: Side,
    reason: str,
) -> None:
    game, rules = find(name)
    alice.writes(f"CHALLENGE Bruno {name} {'first' if first == 'Alice' else 'second'}")
    bruno.answers(bruno.letter, "SÌ")
    players = (alice, bruno) if first == "Alice" else (bruno, alice)
    position = game.start(rules, "")
    for canonical in moves.split():
        who = players[position.to_move]
        notation = Notation("en" if who is alice else "it")
        move = game.move(canonical)
        written = game.write(position, move, notation)
        assert who.answers(who.letter, f"{written}\nA te la {canonical}.").verdict == "ok"
        position = position.play(move)
        reader = bruno if who is alice else alice
        assert f"  | A te la {canonical}." in reader.letter.text.splitlines()
    match = Match.objects.get()
    assert (match.status, match.winner, match.reason) == (Match.Status.OVER, winner, reason)
    assert match.position == str(position)
    for who in players:
        assert who.letter.kind == "result"
        record = from_json(who.letter.attachments[f"{name}-{match.pk}.json"])
        assert record.moves == tuple(moves.split())
        assert record.replay()[-1] == position
        assert record.players == tuple(player.name for player in players)
        subjects = {letter.subject for letter in who.letters}
        assert subjects == {str(match)}
    # Each move brought a turn letter, the first three of each player a receipt, and the last one two results; nobody
    # else heard of it.
    assert InboundMail.objects.exclude(verdict="ok").count() == 0
    told = Counter(letter.kind for who in players for letter in who.letters)
    assert (told["turn"], told["played"], told["result"]) == (len(moves.split()) + 1, 3 + 3, 2)
    assert OutboundMail.objects.exclude(status=OutboundMail.Status.SENT).count() == 0
    assert charlie.letters == []
