"""Every command there is, from somebody who is not quite believed: it changes nothing, whatever it asks for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.apps import apps

from pbem.inbox.commands.command import (
    AddAddress,
    Addresses,
    Allow,
    Block,
    Command,
    Games,
    Help,
    Letters,
    Limit,
    Limits,
    MakeToken,
    Message,
    MyData,
    Players,
    Preferences,
    Print,
    Rating,
    Ratings,
    Refuse,
    Register,
    RemoveAddress,
    Report,
    Say,
    Set,
    SetAddress,
    SetName,
    Start,
    Stop,
    StopToken,
    Tokens,
)
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.match_commands import (
    Absences,
    Accept,
    Analyse,
    Away,
    Back,
    Challenge,
    Claim,
    ClearIfs,
    Climb,
    Clock,
    Close,
    Contests,
    Decline,
    Describe,
    Draw,
    Enter,
    GetPuzzle,
    Give,
    Hint,
    History,
    If,
    Ifs,
    Join,
    Ladder,
    Leave,
    Move,
    Next,
    Note,
    Notes,
    Offer,
    Open,
    Pause,
    Puzzles,
    RecordOf,
    Rematch,
    Resign,
    Show,
    Solve,
    Status,
    Swap,
    Table,
    Try,
    Undo,
    Unwatch,
    Watch,
)
from pbem.inbox.commands.verbs import VERBS
from pbem.matches.models import Match, Seat
from pbem.matches.services import revoke_tokens
from pbem.players.models import Address, Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, play_address

# What a letter of Alice may say in her match 1 with Bruno.
READING: dict[type[Command], str] = {
    Absences: "ABSENCES",
    Addresses: "ADDRESSES",
    Clock: "CLOCK 1",
    Ifs: "IFS 1",
    Games: "GAMES",
    Help: "HELP loa",
    Rating: "RATING Bruno",
    Ratings: "RATINGS loa",
    Letters: "LETTERS",
    Notes: "NOTES 1",
    Open: "OPEN loa",
    Players: "PLAYERS loa",
    Preferences: "SET",
    Limits: "LIMITS",
    Tokens: "TOKEN",
    Try: "TRY 1 b1-b3",
    Describe: "DESCRIBE 1",
    History: "HISTORY 1",
    RecordOf: "RECORD 1",
    Show: "SHOW 1",
    Status: "STATUS 1",
    Contests: "COMPETITIONS",
    Table: "TABLE 1",
    Ladder: "LADDER 2",
}
CHANGING: dict[type[Command], str] = {
    Away: "AWAY TO 20 May 2026",
    Back: "BACK",
    Give: "GIVE 1 3 DAYS",
    Pause: "PAUSE 1 3 DAYS",
    AddAddress: "ADD ADDRESS mallory@example.org",
    RemoveAddress: "REMOVE ADDRESS alice@example.org",
    SetAddress: "SET ADDRESS mallory@example.org",
    SetName: "SET NAME Mallory",
    Claim: "CLAIM 1",
    Climb: "LADDER 2 Bruno",
    Enter: "ENTER 1",
    Leave: "LEAVE 1",
    ClearIfs: "IFS 1 CLEAR",
    If: "IF 1 b8-b6 THEN a2-c2",
    Next: "NEXT a2-c2",
    Start: "START CHALLENGES",
    Stop: "STOP NEWS",
    Accept: "YES 1",
    Challenge: "CHALLENGE Charlie loa",
    Decline: "NO 1",
    Rematch: "REMATCH 1",
    Swap: "SWAP 1",
    Note: "NOTE 1: beware of b3",
    Close: "CLOSE 1",
    Join: "JOIN 1",
    Offer: "OFFER loa",
    Draw: "DRAW 1",
    Move: "MOVE 1 b1-b3",
    Resign: "RESIGN 1",
    Set: "SET LANGUAGE ITALIAN",
    Allow: "ALLOW Bruno",
    Block: "BLOCK Bruno",
    Limit: "LIMIT loa 3",
    Refuse: "REFUSE Bruno",
    MyData: "MY DATA",
    MakeToken: "TOKEN play 365 days",
    StopToken: "TOKEN STOP",
    Print: "PRINT NAME Ada Byron",
    Report: "REPORT 1 he insults me",
    Analyse: "ANALYSE 1",
    Hint: "HINT 1",
    GetPuzzle: "PUZZLE loa",
    Solve: "SOLVE b1-b3",
    Puzzles: "PUZZLES NO",
    Undo: "UNDO 1",
    Message: "MESSAGE Charlie: you fool",
    Say: "SAY 1: you fool",
    Unwatch: "UNWATCH 2",
    Watch: "WATCH 2",
}
# Changes nothing for somebody who is registered.
NEITHER: dict[type[Command], str] = {Register: "REGISTER Alice"}


def test_no_command_is_forgotten_and_each_is_what_it_says() -> None:
    for lines, reads in ((READING, True), (CHANGING, False), (NEITHER, False)):
        for command, line in lines.items():
            assert type(read_line(line, lambda text, match: "-" in text, None)) is command, line
            assert command.reading is reads, line
    assert {*READING, *CHANGING, *NEITHER} == {verb.command for verb in VERBS}


def everything() -> dict[str, list[object]]:
    """All rows but those of the letters themselves."""
    models = [
        model
        for app in ("players", "matches", "ratings", "analysis")
        for model in apps.get_app_config(app).get_models()
    ]
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}


def _strict(alice: Correspondent, letter: Delivery) -> dict[str, str]:
    Player.objects.filter(name="Alice").update(strict=True)
    return {"to": letter.reply_to, "dmarc": "none"}


def _held(alice: Correspondent, letter: Delivery) -> dict[str, str]:
    alice.email = "mallory@example.org"
    return {"to": letter.reply_to}


def _revoked(alice: Correspondent, letter: Delivery) -> dict[str, str]:
    revoke_tokens(Seat.objects.get(player__name="Alice"))
    return {"to": letter.reply_to}


def _shared(alice: Correspondent, letter: Delivery) -> dict[str, str]:
    """Her opponent reads the same mailbox."""
    bruno = Player.objects.get(name="Bruno")
    Address.objects.create(player=bruno, email=alice.email, verified_at=bruno.created_at)
    return {"to": play_address()}


def _stranger(alice: Correspondent, letter: Delivery) -> dict[str, str]:
    alice.email = "mallory@example.org"
    return {"to": play_address(), "dmarc": "none"}


# How she writes; the verdict on what changes anything, and on what only reads (of RATINGS there are none).
WAYS: dict[str, tuple[Callable[[Correspondent, Delivery], dict[str, str]], str, str]] = {
    "she is strict": (_strict, Code.CONFIRM_NEEDED, Code.NO_RATINGS),
    "without a token": (
        lambda alice, letter: {"to": play_address(), "dmarc": "none"},
        Code.CONFIRM_NEEDED,
        Code.NO_RATINGS,
    ),
    "a forged From": (
        lambda alice, letter: {"to": play_address(), "dmarc": "fail"},
        Code.CONFIRM_NEEDED,
        Code.NO_RATINGS,
    ),
    "a forged From and her token": (
        lambda alice, letter: {"to": letter.reply_to, "dmarc": "fail"},
        Code.DMARC_FAIL,
        Code.DMARC_FAIL,
    ),
    "from another address": (_held, Code.FROM_MISMATCH, Code.FROM_MISMATCH),
    "a token that was revoked": (_revoked, Code.REVOKED, Code.REVOKED),
    "a mailbox that both share": (_shared, Code.SHARED_MAILBOX, Code.SHARED_MAILBOX),
    "a stranger": (_stranger, Code.UNVERIFIED, Code.UNVERIFIED),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_changed_before_a_yes(
    loa: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, way: str
) -> None:
    assert loa.pk == 1
    writes, changing, reading = WAYS[way]
    written = writes(alice, alice.letter)
    before = everything()
    begins = ("CHALLENGE", "JOIN", "OFFER loa")  # of a stranger, in the first lines, these ask to sign up
    lines = sorted(CHANGING.values(), key=lambda line: line.startswith(begins))
    half = len(lines) // 2  # a letter has forty at most
    for commands, verdict in (
        (lines[:half], changing),
        (lines[half:], changing),
        ([*READING.values()], reading),
    ):
        row = alice.writes("\n".join(commands), **written)
        assert (row.verdict, row.reading["commands"]) == (verdict, commands)
    assert everything() == before
    assert {letter.kind for letter in bruno.reads()} <= {"refused"}  # which of the two who share it wrote?
    assert charlie.letters == []


def test_what_only_reads_changes_nothing_though_it_is_believed(loa: Match, alice: Correspondent) -> None:
    before = everything()
    assert alice.answers(alice.letter, "\n".join(READING.values())).verdict == Code.NO_RATINGS
    assert everything() == before
    assert alice.kinds() == ["absences"]  # the first section of what answers all the others
    assert alice.writes("NOTE 1: beware").verdict == "ok"
    assert everything() != before
