"""From a row to a letter that can leave, whatever the row tells."""

import os
import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from pbem.matches.models import Match
from pbem.matches.services import play, start
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import write_to_player
from pbem.outbox.rendering.compose import compose
from pbem.players.services import register
from pbem.refusals import Code
from tests.journeys.conftest import models_of
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    return start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))


def test_the_same_row_gives_the_same_bytes(match: Match) -> None:
    for row in OutboundMail.objects.all():
        assert compose(row).raw == compose(row).raw


def test_a_letter_that_leaves_late_still_tells_of_its_own_turn(match: Match) -> None:
    """Alice's receipt is written while the relay is away, and sent when Bruno has moved."""
    play(match.seated[0], "b1-b3", now=MORNING)
    receipt = OutboundMail.objects.get(kind="played", address="alice@example.org")
    before = compose(receipt)
    play(Match.objects.get().seated[1], "a2-c2", now=MORNING)
    after = compose(OutboundMail.objects.get(pk=receipt.pk))
    assert "b1-b3" in after.text
    assert "a2-c2" not in after.text
    assert "passes" not in after.text
    assert len(after.pictures) == len(before.pictures) == 1


def test_a_board_is_shown_once_though_two_sections_are_about_it(match: Match, alice: Correspondent) -> None:
    for kind in ("board", "refused"):
        section = {"kind": kind, "match": match.pk, "ply": 0, "code": Code.ILLEGAL_MOVE}
        row = write_to_player(
            alice.player, cause="letter:1", section=section, match=match, ply=0, now=MORNING
        )
    assert row is not None
    letter = compose(OutboundMail.objects.get(pk=row.pk))
    assert len(letter.pictures) == 1
    assert letter.html.count("cid:") == 1


def test_a_letter_without_its_picture_shows_the_text_board(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = OutboundMail.objects.filter(kind="turn").first()
    assert row is not None
    whole = compose(row)
    monkeypatch.setattr("pbem.outbox.rendering.board.Board.picture", None)
    bare = compose(row)
    assert bare.pictures == ()
    assert bare.text == whole.text
    assert "<pre" in bare.html
    assert "cid:" not in bare.html


@pytest.mark.parametrize("kinds", [("board", "games"), ("games", "board"), ("games", "help")])
def test_any_order_of_answers_has_a_subject(
    match: Match, alice: Correspondent, kinds: tuple[str, str]
) -> None:
    for kind in kinds:
        section = {"kind": kind, "topic": "", "chapters": []} | (
            {"match": match.pk} if kind == "board" else {}
        )
        about = match if kind == "board" else None
        row = write_to_player(
            alice.player, cause="letter:1", section=section, match=about, ply=about and 0, now=MORNING
        )
    assert row is not None
    letter = compose(OutboundMail.objects.get(pk=row.pk))
    assert letter.subject == (str(match) if "board" in kinds else letter.subject)
    assert letter.subject
    assert play_address() in letter.text


def test_what_the_row_fixes_stays_whatever_the_reader_chooses_meanwhile(
    post: Post, match: Match, alice: Correspondent
) -> None:
    """A letter that may have arrived is sent again with the same Message-ID: mail programs show one of them."""
    row = OutboundMail.objects.get(address=alice.email)
    before = message_from_bytes(compose(row).raw)
    type(alice.player).objects.update(language="it", zone="Asia/Tokyo", coordinates="gipf")
    play(match.seated[0], "b1-b3", now=MORNING)
    post.wait(days=4)
    after = message_from_bytes(compose(OutboundMail.objects.get(pk=row.pk)).raw)
    for header in ("Message-ID", "Date", "Subject", "To", "Reply-To", "References", "List-Unsubscribe"):
        assert after[header] == before[header], header
    assert "In words:" in str(after.get_payload()[0]), "still English, as when it was written"


ANOTHER_PROCESS = """
import django; django.setup()
from hashlib import sha256
from pbem.outbox.rendering.compose import compose
from pbem.outbox.models import OutboundMail
print(*(sha256(compose(row).raw).hexdigest() for row in OutboundMail.objects.order_by("pk")))
"""


@pytest.mark.prove
def test_another_process_writes_the_same_bytes(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    """Each process hashes text in a way of its own, so that an order that is left to chance would show."""
    database = f"sqlite:///{tmp_path / 'pbem.sqlite3'}"
    with models_of(database, django_db_blocker):
        call_command("migrate", verbosity=0)
        alice, bruno = (
            register(name=name, email=f"{name.lower()}@example.org", language=language, now=MORNING)
            for name, language in (("Alice", "en"), ("Bruno", "it"))
        )
        for game in ("zertz", "loa"):
            start(first=alice, second=bruno, game=game, now=MORNING, rng=Random(1))
    said = {
        subprocess.run(
            [sys.executable, "-c", ANOTHER_PROCESS],
            check=True,
            capture_output=True,
            env={**os.environ, "DATABASE_URL": database, "DEVELOPMENT": "1", "PYTHONHASHSEED": seed}
            | {"DJANGO_SETTINGS_MODULE": "pbem.settings"},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert len(said.pop().split()) == 4
