"""The verbs of looking, noting, watching and writing, and how older servers wrote them."""

import pytest

from games.move_numbers import MoveNumber
from games.protocol import LANGUAGES, AmbiguousMove, IllegalMove, Notation, Side, UnreadableMove
from games.registry import games
from pbem.inbox.commands.command import Command, Games, Help, Message, Rating, Ratings, Say
from pbem.inbox.commands.match_commands import (
    Accept,
    Challenge,
    Decline,
    Describe,
    Draw,
    History,
    Move,
    Next,
    Note,
    Notes,
    RecordOf,
    Resign,
    Show,
    Status,
    Swap,
    Try,
    Undo,
    Unwatch,
    Watch,
)
from pbem.inbox.commands.parser import understand


def is_move(text: str, match: int | None) -> bool:
    """The shape of a move of Zèrtz or Lines of Action, in either language."""
    return any(_reads(key, text, language) for key in ("zertz", "loa") for language in LANGUAGES)


def _reads(key: str, text: str, language: str) -> bool:
    game = games()[key]
    position = game.start(next(iter(game.presets.values())), "")
    try:
        game.read(position, text, Notation(language))
    except UnreadableMove:
        return False
    except (IllegalMove, AmbiguousMove):
        return True
    return True


def one(line: str, match: int | None = 105) -> Command | None:
    """What a line says in a reply to a turn letter of match 105, or in a new letter."""
    commands = understand([line], subject=None, language="en", is_move=is_move, match=match).commands
    assert len(commands) < 2
    return commands[0] if commands else None


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("TRY b1-b3; a2-c2", Try(("b1-b3", "a2-c2"))),
        ("TRY 105 1. b1-b3; 1... a2-c2", Try(("b1-b3", "a2-c2"), 105)),
        ("try b1-b3;a2-c2.", Try(("b1-b3", "a2-c2"))),
        ("Try 105 Bd4, a1; Nd2,a3;", Try(("Bd4, a1", "Nd2,a3"), 105)),
        ("105 try b1-b3", Try(("b1-b3",), 105)),
        ("preview 105 b1-b3", Try(("b1-b3",), 105)),
        ("PROVO b1-b3 poi a2-c2", Try(("b1-b3", "a2-c2"))),
        ("TRY b1-b3; what then", Try(("b1-b3", "what then"))),
        ("SHOW LAST 6", Show(last=6)),
        ("show 105 last 6", Show(105, last=6)),
        ("MOSTRA 105 ULTIME 6", Show(105, last=6)),
        ("mostra le ultime 6", Show(last=6)),
        ("SHOW AT 12. LAST 3.", Show(None, MoveNumber(12, Side.FIRST), 3)),
        ("SHOW 105 AT 12 LAST 3", Show(105, MoveNumber(12), 3)),
        ("DESCRIBE", Describe()),
        ("descrivi 105.", Describe(105)),
        ("History", History()),
        ("105 STORIA", History(105)),
        ("RECORD 105", RecordOf(105)),
        ("formulario", RecordOf()),
        ("registro 105", RecordOf(105)),
        ("STATUS", Status()),
        ("Stato 105", Status(105)),
        ("standings", Ratings()),
        ("rating", Rating()),
        ("RATING Bruno", Rating("Bruno")),
        ("RATING Carla Rossi", Rating("Carla Rossi")),
        ("ratings zertz+11", Ratings("zertz+11")),
        ("RATINGS Lines of Action", Ratings("loa")),
        ("RATING zertz", Ratings("zertz")),
        ("RATINGS Bruno", Rating("Bruno")),
        ("CLASSIFICA", Ratings()),
        ("Classifica Zèrtz", Ratings("zertz")),
        ("PUNTEGGIO Bruno", Rating("Bruno")),
        ("rating please", Rating()),
        ("rating bruno", None),
        ("Ratings are not everything", None),
        ("NOTE keep the centre", Note("keep the centre")),
        ("NOTE: keep the centre", Note("keep the centre")),
        ("Note #7: keep the centre", Note("keep the centre", 7)),
        ("Note: keep the centre", None),
        ("note: keep the centre", None),
        ("Nota: domani non ci sono", None),
        ("note 107: keep it", Note("keep it", 107)),
        ("NOTA 2 mosse e vinco", Note("2 mosse e vinco")),
        ("NOTE CLEAR", Note("", clear=True)),
        ("nota 105: cancella", Note("", 105, clear=True)),
        ("NOTES", Notes()),
        ("Appunti 105", Notes(105)),
        ("note 105", Notes(105)),
        ("WATCH 107", Watch(107)),
        ("watch #107 delay 3", Watch(107, 3)),
        ("WATCH 107 delay 2", Watch(107, 2)),
        ("OSSERVO 107 RITARDO 4", Watch(107, 4)),
        ("unwatch 107", Unwatch(107)),
        ("Non osservo 107", Unwatch(107)),
        ("NON OSSERVO PIÙ #107.", Unwatch(107)),
        ("MESSAGE Bruno: hello", Message("Bruno", "hello")),
        ("MESSAGE Bruno:", Message("Bruno")),
        ("SCRIVO A Bruno: ciao", Message("Bruno", "ciao")),
        ("SCRIVO ad Anna: ciao: come va?", Message("Anna", "ciao: come va?")),
    ],
)
def test_what_can_be_written(line: str, command: Command) -> None:
    assert one(line) == command


