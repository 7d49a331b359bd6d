"""Every command there is, from somebody who is not quite believed: it changes nothing, whatever it asks for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.apps import apps

from pbem.inbox.commands import Command
from pbem.inbox.commands.families import (
    VERBS,
    absence,
    account,
    clocks,
    conditional,
    general,
    letters,
    matchmaking,
    notes,
    offers,
    playing,
    preferences,
    refusing,
    takeback,
    talking,
    testing,
    trying,
    views,
    watching,
)
from pbem.inbox.commands.grammar import read_line
from pbem.matches.models import Match, Seat
from pbem.matches.services import revoke_tokens
from pbem.players.models import Address, Player
from pbem.refusals import Code
from tests.post import Correspondent, Delivery, play_address

# What a letter of Alice may say in her match 1 with Bruno.
READING: dict[type[Command], str] = {
    absence.Absences: "ABSENCES",
    account.Addresses: "ADDRESSES",
    clocks.Clock: "CLOCK 1",
    conditional.Ifs: "IFS 1",
    general.Games: "GAMES",
    general.Help: "HELP loa",
    general.Standings: "STANDINGS",
    letters.Letters: "LETTERS",
    notes.Notes: "NOTES 1",
    offers.Open: "OPEN loa",
    preferences.Preferences: "SET",
    refusing.Limits: "LIMITS",
    testing.Check: "TEST",
    trying.Try: "TRY 1 b1-b3",
    views.Describe: "DESCRIBE 1",
    views.History: "HISTORY 1",
    views.RecordOf: "RECORD 1",
    views.Show: "SHOW 1",
    views.Status: "STATUS 1",
}
CHANGING: dict[type[Command], str] = {
    absence.Away: "AWAY TO 20 May 2026",
    absence.Back: "BACK",
    absence.Give: "GIVE 1 3 DAYS",
    absence.Pause: "PAUSE 1 3 DAYS",
    account.AddAddress: "ADD ADDRESS mallory@example.org",
    account.RemoveAddress: "REMOVE ADDRESS alice@example.org",
    account.SetAddress: "SET ADDRESS mallory@example.org",
    clocks.Claim: "CLAIM 1",
    conditional.ClearIfs: "IFS 1 CLEAR",
    conditional.If: "IF 1 b8-b6 THEN a2-c2",
    conditional.Next: "NEXT a2-c2",
    letters.Start: "START CHALLENGES",
    letters.Stop: "STOP NEWS",
    matchmaking.Accept: "YES 1",
    matchmaking.Challenge: "CHALLENGE Charlie loa",
    matchmaking.Decline: "NO 1",
    matchmaking.Rematch: "REMATCH 1",
    matchmaking.Swap: "SWAP 1",
    notes.Note: "NOTE 1: beware of b3",
    offers.Close: "CLOSE 1",
    offers.Join: "JOIN 1",
    offers.Offer: "OFFER loa",
    playing.Draw: "DRAW 1",
    playing.Move: "MOVE 1 b1-b3",
    playing.Resign: "RESIGN 1",
    preferences.Set: "SET LANGUAGE ITALIAN",
    refusing.Allow: "ALLOW Bruno",
    refusing.Block: "BLOCK Bruno",
    refusing.Limit: "LIMIT loa 3",
    refusing.Refuse: "REFUSE Bruno",
    takeback.Undo: "UNDO 1",
    talking.Message: "MESSAGE Charlie: you fool",
    talking.Say: "SAY 1: you fool",
    watching.Unwatch: "UNWATCH 2",
    watching.Watch: "WATCH 2",
}
# Changes nothing for somebody who is registered.
NEITHER: dict[type[Command], str] = {account.Register: "REGISTER Alice"}


def test_no_command_is_forgotten_and_each_is_what_it_says() -> None:
    for lines, reads in ((READING, True), (CHANGING, False), (NEITHER, False)):
        for command, line in lines.items():
            assert type(read_line(line, lambda text, match: "-" in text, None)) is command, line
            assert command.reading is reads, line
    assert {*READING, *CHANGING, *NEITHER} == {verb.command for verb in VERBS}


def everything() -> dict[str, list[object]]:
    """All rows but those of the letters themselves."""
    models = [model for app in ("players", "matches") for model in apps.get_app_config(app).get_models()]
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


# How she writes; the verdict on what changes anything, and on what only reads (STANDINGS there are none).
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
    for lines, verdict in ((CHANGING, changing), (READING, reading)):
        row = alice.writes("\n".join(lines.values()), **written)
        assert (row.verdict, row.reading["commands"]) == (verdict, list(lines.values()))
    assert everything() == before
    assert {letter.kind for letter in bruno.reads()} <= {"refused"}  # which of the two who share it wrote?
    assert charlie.letters == []


def test_what_only_reads_changes_nothing_though_it_is_believed(loa: Match, alice: Correspondent) -> None:
    before = everything()
    assert alice.answers(alice.letter, "\n".join(READING.values())).verdict == Code.NO_RATINGS
    assert everything() == before
    assert alice.kinds() == ["absences", "test"]  # the first section of what answers all the others
    assert alice.writes("NOTE 1: beware").verdict == "ok"
    assert everything() != before
