"""Somebody to play with: the list of players who want to be found, and the letter that begins it all."""

from __future__ import annotations

import pytest

from pbem.matches.matchmaking import directory
from pbem.matches.models import Invitation
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Delivery, Post
from tests.players_fixtures import Begin


def flat(letter: Delivery) -> str:
    return " ".join(letter.text.split())


@pytest.mark.prove
def test_who_opted_in_is_listed_with_what_they_play_and_no_address(
    post: Post, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, begin: Begin
) -> None:
    assert bruno.writes("GIOCATORI").verdict == "ok"
    assert "Non c'è ancora nessuno nell'elenco" in flat(bruno.letter)
    begin("zertz")
    begin("loa private")
    assert charlie.writes("PLAYERS").verdict == "ok"
    assert "Nobody is on the list yet." in flat(charlie.letter), "nobody is there without having asked"
    assert bruno.writes("IMPOSTA ELENCO sì").verdict == "ok"
    alice.writes("SET LISTED yes")
    post.wait(days=1)
    assert charlie.writes("PLAYERS").verdict == "ok"
    assert "Bruno Plays Zèrtz. Bruno is new here" in flat(charlie.letter), (
        "a private match is nobody's business"
    )
    assert "CHALLENGE Bruno zertz" in charlie.letter.text
    assert "CHALLENGE Alice zertz" in charlie.letter.text
    assert "@example.org" not in charlie.letter.text + charlie.letter.html
    assert "You are not on this list." in flat(charlie.letter)
    assert alice.writes("players zèrtz").verdict == "ok"
    assert alice.letter.text.count("CHALLENGE") == 1, "nobody looks for themselves"
    assert "You are on this list." in flat(alice.letter)
    alice.writes("PLAYERS trapdoor chess")
    assert "Nobody who plays Trapdoor Chess is on the list yet." in flat(alice.letter)
    bruno.writes("IMPOSTA ELENCO no")
    charlie.writes("PLAYERS")
    assert "Bruno" not in charlie.letter.text


@pytest.mark.prove
def test_whoever_cannot_be_challenged_by_the_reader_is_not_listed_for_them(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    Player.objects.update(listed=True)
    for keeps_out in ("RIFIUTO Alice", "LIMITE 0", "BASTA TUTTO"):
        bruno.writes(keeps_out)
        alice.writes("PLAYERS")
        assert "CHALLENGE Charlie loa" in alice.letter.text
        assert "Bruno" not in alice.letter.text, keeps_out
        bruno.writes("AMMETTO Alice\nLIMITE nessuno\nRIPRENDO TUTTO")
    alice.writes("PLAYERS")
    assert "CHALLENGE Bruno loa" in alice.letter.text
    alice.writes("BLOCK Charlie")
    alice.writes("PLAYERS")
    assert "Charlie" not in alice.letter.text


def test_the_list_is_bounded(
    monkeypatch: pytest.MonkeyPatch, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    Player.objects.update(listed=True)
    monkeypatch.setattr(directory, "MOST_LISTED", 1)
    alice.writes("PLAYERS")
    assert alice.letter.text.count("CHALLENGE") == 1


def test_nobody_is_listed_by_a_message_that_nobody_vouches_for(alice: Correspondent) -> None:
    assert alice.writes("SET LISTED yes", dmarc="none").verdict == Code.CONFIRM_NEEDED
    assert not alice.player.listed


def test_the_welcome_begins_a_match_by_one_tap(
    post: Post, alice: Correspondent, bruno: Correspondent, stranger: Correspondent
) -> None:
    """The lines stand in the text, and as mailto links to the reader's own reply address in the page."""
    bruno.writes("OFFRO zertz 7 giorni a mossa\nOFFRO loa\nOFFRO emergo senza orologio\nOFFRO insert")
    alice.writes("REFUSE Dora")
    stranger.writes("REGISTER Dora")
    stranger.answers(stranger.letter, "YES")
    [welcome] = stranger.reads()[-1:]
    assert "    CHALLENGE friend@example.org loa\n" in welcome.text.replace("\r", "")
    assert "Bruno offers a match of Emergo, clock: no clock." in flat(welcome)
    assert "Bruno offers a match of Lines of Action, clock: league." in flat(welcome)
    assert "zertz" not in welcome.text.partition("What can be played")[0].casefold(), "the newest three"
    assert "    SET LISTED yes" in welcome.text
    assert "Deadlines are shown in Rome time" in flat(welcome), "the Date of the email says nothing"
    assert "    SET ZONE London" in welcome.text
    lines = [line.strip() for line in welcome.text.splitlines() if line.startswith("    ")]
    assert lines[0] == "CHALLENGE Robot-1 loa", "which nobody has to answer"
    assert "@" in welcome.reply_to
    newest, address = 4, welcome.reply_to.replace("+", "%2B")
    tap = f'href="mailto:{address}?subject=Re%3A%20Welcome%20to%20PBeM&amp;body=JOIN%20{newest}"'
    assert tap in welcome.html
    assert tap.replace(f"JOIN%20{newest}", "CHALLENGE%20Robot-1%20loa") in welcome.html
    assert stranger.answers(welcome, lines[0], dmarc="none").verdict == "ok"
    post.wait(minutes=3)  # the robot may be the one to begin
    post.send()
    assert (stranger.letter.kind, "Robot-1" in stranger.letter.subject) == ("turn", True)
    assert stranger.answers(welcome, f"JOIN {newest}", dmarc="none").verdict == "ok"
    assert stranger.letter.kind == "turn"
    sent_back = stranger.answers(welcome, "CHALLENGE friend@example.org loa", dmarc="none")
    assert (sent_back.verdict, Invitation.objects.count()) == (Code.EXAMPLE_ADDRESS, 0), "nobody's address"
    assert stranger.answers(welcome, "CHALLENGE carla@example.org loa", dmarc="none").verdict == "ok"
    assert post.mailboxes.boxes["carla@example.org"]


def test_an_italian_probably_lives_in_italy_and_offers_where_nothing_is_offered(
    stranger: Correspondent,
) -> None:
    stranger.writes("ISCRIVIMI Dora")
    stranger.answers(stranger.letter, "SÌ")
    welcome = stranger.reads()[-1]
    assert stranger.player.zone == "Europe/Rome"
    assert "nell'ora di Roma" in flat(welcome)
    assert "    OFFRO loa" in welcome.text
    assert "    SFIDA amica@example.org loa" in welcome.text
    assert "    IMPOSTA ELENCO sì" in welcome.text