def test_in_a_new_letter_a_message_needs_no_capitals() -> None:
    assert one("Message Bruno: hello", match=None) == Message("Bruno", "hello")
    assert one("Message Bruno: hello") is None


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("zertz challenge alice", Challenge("alice", "zertz")),
        ("zertz sfida alice -blitz", Challenge("alice", "zertz", ("blitz",))),
        ("zertz move 105 Nd2,a3", Move("Nd2,a3", 105)),
        ("zertz move 105 alice secret1 Nd2,a3", Move("Nd2,a3", 105)),
        ("zertz move 105 alice secret1 Nd2,a3#7", Move("Nd2,a3", 105, MoveNumber(7))),
        ("zertz+11 move 105 alice secret1 Nd2, a3", Move("Nd2, a3", 105)),
        ("move 105 Nd2,a3", Move("Nd2,a3", 105)),
        ("loa show 105", Show(105)),
        ("loa show 105#12", Show(105, MoveNumber(12))),
        ("zertz show 105#12", Show(105, MoveNumber(12))),
        ("zertz preview 105 Nd2,a3 Bd4,a1", Try(("Nd2,a3", "Bd4,a1"), 105)),
        ("loa preview 105 b1-b3; a2-c2", Try(("b1-b3", "a2-c2"), 105)),
        ("loa move 105 alice secret1 propose", Draw(105)),
        ("loa move 105 propose", Draw(105)),
        ("loa move 105 alice secret1 accept", Accept(105)),
        ("loa move 105 alice secret1 reject", Decline(105)),
        ("loa move 105 alice secret1 resign", Resign(105)),
        ("loa resign 105 alice secret1", Resign(105)),
        ("loa resign 105", Resign(105)),
        ("loa accept 105 alice secret1", Accept(105)),
        ("loa reject 105", Decline(105)),
        ("loa propose 105", Draw(105)),
        ("propose 105", Draw(105)),
        ("loa undo 105 alice secret1", Undo(match=105)),
        ("loa swap 105", Swap(105)),
        ("loa move 105 alice secret1 swap", Swap(105)),
        ("loa queue 105 alice secret1 b1-b3", Next("b1-b3", 105)),
        ("loa chat 105 alice secret1", Say("", 105)),
        ("loa games", Games()),
        ("zertz games alice active", Games()),
        ("games", Games()),
        ("loa standings", Ratings("loa")),
        ("loa ratings", Ratings("loa")),
        ("loa help", Help("loa")),
    ],
)
def test_older_servers_are_understood_and_their_passwords_forgotten(line: str, command: Command) -> None:
    said = one(line, match=None)
    assert said == command
    assert said
    assert "secret" not in said.line
    assert one(said.line, match=None) == command
