"""Plans, tries, notes and moves that the cells of a sentence tell, where no table has the words."""

import pytest

from pbem.inbox.commands.match_commands import Move
from pbem.inbox.commands.parser import Understood, understand
from tests.boards import Board

OWN = 4


def read(line: str, language: str, game: str = "loa") -> Understood:
    board = Board.of(game, language)
    return understand(
        [line], subject=None, language=language, is_move=board.is_move, match=OWN, legal=board.legal
    )


@pytest.mark.parametrize(
    ("language", "said", "lines"),
    [
        (
            "en",
            "I play e1-g3, and should he answer h4-f4 then I carry on with b8-b6 at once.",
            ["e1-g3", "IF h4-f4 THEN b8-b6"],
        ),
        (
            "en",
            "d1-f3 now; if a5-c5 comes back, take on h3 with f1 straight away.",
            ["d1-f3", "IF a5-c5 THEN f1xh3"],
        ),
        (
            "en",
            "b1-b3 now. If he does a2-c2 I'll play b3-b5, if he does anything else ask me again.",
            ["b1-b3", "HELP IF"],
        ),
        ("en", "Move g8-g6, and whatever he does next, b1-b3 for me.", ["g8-g6", "NEXT b1-b3"]),
        (
            "it",
            "Gioco b1-b3, e se lui mi risponde a2-c2 continuo subito con b3-b5.",
            ["b1-b3", "SE a2-c2 ALLORA b3-b5"],
        ),
        ("it", "g8-g6 ora e poi, qualsiasi cosa faccia lui, g1-g3.", ["g8-g6", "POI g1-g3"]),
        (
            "it",
            "Se va in f4 con quella di h4, mangiatela con la mia di f8; adesso intanto faccio d1-f3.",
            ["d1-f3", "AIUTO SE"],  # where it is taken is not said again
        ),
    ],
)
def test_a_plan_with_the_move_before_it(language: str, said: str, lines: list[str]) -> None:
    assert [ask.line for ask in read(said, language).asks] == lines


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Just show me, don't play it: d1-f3, then h4-f4, then g8-g6.", "TRY d1-f3; h4-f4; g8-g6"),
        ("What would it look like if I took on a3 from c1 and he came h5 to f5?", "TRY c1xa3; h5-f5"),
        (
            "For my own eyes: I am still not sure of c8-c6, keep it in mind.",
            "NOTE I am still not sure of c8-c6, keep it in mind",
        ),
        ("Kindly play my man on c8 to c6, with my compliments to my opponent.", "c8-c6"),
    ],
)
def test_what_the_cells_tell(said: str, line: str) -> None:
    assert [ask.line for ask in read(said, "en").asks] == [line]


def test_a_wish_beside_a_move_is_asked_about_with_it() -> None:
    said = read("b8b6 and can you make the pictures bigger please, can hardly see it on my phone", "en")
    assert [ask.line for ask in said.asks] == ["b8-b6", "SET SIZE large"]


@pytest.mark.parametrize(
    ("language", "said", "move"),
    [
        ("en", "My move, if I have counted correctly, shall be from d1 to f3.", "d1-f3"),
        ("en", "I think e8 g6, yes e8 to g6 is my move for today.", "e8-g6"),
        ("en", "After long consideration I have decided upon c8-c6.", "c8-c6"),
        ("it", "Dopo matura riflessione, porterei la pedina dalla casa d1 alla casa f3.", "d1-f3"),
        ("it", "Egregio avversario, mi pregio di aprire con c8-c6.", "c8-c6"),
        ("it", "Gioco f1 in f3, vediamo che succede.", "f1-f3"),
    ],
)
def test_a_move_in_whatever_words(language: str, said: str, move: str) -> None:
    assert [ask.line for ask in read(said, language).asks] == [move]


