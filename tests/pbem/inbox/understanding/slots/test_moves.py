"""One legal move in a sentence is asked about, and what stands beside it is for the opponent."""

import pytest

from games.protocol import Notation
from games.registry import find
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.understanding.slots.moves import near_move
from tests.boards import Board

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
zertz | en | the white marble goes on d4 and the ring a1 disappears | Wd4,a1 |
zertz | en | a white one lands on d4, ring a1 leaves | Wd4,a1 |
zertz | en | I put white on d4 and take a1 away | Wd4,a1 |
zertz | it | la biglia bianca va in d4 e l'anello a1 se ne va | Bd4,a1 |
zertz | it | poso la bianca su d4 e levo l'anello a1 | Bd4,a1 |
zertz | it | una bianca finisce in d4, via l'anello a1 | Bd4,a1 |
insert | en | my ring goes on b2 | b2 |
insert | en | I'll drop a ring onto b2 | b2 |
insert | en | the next ring lands on b2 | b2 |
insert | it | il mio anello va in b2 | b2 |
insert | it | lo metto in b2 | b2 |
insert | it | poggio un anello in b2 | b2 |
emergo | en | a man enters on a1 | a1 |
emergo | en | I bring a man in at a1 | a1 |
emergo | it | faccio entrare un pezzo in a1 | a1 |
emergo | it | entro con un pezzo in a1 | a1 |
gemma | en | my man on b1 climbs to b3 | b1-b3 |
gemma | it | la pedina in b1 sale in b3 | b1-b3 |
trapdoor | en | my pawn on e2 advances to e4 and the trap goes to h6 | e2-e4@h6 |
trapdoor | en | pawn from e2 to e4, the trap lands on h6 | e2-e4@h6 |
trapdoor | it | il pedone in e2 avanza fino a e4 e la trappola va in h6 | e2-e4@h6 |
trapdoor | it | il cavallo da g1 salta in f3, il trabocchetto va in h6 | Cg1-f3@h6 |
cheshire | en | my knight jumps from g1 to f3 | Ng1-f3 |
cheshire | en | pawn from e2 to e4. Mind the gap! | e2-e4 | Mind the gap!
cheshire | en | knight to f3 | Ng1-f3 |
cheshire | it | cavallo g1 in f3 | Cg1-f3 |
cheshire | it | il pedone da e2 va in e4 | e2-e4 |
cheshire:10x10 | en | the knight on c1 goes to d3 | Nc1-d3 |
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


