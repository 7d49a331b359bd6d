"""What players really write when they want something: nine of ten are understood or asked about, few as another."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from games import lenient_parser
from games.protocol import LANGUAGES
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.line import names_cell
from pbem.inbox.commands.match_commands import Accept, Move, Try
from pbem.inbox.commands.parser import Understood, understand
from pbem.inbox.commands.verbs import verb_of
from pbem.intents import Bar
from tests.boards import Board

OWN = 4  # the match of the letter that is answered


@dataclass(frozen=True)
class Request:
    """`situation`: the game of the turn letter that it answers, a letter that `asked`, or a `new` one to play@."""

    situation: str
    meant: str
    line: str

    @property
    def board(self) -> str:
        return "loa" if self.situation in ("new", "asked") else self.situation


def requests(language: str) -> list[Request]:
    lines = Path(__file__).with_name(f"requests.{language}.txt").read_text("utf-8").splitlines()
    return [Request(*(part.strip() for part in line.split(" | ", 2))) for line in lines]


def meaning(command: Command, board: Board) -> str:
    """The verb, and a move as the game knows it."""
    moves = command.moves if isinstance(command, Try) else ()
    own = [command.text] if isinstance(command, Move) else moves[:1]  # behind it stands the opponent's
    return " ".join([verb_of(command), *(_move(text, board) for text in own), *moves[1:]])


def _move(text: str, board: Board) -> str:
    move = lenient_parser.parse(board.game, board.position, text, board.notation)
    return board.game.write(board.position, move, board.notation)


def understood(request: Request, language: str) -> Understood:
    board, new = Board.of(request.board, language), request.situation == "new"
    return understand(
        [request.line],
        subject=None,
        language=language,
        is_move=board.is_move,
        match=None if new else OWN,
        answers=lambda: "draw" if request.situation == "asked" else "",
        legal=None if new else board.legal,
        guess=None
        if request.meant == "REGISTER"
        else Bar.USUAL,  # who signs up is a stranger: they are not guessed
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_nine_of_ten_are_understood_or_asked_about(language: str) -> None:
    missed, others = [], []
    asked = requests(language)
    for request in asked:
        said, board = understood(request, language), Board.of(request.board, language)
        meant = [meaning(command, board) for command in said.commands or said.asks]
        if not meant:
            missed.append(request.line)
        elif meant != [request.meant]:
            others.append((request.line, meant))
    assert len(others) <= len(asked) / 16, others
    assert len(asked) >= 100
    assert len(missed) <= len(asked) / 10, missed


@pytest.mark.prove
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("own", "one_of"), [(OWN, 7), (None, 7)])
def test_talk_is_rarely_asked_about(language: str, own: int | None, one_of: int) -> None:
    """In answer to a turn, where nothing else in the letter is a command, and in a new letter. Most of these lines were
    written with the words of commands on purpose: of what people say by themselves, three in a hundred are asked about.
    What names a cell is not passed on but refused, if nobody asks about it.
    """
    board = Board.of("loa", language)
    everyday = Path(__file__).with_name(f"everyday.{language}.txt").read_text("utf-8").splitlines()
    lines = [line for line in everyday if not names_cell(line)]
    said = {
        line: understand(
            [line],
            subject=None,
            language=language,
            is_move=board.is_move,
            match=own,
            legal=board.legal if own else None,
        )
        for line in lines
    }
    assert all(command.reading for understood in said.values() for command in understood.commands)
    asked = [line for line, understood in said.items() if understood.asks]
    assert len(asked) <= len(lines) / one_of, asked


@pytest.mark.parametrize(
    "said",
    [
        "How was your holiday in Norway?",
        "My board is covered in dust",
        "What a tournament, 12 players!",
        "Did you see the new pictures of the club?",
        "I have played 12 games of it in my life",
        "Hai già giocato a Zertz da bambino?",
        "Che bella partita, la 12!",
    ],
)
def test_what_plainly_asks_for_nothing_is_not_asked_about(said: str) -> None:
    board = Board.of("loa", "en")
    read = understand([said], subject=None, language="en", is_move=board.is_move)
    assert (read.commands, read.asks) == ((), ())


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [
        ("en", "I want to play a robot at Insert please, the easy one", "CHALLENGE Robot-1 Insert"),
        ("en", "I'd like to play Zertz against a strong robot", "CHALLENGE Robot-3 Zertz"),
        ("it", "una partita a loa contro il robot medio", "SFIDA Robot-2 loa"),
        ("it", "Sfido il robot a Insert", "SFIDA Robot-1 Insert"),
        ("en", "play against the computer", "HELP ROBOTS"),
        ("it", "c'è un computer contro cui giocare?", "AIUTO ROBOT"),
    ],
)
def test_who_wants_a_robot_is_asked_about_one(language: str, said: str, asked: str) -> None:
    board = Board.of("loa", language)
    read = understand([said], subject=None, language=language, is_move=board.is_move)
    assert [command.line for command in read.commands or read.asks] == [asked]


@pytest.mark.parametrize(
    ("language", "subject", "said", "read"),
    [
        ("it", "partita", "Sfido il robot a Insert", "SFIDA Robot-1 Insert"),
        ("it", "partite", "Vorrei giocare a zertz con Bruno", "SFIDA Bruno zertz"),
        ("en", "letters", "How do I get fewer emails?", "SET CADENCE daily"),
        ("en", "games", "I saw a heron by the lake", ""),
        ("en", "help", "How do I play zertz?", "HELP zertz"),
        ("en", "help", "I saw a heron by the lake", "help"),
        ("en", "games", "Thanks!", "games"),
    ],
)
def test_one_word_in_the_subject_does_nothing_above_what_is_said(
    language: str, subject: str, said: str, read: str
) -> None:
    board = Board.of("loa", language)
    found = understand([said], subject=subject, language=language, is_move=board.is_move)
    assert [command.line for command in found.commands or found.asks] == [read] * bool(read)


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [
        ("it", "Mi arrivano troppe mail, potete mandarmene di meno?", "IMPOSTA CADENZA giornaliera"),
        ("it", "no no, voglio solo meno lettere, una al giorno va bene", "IMPOSTA CADENZA giornaliera"),
        ("en", "fewer emails", "SET CADENCE daily"),
        ("en", "no no, I only want fewer letters, one a day is fine", "SET CADENCE daily"),
        ("en", "Too many emails! Can you send less?", "SET CADENCE daily"),
    ],
)
def test_who_wants_fewer_letters_is_asked_about_one_a_day(language: str, said: str, asked: str) -> None:
    board = Board.of("loa", language)
    found = understand([said], subject=None, language=language, is_move=board.is_move)
    assert (found.commands, [command.line for command in found.asks]) == ((), [asked])


@pytest.mark.parametrize(
    ("language", "said", "done", "asked"),
    [
        ("it", "Mi arrendo, sto perdendo di brutto", [], ["ABBANDONO"]),
        ("it", "Ti propongo la patta, devo partire", [], ["PATTA"]),
        ("it", "Ti va la patta? sono di corsa", [], ["PATTA"]),
        ("en", "Rex, draw? I'm tired", [], ["DRAW"]),
        ("en", "I give up, this is hopeless", [], ["RESIGN"]),
        ("en", "b8-b6, draw?", [], ["b8-b6", "DRAW"]),
        ("en", "b8-b6\nRex, draw? I'm tired", ["b8-b6"], ["DRAW"]),
        ("it", "b8-b6\nTi va la patta?", ["b8-b6"], ["PATTA"]),
    ],
)
def test_to_give_up_or_offer_a_draw_with_a_reason_is_asked_about(
    language: str, said: str, done: list[str], asked: list[str]
) -> None:
    board = Board.of("loa", language)
    found = understand(
        said.split("\n"), subject=None, language=language, is_move=board.is_move, match=OWN, legal=board.legal
    )
    assert [command.line for command in found.commands] == done
    assert [command.line for command in found.asks] == asked


@pytest.mark.parametrize(
    ("own", "said", "done"),
    [
        (OWN, "mi fai vedere le ultime mosse?", ["STORIA"]),
        (None, "Posso rivedere le ultime mosse della partita 1?", ["MOSTRA 1"]),
        (OWN, "how many moves have we made, can I see them?", ["HISTORY"]),
        (None, "Can I see the last moves of match 1?", ["HISTORY 1"]),
        (OWN, "mi spieghi le regole?", ["AIUTO REGOLE"]),
        (OWN, "please stop these emails", ["STOP"]),
        (OWN, "unsubscribe me", ["STOP"]),
        (OWN, "Enough emails!", ["STOP"]),
        (OWN, "basta email", ["BASTA"]),
        (OWN, "basta con queste mail", ["BASTA"]),
        (None, "basta email", ["BASTA"]),
        (OWN, "how do I capture?", ["HELP RULES"]),
        (OWN, "come si mangia?", ["AIUTO REGOLE"]),
        (OWN, "what size is the board?", ["HELP RULES"]),
        (OWN, "quanto è grande la scacchiera?", ["AIUTO REGOLE"]),
        (OWN, "per favore non scrivetemi più", ["BASTA"]),
        (OWN, "whose turn is it?", ["STATUS"]),
        (OWN, "a chi tocca muovere?", ["STATO"]),
        (OWN, "quanto tempo ho?", ["OROLOGIO"]),
        (OWN, "how much time do I have?", ["CLOCK"]),
        (OWN, "show me the board please", ["show me the board please"]),
        (None, "who else plays?", ["PLAYERS"]),
        (None, "RATING\nwhat is my rating?", ["RATING"]),
        (None, "could I see the clock?", ["CLOCK"]),
        (None, "can you tell me how much time I have?", ["CLOCK"]),
        (None, "hello, I could use some help with the commands", ["HELP"]),
        (None, "mi servirebbe un aiuto con i comandi", ["AIUTO"]),
        (None, "aiuto per favore, cosa posso scrivere?", ["AIUTO"]),
    ],
)
def test_what_only_reads_is_answered_or_asked_about(own: int | None, said: str, done: list[str]) -> None:
    board = Board.of("loa", "en")
    legal = board.legal if own else None
    lines = said.split("\n")
    found = understand(lines, subject=None, language="en", is_move=board.is_move, match=own, legal=legal)
    assert [command.line for command in (*found.commands, *found.asks)] == done


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("sono via la prossima settimana", "ASSENTE la prossima settimana"),
        ("I'm away next week", "AWAY next week"),
        ("I am on holiday until Friday", "AWAY until Friday"),
        ("away from the 5th to the 12th of December", "AWAY from the 5th to the 12th of December"),
    ],
)
def test_an_absence_in_answer_to_a_match_is_asked_about(said: str, asked: str) -> None:
    board = Board.of("loa", "en")
    found = understand(
        [said], subject=None, language="en", is_move=board.is_move, match=OWN, legal=board.legal
    )
    assert (found.commands, [command.line for command in found.asks]) == ((), [asked])


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("dark colours? and my city is London", ["SET THEME dark", "SET ZONE London"]),
        ("Dark colours please. My city is London.", ["SET THEME dark", "SET ZONE London"]),
        ("colori scuri? e la mia città è Torino", ["IMPOSTA TEMA scuro", "IMPOSTA FUSO Torino"]),
        ("dark colours? and my cat is asleep", ["SET THEME dark"]),
    ],
)
def test_two_settings_in_one_line_are_both_asked_about(said: str, asked: list[str]) -> None:
    board = Board.of("loa", "en")
    found = understand([said], subject=None, language="en", is_move=board.is_move)
    assert [command.line for command in found.asks] == asked


@pytest.mark.parametrize("own", [OWN, None])
@pytest.mark.parametrize(
    ("language", "subject", "said", "read"),
    [
        ("it", "Una domanda", "come faccio a cambiare la mia mossa?", "AIUTO ANNULLA"),
        ("en", "A question", "how do I change my move?", "HELP UNDO"),
    ],
)
def test_how_a_move_is_changed_is_about_undo(
    own: int | None, language: str, subject: str, said: str, read: str
) -> None:
    board = Board.of("loa", language)
    heading = None if own else subject
    found = understand([said], subject=heading, language=language, is_move=board.is_move, match=own)
    assert [command.line for command in found.commands or found.asks] == [read]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("could we take a break for a week, exams", ["PAUSE 7 DAYS"]),
        ("ci fermiamo due settimane? ho gli esami", ["PAUSA 14 GIORNI"]),
        ("give my opponent two more days, she is ill", ["GIVE 2 DAYS"]),
        ("Sorry, my finger slipped. May I have my last move back?", ["UNDO"]),
        ("That's me done, I concede.", ["RESIGN"]),
        ("I quit my gym", []),
        ("Give or take 3 days", []),
    ],
)
def test_a_request_may_have_its_reason_beside_it(said: str, asked: list[str]) -> None:
    board = Board.of("loa", "en")
    found = understand(
        [said], subject=None, language="en", is_move=board.is_move, match=OWN, legal=board.legal
    )
    assert (found.commands, [command.line for command in found.asks]) == ((), asked)


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("Could you explain how capturing works, love?", ["HELP RULES"]),
        ("Mi spieghi come si cattura, caro?", ["AIUTO REGOLE"]),
        ("who's the best at zertz?", ["RATINGS zertz"]),
        ("I go to bed now, good night", []),
    ],
)
def test_what_somebody_is_called_and_a_short_is_change_nothing(said: str, done: list[str]) -> None:
    board = Board.of("loa", "en")
    found = understand([said], subject=None, language="en", is_move=board.is_move)
    assert [command.line for command in found.commands or found.asks] == done


@pytest.mark.parametrize("said", ["Go on", "I would", "if you insist", "carry on"])
def test_what_only_sounds_like_a_yes_is_none(said: str) -> None:
    board = Board.of("loa", "en")
    found = understand(
        [said], subject=None, language="en", is_move=board.is_move, match=OWN, answers=lambda: "draw"
    )
    assert not any(isinstance(each, Accept) for each in found.commands)


@pytest.mark.parametrize("said", ["perhaps", "Maybe.", "forse", "magari"])
def test_maybe_is_neither_a_yes_nor_a_no(said: str) -> None:
    board = Board.of("loa", "en")
    read = understand(
        [said], subject=None, language="en", is_move=board.is_move, match=OWN, answers=lambda: "draw"
    )
    assert read.commands == ()