@pytest.mark.parametrize(
    ("language", "said", "lines", "beside"),
    [
        (
            "en",
            "Tell her hello from Brno, and please show me where I can move.",
            ["DESCRIBE"],
            "Tell her hello from Brno",
        ),
        (
            "en",
            "Tell Bruno I'm sorry for being so slow, and please send me the board once more.",
            ["SHOW"],
            "Tell Bruno I'm sorry for being so slow",
        ),
        (
            "it",
            "Di' a Bruno che gioca bene, e mandami la posizione a parole.",
            ["DESCRIVI"],
            "Di' a Bruno che gioca bene",
        ),
        ("en", "b8-b6, and how much time do I have left?", ["b8-b6", "CLOCK"], ""),
        ("it", "c1 mangia in a3, tiè!", ["c1xa3"], "tiè!"),
        (
            "en",
            "I'm in hospital from the 1st to the 5th of December. For now I play b1-b3.",
            ["b1-b3", "AWAY from the 1st to the 5th of December"],
            "I'm in hospital from the 1st to the 5th of December.",
        ),
        (
            "it",
            "mi arrendo, è troppo difficile per me. però voglio la rivincita",
            ["ABBANDONO", "RIVINCITA"],
            "",
        ),
        (
            "it",
            "Ci vedo poco: si può avere il tavoliere più grande? E quanto tempo ho per rispondere?",
            ["IMPOSTA GRANDEZZA grande", "OROLOGIO"],
            "",
        ),
    ],
)
def test_what_is_said_and_what_is_wished_in_one_line(
    language: str, said: str, lines: list[str], beside: str
) -> None:
    found = read(said, language)
    assert ([ask.line for ask in found.asks], found.beside) == (lines, beside)


@pytest.mark.parametrize(
    "said", ["b1-b3 would have won", "you should play b1-b3 mate", "I play d9-f9 now, please"]
)
def test_what_cannot_be_or_is_not_played_is_asked_about_as_no_move(said: str) -> None:
    assert read(said, "en").asks == ()


def test_a_move_is_not_turned_round() -> None:
    """From where it is written to begin nothing can go; the other way it could."""
    assert read("I do not want to stop, kindly play b3-b1 for me.", "en").asks == ()


def test_the_piece_that_is_named_moves() -> None:
    """A pawn could go to f3, too."""
    said = "knight to f3 and trap on d4. you will not like that one bit, I can tell you"
    assert [ask.line for ask in read(said, "en", "trapdoor").asks] == ["Ng1-f3@d4"]


PLAYED = {
    "b8-b6. Your mother says hello.": "Your mother says hello.",
    "b8-b6. How's the knee?": "How's the knee?",
    "Sorry, I counted wrong. I'd like to move b8 to b6.": "Sorry, I counted wrong.",
    "Hello dear, I move b8 to b6. How is your knee?": "Hello dear,\nHow is your knee?",
    "Ah già, non posso. Allora b8-b6.": "Ah già, non posso.",
    "Yes please. My first move is b8 to b6.": "Yes please.",
}
NOT_PLAYED = (
    "You could have played better. b8-b6!",
    "Potevi giocare meglio. b8-b6!",
    "I nearly won last time. b8-b6 was a blunder.",
    "b8-b6. Was that it?",
    "b8-b6? I do not know.",
    "b8-b6. c8-c6. Which one?",
    "If I were you: sorry. I'd play b8-b6.",
    "bella mossa. b8-b6 era meglio",
)


def said(line: str) -> tuple[list[str], str]:
    board = Board.of("loa", "en")
    read = understand([line], subject=None, language="en", is_move=board.is_move, match=4, legal=board.legal)
    return [each.text for each in read.commands if isinstance(each, Move)], read.chat


@pytest.mark.parametrize("line", PLAYED)
def test_it_is_played_and_the_opponent_reads_the_rest(line: str) -> None:
    moves, chat = said(line)
    assert len(moves) == 1
    assert chat == PLAYED[line]


@pytest.mark.parametrize("line", NOT_PLAYED)
def test_what_may_be_talk_is_not(line: str) -> None:
    assert said(line)[0] == []


def test_below_another_move_it_is_talk() -> None:
    board = Board.of("loa", "en")
    lines = ["b1-b3", "b8-b6. It was nearly that."]
    read = understand(lines, subject=None, language="en", is_move=board.is_move, match=4, legal=board.legal)
    assert [each.line for each in read.commands] == ["b1-b3"]


def test_whoever_is_not_to_move_plays_nothing() -> None:
    board = Board.of("loa", "en")
    read = understand(
        ["b8-b6. Your mother says hello."], subject=None, language="en", is_move=board.is_move, match=4
    )
    assert read.commands == ()
