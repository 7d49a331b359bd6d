"""The lines of older play-by-mail servers, in the Subject and with the passwords that those wanted."""

import pytest

from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent

SECRET = "hunter2x"


@pytest.mark.prove
def test_a_veteran_plays_as_he_always_did_and_his_password_goes_nowhere(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    def by(player: Correspondent, subject: str, body: str = "") -> str:
        return player.writes(body, subject=subject).verdict

    assert by(alice, f"loa preview {loa.pk} d1-d3 a4-c4") == "ok"
    assert alice.letter.kind == "tried"
    assert by(alice, f"loa move {loa.pk} alice {SECRET} d1-d3#1", "Good luck!") == "ok"
    assert by(bruno, f"loa move {loa.pk} bruno {SECRET} a4-c4") == "ok"
    assert by(bruno, f"loa chat {loa.pk} bruno {SECRET}", "Che bella mossa!\nDavvero.") == "ok"
    assert "Che bella mossa!" in alice.letter.text
    assert by(alice, f"loa show {loa.pk}#1") == "ok"
    assert "The board after 1... a4-c4." in alice.letter.text
    assert by(alice, "loa games alice next") == "ok"
    assert alice.letter.kind == "games"
    assert by(alice, f"loa move {loa.pk} alice {SECRET} propose") == "ok"
    assert by(bruno, f"loa move {loa.pk} bruno {SECRET} reject") == "ok"
    assert by(alice, f"loa resign {loa.pk} alice {SECRET}") == Code.CONFIRM_NEEDED
    assert f"Resign match {loa.pk} " in alice.letter.text
    alice.answers(alice.letter, "YES RESIGN")
    assert (alice.letter.kind, bruno.letter.kind) == ("result", "result")
    for letter in (*alice.letters, *bruno.letters):
        assert SECRET not in letter.raw.decode()
    assert not [row for row in InboundMail.objects.all() if SECRET in str(row.reading["commands"])]