TOLD = {
    "en": """
my man on b1 goes up to b3
the piece b1 climbs to b3
b1 jumps over to b3, catch me!
my b1 stone hops to b3
I advance from b1 up to b3
up from b1 to b3 with my man
b1 goes to b3 and now it is your turn
The black man at b1 moves two squares up, to b3
my checker leaves b1 and lands on b3
I bring b1 over to b3
so b1 comes up to b3, what do you say
moving the one on b1 up to b3 today
I want the piece from b1 to stand on b3
with b1 I go to b3
take b1 and put it on b3
b1 to b3 it is
OK let me see... b1 up to b3.
I lift b1 and drop it on b3
I'm going up with b1, up to b3
b1 runs to b3
""",
    "it": """
la mia pedina in b1 sale fino a b3
il pezzo di b1 lo porto su in b3
da b1 salgo in b3
quella in b1 la metto in b3
b1 salta in b3, prendimi!
salgo con b1 fino a b3
la pedina nera in b1 va due caselle più su, in b3
da b1 risalgo a b3
con b1 vado in b3
prendo b1 e la metto in b3
b1 sale in b3 e ora tocca a te
faccio salire b1 in b3
la pedina b1 corre in b3
avanzo da b1 fino a b3
alzo b1 e la poso in b3
allora porto b1 su in b3, che ne dici
il mio pezzo lascia b1 e arriva in b3
voglio spostare il pezzo da b1 su b3
mando la b1 in b3
b1 avanza in b3
""",
}
UNREAL = {
    "en": """
if I play b1 to b3 you will take
I should have played b1 to b3
I should have gone from b1 to b3
I could have gone b1 to b3
not b1 to b3
I won't play b1 to b3
I will not go from b1 to b3
I don't like b1 to b3
if I go from b1 to b3 you jump
when I go from b1 to b3 you will capture
had I gone from b1 to b3 I would have won
you went from b1 to b3 last time
yesterday I moved from b1 to b3
I moved from b1 to b3 in our last match
b1 and b3 are both weak
my men on b1 and b3 are strong
I never go from b1 to b3
I almost moved b1 to b3
I was going to play b1 to b3
I thought of moving b1 to b3
unless I go b1 to b3
would b1 to b3 be good
b1 to b3 was my other idea
after b1 to b3 I lose
Bruno always goes from b1 to b3
you could go from b1 to b3
he jumps from b1 to b3 and wins
I am afraid of b1 to b3
instead of b1 to b3
I would like to see you go from b1 to b3
don't go b1 to b3
I considered b1 to b3
next time I go from b1 to b3
I can't move b1 to b3
I cannot go from b1 to b3
what if I move b1 to b3
maybe later I go b1 to b3
my last move was from b1 to b3
last turn I went b1 to b3
I used to go from b1 to b3
I wonder about b1 to b3
nobody goes from b1 to b3
she takes from b1 to b3
I saw you go from b1 to b3
""",
    "it": """
se gioco b1 in b3 mi mangi
avrei dovuto giocare da b1 a b3
potevo andare da b1 a b3
non gioco da b1 a b3
non vado da b1 a b3
non mi piace da b1 a b3
se vado da b1 a b3 salti
quando vado da b1 a b3 catturi
se fossi andato da b1 a b3 avrei vinto
tu sei andato da b1 a b3 l'altra volta
ieri ho mosso da b1 a b3
ho mosso da b1 a b3 nell'ultima partita
b1 e b3 sono deboli
le mie pedine in b1 e b3 sono forti
non vado mai da b1 a b3
stavo per andare da b1 a b3
pensavo di muovere da b1 a b3
a meno che vada da b1 a b3
dopo b1 b3 perdo
Anna va sempre da b1 a b3
tu potresti andare da b1 a b3
lui salta da b1 a b3 e vince
ho paura di b1 in b3
invece di andare da b1 a b3
non andare da b1 a b3
la prossima volta vado da b1 a b3
non posso muovere da b1 a b3
e se vado da b1 a b3
avessi giocato da b1 a b3
volevo andare da b1 a b3 ma poi ho cambiato idea
la mia mossa di ieri era da b1 a b3
magari dopo vado da b1 a b3
nessuno va da b1 a b3
b1 va in b3 nella variante che ho visto
ti ho visto andare da b1 a b3
""",
}


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_cells_of_a_sentence_tell_a_move(language: str) -> None:
    legal = Board.of("loa", language).legal
    told = {line: near_move(line, legal) for line in TOLD[language].strip().splitlines()}
    assert [line for line, near in told.items() if not near or near.move != "b1-b3"] == []


@pytest.mark.parametrize("language", ["en", "it"])
def test_what_is_not_done_is_no_move(language: str) -> None:
    legal = Board.of("loa", language).legal
    assert [line for line in UNREAL[language].strip().splitlines() if near_move(line, legal)] == []


@pytest.mark.parametrize(
    ("language", "line", "move"),
    [
        ("en", "my pawn goes to g6", "g7-g6"),
        ("en", "I go to g6 with the pawn", "g7-g6"),
        ("it", "vado in g6 col pedone", "g7-g6"),
        ("it", "prendo in g6 con il pedone", "g7-g6"),
        ("en", "I like g6", ""),
        ("en", "you take on g6", ""),
        ("en", "I take a look at g6", ""),
        ("it", "se vado in g6 col pedone perdo", ""),
    ],
)
def test_one_cell_tells_a_move_where_it_is_the_only_one(language: str, line: str, move: str) -> None:
    game, rules = find("trapdoor")
    position = game.start(rules, "")
    for turn in ("e2-e4@h6", "f7-f6@h3", "Qd1-h5@a3"):  # check: the trap stays
        position = position.play(game.read(position, turn, Notation("en")))
    near = near_move(line, LegalMoves(game, position, Notation(language)))
    assert (near.move if near else "") == move
