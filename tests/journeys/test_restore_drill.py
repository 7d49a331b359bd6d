"""The drill: play, back up, play on, lose it all, restore, and play on to the end. Nobody plays on another's board."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from pytest_django import DjangoDbBlocker, Settings

from pbem.inbox.models import InboundMail
from pbem.matches.models import Component, Event, Heartbeat, Match
from pbem.operator.backups import back_up, restore
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.refusals import Code
from tests.journeys.conftest import migrate, models_of
from tests.mail_fixtures import AUTHSERV_ID, Correspondent, Delivery, Post, registered
from tests.servers import postgres

pytestmark = pytest.mark.prove

HOUR = timedelta(hours=1)


@pytest.fixture(params=["sqlite", "postgresql"])
def service(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    django_db_blocker: DjangoDbBlocker,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Post]:
    """On a database of its own, which can be lost."""
    settings.VAR, settings.AUTHSERV_IDS = tmp_path, [AUTHSERV_ID]
    if request.param == "sqlite":
        url = request.getfixturevalue("database")
        with models_of(url, django_db_blocker):
            yield Post()
        return
    with postgres() as server:
        monkeypatch.setenv("PATH", f"{server.tools}{os.pathsep}{os.environ['PATH']}")
        migrate(url := server.database(), django_db_blocker)
        with models_of(url, django_db_blocker):
            yield Post()


def played(post: Post, pk: int, *players: Correspondent, rng: Random, turns: int = 500) -> Match:
    """The player who is to move answers their newest letter with a move."""
    for _ in range(turns):
        match = Match.objects.get(pk=pk)
        if match.moving is None:
            break
        mover = next(each for each in players if each.name == match.moving.player.name)
        position = match.current()
        move = rng.choice(sorted(position.moves(), key=str))
        text = match.game.write(position, move, match.moving.player.notation)
        board = next(each for each in reversed(mover.letters) if is_about(each, pk) and "m+" in each.reply_to)
        assert mover.answers(board, text).verdict == "ok"
        post.wait(minutes=20)
    return Match.objects.get(pk=pk)


def is_about(letter: Delivery, pk: int) -> bool:
    return f"[{pk}]" in letter.subject


def challenge(one: Correspondent, other: Correspondent, yes: str) -> Match:
    one.writes(f"CHALLENGE {other.name} loa:6x6 first 3d/move")
    other.answers(other.letter, yes)
    return Match.objects.latest("pk")


def test_the_drill(service: Post, tmp_path: Path) -> None:
    post, rng = service, Random(7)
    alice, bruno = registered(post, "Alice", "en"), registered(post, "Bruno", "it")
    charlie = registered(post, "Charlie", "en")
    Player.objects.update(text_only=True)  # pictures take time
    match = challenge(alice, bruno, "SÌ")
    proposed = alice.writes("CHALLENGE Charlie loa:6x6").match
    assert proposed is None
    open_challenge = Match.objects.latest("pk")
    match = played(post, match.pk, alice, bruno, rng=rng, turns=4)
    kept = back_up(tmp_path, post.now)
    at_backup, before = post.now, {str(match.pk): (match.ply, match.position, match.deadline)}
    shown = len(alice.letters), len(bruno.letters), len(charlie.letters)

    # what will be lost: turns, words, an answered challenge, a new match, a new player
    played(post, match.pk, alice, bruno, rng=rng, turns=3)
    bruno.writes(f"SAY {match.pk}: Che partita!")
    charlie.answers(next(each for each in charlie.letters if each.kind == "challenge"), "YES")
    lost = challenge(charlie, bruno, "SÌ")
    played(post, lost.pk, charlie, bruno, rng=rng, turns=2)
    dora = registered(post, "Dora", "en")
    new = challenge(dora, bruno, "SÌ")
    played(post, new.pk, dora, bruno, rng=rng, turns=2)
    history = {who.name: list(who.letters) for who in (alice, bruno, charlie, dora)}

    post.wait(hours=20)
    manifest, epoch = restore(kept, now=post.now, force=True)
    assert manifest.made_at == at_backup.isoformat()
    assert epoch.since is not None
    assert at_backup - HOUR <= epoch.since <= at_backup
    post.send()

    # the board as it is, for both; time for the clocks; nothing of the lost history
    match = Match.objects.get(pk=match.pk)
    ply, position, deadline = before[str(match.pk)]
    assert (match.ply, match.position) == (ply, position)
    assert match.deadline
    assert deadline
    assert match.deadline >= deadline + (post.now - at_backup)
    assert not Match.objects.filter(pk__in=(lost.pk, new.pk)).exists()
    assert not Player.objects.filter(name="Dora").exists()
    for who in (alice, bruno):
        [board] = [each for each in who.letters[len(history[who.name]) :] if each.kind == "restored"]
        assert is_about(board, match.pk)
    assert charlie.letter.kind == "restored"
    assert is_about(charlie.letter, open_challenge.pk)

    # every letter of the lost history is answered once more: nothing is played, each answer is true
    told = Counter[str]()
    for who in (alice, bruno, charlie, dora):
        for letter in history[who.name]:
            if "+" not in letter.reply_to or letter.reply_to.startswith("c+"):
                continue
            row = who.answers(letter, "b1-b3")
            told[row.verdict] += 1
    assert Match.objects.get(pk=match.pk).ply == ply
    assert Match.objects.get(pk=open_challenge.pk).status == Match.Status.PROPOSED
    assert not Event.objects.filter(kind=Event.Kind.MOVED, happened_at__gt=at_backup).exists()
    assert set(told) == {Code.CONFIRM_NEEDED, Code.LOST, Code.LOST_SIGN_UP}, told
    assert min(told.values()) > 1

    # a new match gets a number that no lost one had, and the old one is played to the end
    post.wait(hours=49)
    fresh = challenge(charlie, bruno, "SÌ")
    assert fresh.pk > new.pk
    assert played(post, fresh.pk, charlie, bruno, rng=rng, turns=4).ply == 4
    over = played(post, match.pk, alice, bruno, rng=rng)
    assert over.status == Match.Status.OVER
    assert over.reason not in ("time", "resigned")
    assert shown < (len(alice.letters), len(bruno.letters), len(charlie.letters))

    # over both histories no Message-ID stands for two letters, and nothing is left behind
    ids: dict[str, bytes] = {}
    for box in post.mailboxes.boxes.values():
        for letter in box:
            name = str(letter.message["Message-ID"])
            assert ids.setdefault(name, letter.raw) == letter.raw, letter
    assert not InboundMail.objects.unopened().exists()
    assert not OutboundMail.objects.filter(status=OutboundMail.Status.WAITING).exists()
    assert Heartbeat.objects.filter(component=Component.WORKER).exists()
