"""One legal move in a sentence is asked about, and what stands beside it is for the opponent."""

import pytest

from games.protocol import Notation
from games.registry import find
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.near_moves import near_move
from pbem.inbox.dry_run import Board

SAID = """
loa | en | I'll take b1 to b3. This is fun, hope you're well! | b1-b3 | This is fun, hope you're well!
loa | en | my piece on b1 goes to b3 | b1-b3 |
loa | en | My move: b1xd... no wait, b1-b3 | b1-b3 | My move
loa | en | I play b1-b3, ok? What a strange game! | b1-b3 | ok? What a strange game!
loa | en | b1-b3 and now we talk | b1-b3 | and now we talk
loa | en | Ok! b1-b3 | b1-b3 |
loa | en | Hey Nora, ok! I move from d8 to f6. Is this right? | d8-f6 | Hey Nora, ok! Is this right?
loa | en | Hi Gus, yes let's play, I start with b1 to b3 | b1-b3 | Hi Gus, yes let's play
loa | en | c1 e3 Nice! | c1-e3 | Nice!
loa | en | b1-b3, sorry! | b1-b3 | sorry!
loa | en | b1-b3 ha! Sorry about that | b1-b3 | ha! Sorry about that
loa | it | Muovo da b1 a b3. Che gioco strano! | b1-b3 | Che gioco strano!
loa | it | b1-b3, va bene? Adesso ti racconto di Milano | b1-b3 | va bene? Adesso ti racconto di Milano
zertz | en | I put a grey marble on d4 and take away ring a1. Hi Ben! | Gd4,a1 | Hi Ben!
zertz | it | Ciao Ada, volentieri! Metto la bianca in d4 e tolgo a1. | Bd4,a1 | Ciao Ada, volentieri!
insert | en | I'm going to put one on b2 | b2 |
insert | en | I put mine on b2 | b2 |
zertz | en | Wd4, then the corner a1 | Wd4,a1 |
zertz | it | Bd4, poi l'angolo a1 | Bd4,a1 |
insert | it | d2, credo sia giusto | d2 |
trapdoor | it | cavallo g1 in f3, trabocchetto a h6 | Cg1-f3@h6 |
loa | en | If a2-c2, b1-b3 wins |  |
loa | en | You played b1-b3, ouch |  |
loa | en | b8-b6 and c1-c3 are the candidates |  |
loa | en | Should I play b1-b3? |  |
loa | it | Se a2-c2, b1-b3 vince |  |
"""


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_only_legal_move_of_a_line(language: str) -> None:
    wrong = []
    for row in SAID.strip().splitlines():
        name, spoken_in, line, move, rest = (part.strip() for part in f"{row} ".split("| "))
        if spoken_in != language:
            continue
        near = near_move(line, Board.of(name, language).legal)
        if (near.move if near else "", near.rest if near else "") != (move, rest):
            wrong.append((line, near))
    assert wrong == []


@pytest.mark.parametrize(
    "line", ["castle short, trap on d6", "0-0, d6", "Arrocco corto, trappola d6", "O-O d6"]
)
def test_castling_in_words(line: str) -> None:
    game, rules = find("trapdoor")
    position, notation = game.start(rules, ""), Notation("en")
    for turn in ("e2-e4@h6", "e7-e5@h3", "Ng1-f3@h6", "Nb8-c6@h3", "Bf1-c4@h6", "a7-a6@h3"):
        position = position.play(game.read(position, turn, notation))
    near = near_move(line, LegalMoves(game, position, notation))
    assert near
    assert near.move == "O-O@d6"


def test_the_moves_that_have_both_cells_are_told_first() -> None:
    game, rules = find("trapdoor")
    position, notation = game.start(rules, ""), Notation("en")
    for turn in ("e2-e4@h6", "e7-e5@h3"):
        position = position.play(game.read(position, turn, notation))
    assert LegalMoves(game, position, notation).at("a6", ["b5", "a6"])[0] == "Bf1-b5@a6"
