"""MY DATA: all that is kept of a player, for that player and nobody else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.apps import apps

from pbem.inbox.data_export import ROWS as QUESTIONS
from pbem.inbox.models import InboundMail
from pbem.matches.models import ConditionalLine, Match, Seat
from pbem.outbox.data_export import OWN_SIDE, ROWS
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.sections import people
from pbem.players.models import Player
from pbem.refusals import Code
from pbem.site.browsers import ROWS as BROWSERS
from tests.mail_fixtures import Correspondent, Post

Begin = Callable[..., Match]


def test_all_that_is_kept_comes_by_mail_once_a_day(
    alice: Correspondent, bruno: Correspondent, loa: Match
) -> None:
    assert bruno.writes("I MIEI DATI").verdict == "ok"
    [letter] = bruno.reads()[-1:]
    folder = ZipFile(BytesIO(letter.files["bruno.zip"]))
    assert json.loads(folder.read("player.json"))["player"]["name"] == "Bruno"
    assert f"matches/{loa.pk}.json" in folder.namelist()
    assert any(name.startswith("letters/in/") for name in folder.namelist())
    assert "alice@example.org" not in folder.read("player.json").decode()
    assert "Non tutto sta" not in " ".join(letter.text.split())
    assert bruno.writes("i miei dati").verdict == Code.TOO_MANY_EXPORTS
    assert alice.writes("My data").verdict == "ok"
    assert alice.letter.to == "alice@example.org"


@pytest.mark.parametrize("dmarc", ["none", "fail"])
def test_nobody_vouches_and_we_ask(alice: Correspondent, loa: Match, dmarc: str) -> None:
    """Not even an answer to a letter of ours is enough, unless its writer's provider stands by it."""
    for sent in (
        alice.writes("MY DATA", dmarc=dmarc),
        alice.answers(alice.letters[0], "MY DATA", dmarc=dmarc),
    ):
        assert sent.verdict in (Code.CONFIRM_NEEDED, Code.DMARC_FAIL)
        assert not any(letter.files for letter in alice.letters)
    assert alice.answers(alice.letter, "YES").verdict == "ok"
    assert "alice.zip" in alice.letter.files


# Where else the archive has what leads to the player.
ELSEWHERE = {
    "matches.Match.proposer": "matches/",
    "matches.Turn.match": "matches/",
    "inbox.InboundMail.player": "letters/in/",
    "outbox.OutboundMail.player": "letters/out/",
}
# What leads to a player, or to a match, a seat or an email of theirs, and is nothing of theirs.
NOT_THEIRS = {
    "players.PlayerBlock.refused": "whom somebody refuses is theirs to say: the refused never learns it",
    "matches.Pair": "numbers of two matches that are in matches/",
    "matches.Taken": "that a match which is in matches/ came of an offer",
    "matches.Outage": "a view of the times when the clocks of everybody stood still",
    "bulletin.Commentary": "what the organiser has written about a match, for print",
    "analysis.AnalysisJob": "what a program thinks of positions",
    "analysis.Puzzle": "a position, and what a program thinks of it",
    "robots.EngineJob": "what a program thinks of positions",
}
TABLES = {file: named for rows in (ROWS, QUESTIONS, BROWSERS) for file, named in rows.items()}


def relations() -> Iterator[tuple[str, str, bool]]:
    """Every table and column of it that leads to a player, or to what is a player's; whether to a player."""
    for kind in apps.get_models(include_auto_created=True):
        for field in kind._meta.get_fields():
            if field.concrete and field.related_model in (Player, Match, Seat, OutboundMail, InboundMail):
                yield kind._meta.label, f"{kind._meta.label}.{field.name}", field.related_model is Player


def test_each_table_that_leads_to_a_player_is_in_the_archive_or_known_not_to_be_theirs() -> None:
    """Anyone who adds one decides which."""
    held = [(kind._meta.label, path) for named in TABLES.values() for kind, path in named.values()]
    columns = {f"{table}.{path}" for table, path in held} | ELSEWHERE.keys()
    tables = {table for table, _ in held} | {column.rpartition(".")[0] for column in ELSEWHERE}
    tables |= {kind._meta.label for kind in OWN_SIDE.values()}
    missing = [
        (table, column)
        for table, column, of_player in relations()
        if not (column in columns if of_player else table in tables)
    ]
    assert {table if table in NOT_THEIRS else column for table, column in missing} == NOT_THEIRS.keys()


@pytest.mark.prove
def test_whatever_a_player_has_done_is_in_it_and_nothing_that_is_anothers(
    post: Post, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, begin: Begin
) -> None:
    match = begin("loa 3d/move").pk
    alice.answers(alice.letter, "b1-b3\nIF a4-c4 THEN b3-b1\n\nCiao Bruno!")
    bruno.answers(bruno.letter, "a2-c2")
    bruno.answers(bruno.letter, "SE b3-b1 ALLORA c2-a2")
    assert ConditionalLine.objects.count() == 2
    alice.writes(f"NOTE {match}: mine alone\nPAUSE {match} 2 DAYS")
    alice.writes(f"SAY {match} spoken aside")
    bruno.writes(f"NOTA {match}: solo mio")
    bruno.writes("MESSAGGIO Alice: un saluto")
    charlie.writes("BLOCK Alice")
    for line in (
        "AWAY 2026-06-01 2026-06-04 at sea",
        "OFFER emergo",
        "BLOCK Charlie",
        "LIMIT 5",
        "CHALLENGE gino@example.net zertz",
        "MESSAGE Bruno: beside the match",
        "PRINT NAME Alice Byron",
    ):
        alice.writes(line)
    alice.writes("Dear organiser, who of them is the strongest player?")
    alice.writes(f"RESIGN {match}", dmarc="none")
    alice.writes("MY DATA")
    folder = ZipFile(BytesIO(next(letter.files["alice.zip"] for letter in alice.letters if letter.files)))
    files = {name: folder.read(name).decode() for name in folder.namelist()}
    assert all(any(name.startswith(place) for name in files) for place in ELSEWHERE.values())
    held = {file: json.loads(files[file]) for file in (*TABLES, "deeds.json")}
    for file, named in TABLES.items():
        for name, (kind, path) in named.items():
            assert len(held[file][name]) == kind._default_manager.filter(**{path: alice.player}).count()
    filled = {name for tables in held.values() for name, rows in tables.items() if rows}
    assert filled >= {
        *("addresses", "name_in_print", "absences", "refuses", "limits", "messages", "messages_received"),
        *("open_offers", "invitations", "notes", "conditional_lines", "said_with_moves"),
        *("seats", "turns", "events", "asked", "to_organiser", "questions"),
    }
    told = json.dumps(held, ensure_ascii=False)
    for words in (
        *("mine alone", "spoken aside", "at sea", "Alice Byron", "gino@example.net", "beside the match"),
        *("un saluto", "the strongest player", "Ciao Bruno!", f'"refused_id": {charlie.player.pk}'),
    ):
        assert words in told, words
    for words in ("solo mio", "c2-a2", "revoked_salts", bruno.email, f'"refused_id": {alice.player.pk}'):
        assert words not in told, words


def test_what_does_not_fit_is_left_out_and_said(
    monkeypatch: pytest.MonkeyPatch, alice: Correspondent, loa: Match
) -> None:
    monkeypatch.setattr(people, "MOST", 900)
    alice.writes("MY DATA")
    assert "Not all of it fits into an email." in " ".join(alice.letter.text.split())
    assert len(alice.letter.files["alice.zip"]) < 2000
