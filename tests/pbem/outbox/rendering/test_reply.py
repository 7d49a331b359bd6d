"""Where answers, bounces and goodbyes go: to addresses that only the reader of a letter can know."""

from random import Random

import pytest
from django.conf import settings

from pbem.inbox.recipient import (
    BounceRecipient,
    DoNotContactRecipient,
    LetterRecipient,
    MoveRecipient,
    UnsubscribeRecipient,
)
from pbem.inbox.resolver import resolve_recipient
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import write_to_address, write_to_player
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.signed_addresses import envelope_sender, list_headers, reply_to, unsubscribe_link
from tests.mail_fixtures import MORNING, Correspondent


@pytest.fixture
def match(alice: Correspondent, bruno: Correspondent) -> Match:
    return start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))


def turn_letter(match: Match, address: str) -> OutboundMail:
    return OutboundMail.objects.get(match=match, address=address)


def test_a_turn_letter_is_answered_to_the_seat(match: Match) -> None:
    row = turn_letter(match, "bruno@example.org")
    recipient = resolve_recipient(reply_to(row, Reader.of(row)), MORNING)
    assert recipient == MoveRecipient(seat=match.seated[1], ply=0, state="current")


def test_both_seats_have_addresses_of_their_own(match: Match) -> None:
    rows = [turn_letter(match, f"{name}@example.org") for name in ("alice", "bruno")]
    assert len({reply_to(row, Reader.of(row)) for row in rows}) == 2


def test_a_letter_about_no_match_is_answered_to_its_player(alice: Correspondent) -> None:
    row = write_to_player(alice.player, cause="letter:1", section={"kind": "games"}, now=MORNING)
    assert row is not None
    recipient = resolve_recipient(reply_to(row, Reader.of(row)), MORNING)
    assert recipient == LetterRecipient(answered=row, state="player", player=alice.player)


def test_a_question_says_where_its_answer_goes(alice: Correspondent) -> None:
    section = {"kind": "confirm", "lines": ["RESIGN"], "reply_to": "c+token@pbem.test"}
    row = write_to_player(alice.player, cause="letter:1", section=section, now=MORNING)
    assert row is not None
    assert reply_to(row, Reader.of(row)) == "c+token@pbem.test"


def test_a_bounce_says_which_letter_it_was(match: Match) -> None:
    row = turn_letter(match, "alice@example.org")
    recipient = resolve_recipient(envelope_sender(row), MORNING)
    assert recipient == BounceRecipient(letter=row, state="current")


def test_one_click_and_one_letter_lead_out(match: Match) -> None:
    row = turn_letter(match, "alice@example.org")
    headers = list_headers(row, unsubscribe_link(row, Reader.of(row)))
    web, mail = headers["List-Unsubscribe"].split(", ")
    assert web.startswith("<http")
    recipient = resolve_recipient(mail.removeprefix("<mailto:").partition("?")[0], MORNING)
    assert isinstance(recipient, UnsubscribeRecipient)
    assert recipient.player == match.seated[0].player
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "loa" in headers["List-Id"]


def test_a_stranger_can_have_no_more_letters(db: None) -> None:
    section = {"kind": "invitation"}
    row = write_to_address("dora@example.org", language="en", cause="x", section=section, now=MORNING)
    headers = list_headers(row, unsubscribe_link(row, Reader.of(row)))
    for way in headers["List-Unsubscribe"].split(", "):
        local = f"n+{way.split('/')[-2]}" if "/n/" in way else way.partition(":")[2].partition("@")[0]
        recipient = resolve_recipient(f"{local}@{settings.MAIL_DOMAIN}", MORNING)
        assert recipient == DoNotContactRecipient(address="dora@example.org", language="en", state="current")
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    other = write_to_address("elsa@example.org", language="en", cause="x", section=section, now=MORNING)
    OutboundMail.objects.filter(pk=row.pk).update(salt=other.salt)
    assert resolve_recipient(f"{local}@{settings.MAIL_DOMAIN}", MORNING) is None
