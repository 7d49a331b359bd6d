"""MY DATA: all that is kept of a player, for that player and nobody else."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZipFile

import pytest

from pbem.matches.models import Match
from pbem.outbox.rendering.sections import own_data
from pbem.refusals import Code
from tests.post import Correspondent


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
    assert "Non tutto" not in letter.text
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


def test_what_does_not_fit_is_left_out_and_said(
    monkeypatch: pytest.MonkeyPatch, alice: Correspondent, loa: Match
) -> None:
    monkeypatch.setattr(own_data, "MOST", 900)
    alice.writes("MY DATA")
    assert "Not all of it fits into an email." in alice.letter.text
    assert len(alice.letter.files["alice.zip"]) < 2000
