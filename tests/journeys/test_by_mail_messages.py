"""Messages between players, beside their matches and in them: no addresses, no flood, no way around a block."""

import pytest

from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Match, Turn
from pbem.players.blocks import refuse
from pbem.players.models import Message
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, registered


def test_a_message_and_its_answer_travel_without_addresses(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    alice.writes("MESSAGE Bruno: shall we play on Sunday?\nI am alice@example.org, by the way.\n\nAlice")
    assert (alice.kinds(), bruno.kinds(), charlie.kinds()) == (["passed_on"], ["relayed"], [])
    assert bruno.letter.subject == "Alice ti scrive"
    assert "shall we play on Sunday?" in bruno.letter.text
    assert "I am […], by the way." in bruno.letter.text
    assert "alice@" not in bruno.letter.raw.decode()
    bruno.answers(bruno.letter, "Volentieri!\nScrivo a bruno@example.org.")
    assert (alice.kinds(), bruno.kinds()) == (["relayed"], ["passed_on"])
    assert alice.letter.subject == "Bruno writes to you"
    assert "Volentieri!" in alice.letter.text
    assert "bruno@" not in alice.letter.raw.decode()
    bruno.writes("SCRIVO A Charlie: ciao")
    assert "ciao" in charlie.letter.text


def test_an_answer_from_another_address_waits_for_a_yes(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("MESSAGE Bruno: hello")
    mallory = Correspondent(alice.post, "Bruno", "mallory@example.org")
    mallory.answers(bruno.letter, "I hate you.", to=bruno.letter.reply_to)
    assert alice.kinds() == ["passed_on"]
    assert bruno.letter.kind == "confirm"
    bruno.answers(bruno.letter, "SÌ")
    assert alice.kinds() == ["relayed"]


def test_no_to_such_an_answer_takes_its_address_back(
    alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    alice.writes("MESSAGE Bruno: hello")
    [leaked] = bruno.reads()
    for body, told in (("I hate you.", ["confirm"]), ("And again!", ["notice"]), ("And again!", [])):
        charlie.answers(leaked, body)
        assert bruno.kinds() == told
        if told == ["confirm"]:
            bruno.answers(bruno.letter, "NO")
    assert "SCRIVO A" in bruno.letters[-1].text
    assert (alice.kinds(), charlie.letters) == (["passed_on"], [])


def test_a_message_that_must_be_confirmed_keeps_its_lines(alice: Correspondent, bruno: Correspondent) -> None:
    alice.writes("MESSAGE Bruno:\nA long story.", dmarc="none")
    assert bruno.kinds() == []
    alice.answers(alice.letter, "YES")
    assert "A long story." in bruno.letter.text


def test_only_so_many_strangers_are_written_to_in_a_day(post: Post, alice: Correspondent) -> None:
    for number in range(CAPS["strangers"].most + 1):
        registered(post, f"Reader{number}x", "en")
        verdict = alice.writes(f"MESSAGE Reader{number}x: hello").verdict
    assert verdict == Code.TOO_MANY_MESSAGES
    assert Message.objects.count() == CAPS["strangers"].most
    post.wait(days=1)
    assert alice.writes(f"MESSAGE Reader{number}x: hello").verdict == "ok"


def test_a_block_holds_for_messages_and_for_talk(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    refuse(bruno.player, alice.player, blocked=True, now=alice.post.now)
    assert alice.writes("MESSAGE Bruno: hello").verdict == Code.NO_SUCH_READER
    assert alice.writes("MESSAGE Zorro: hello").verdict == Code.NO_SUCH_READER
    assert alice.writes(f"SAY {loa.pk}: hello").verdict == Code.NO_SUCH_READER
    bruno.reads()
    alice.answers(alice.letters[-4], "d1-d3\nhello again")
    assert Turn.objects.get().message == ""
    assert "hello" not in bruno.letter.text
    # Nor what goes along with something else.
    alice.writes("AWAY TO 20 May 2026, hello at last")
    bruno.writes(f"PATTA {loa.pk}")
    assert alice.writes(f"DECLINE {loa.pk} hello again and again").verdict == "ok"
    assert [letter.kind for letter in bruno.reads()[-3:]] == ["away", "offered", "rejected"]
    assert all("hello" not in letter.text for letter in bruno.letters[-3:])


def test_what_is_said_with_an_absence_is_without_addresses_too(
    loa: Match, alice: Correspondent, bruno: Correspondent
) -> None:
    alice.writes("AWAY TO 20 May 2026, write to alice@example.org meanwhile")
    assert "write to […] meanwhile" in " ".join(bruno.letter.text.split())


def test_talk_is_trimmed_and_ends_for_the_day_but_the_moves_go_on(
    loa: Match, alice: Correspondent, bruno: Correspondent, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.answers(alice.letter, "SAY write to a@example.org\nSAY " + "long " * 70)
    assert "write to […]" in bruno.letter.text
    monkeypatch.setitem(CAPS, "chat", CAPS["chat"].__class__("chat", "", 2, CAPS["chat"].within))
    assert alice.answers(alice.letters[0], "SAY more").verdict == Code.TOO_MUCH_TALK
    turn = next(letter for letter in alice.letters if letter.kind == "turn")
    bruno.reads()
    alice.answers(turn, "d1-d3\nand more")
    assert bruno.kinds() == ["turn"]
    assert "and more" not in bruno.letter.text
    assert "You have sent 2 messages in this match today, which is the limit" in " ".join(
        alice.letter.text.split()
    )


def test_a_sentence_about_messages_is_talk(loa: Match, alice: Correspondent, bruno: Correspondent) -> None:
    alice.answers(alice.letter, "d1-d3\nMessage received: thanks!")
    assert "Message received: thanks!" in bruno.letter.text
    assert not Message.objects.exists()
