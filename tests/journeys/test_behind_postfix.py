"""Letters in and out through a real Postfix with the lines that we ship: nothing is lost, nothing bounces late."""

from __future__ import annotations

import json
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from django.utils import timezone
from pytest_django import Settings

from pbem.inbox.interpretation import interpret
from pbem.inbox.models import InboundMail
from pbem.mail.authentication.policy import Dmarc
from pbem.mail.parsing.headers import summarise
from pbem.mail.parsing.parts import LETTER
from pbem.players.services import register
from pbem.refusals import REFUSALS, Code
from tests.journeys.at_the_door import ALICE, LETTER_OF_ALICE, PLAY
from tests.journeys.conftest import House
from tests.journeys.milter import milter
from tests.journeys.postfix import Postfix, needs_postfix, running
from tests.processes import Process, wait_until
from tests.smtp_fixtures import Letter, Mailboxes, mailboxes

pytestmark = [needs_postfix, pytest.mark.prove]
SPLIT = {
    "SMTP_PROTOCOL": "lmtp",
    "CELERY_BROKER_URL": "redis://127.0.0.1:1",
}  # a broker that is away: no matter

FORGED = b"".join(
    name + b" mx.pbem.localhost; dmarc=pass header.from=players.localhost; x-forged=yes\r\n"
    for name in (b"Authentication-Results:", b"AUTHENTICATION-RESULTS :", b"Authentication-Results:\r\n\t(a)")
)


@dataclass
class Elsewhere:
    """The mailboxes of the players, behind Postfix. An address with `gone` in it does not exist."""

    letters: list[Letter] = field(default_factory=list)

    def to(self, address: str) -> Letter:
        return next(letter for letter in wait_until(lambda: self._to(address), f"a letter to {address}"))

    def connection(self) -> Mailboxes:
        return Gone(self.letters.append)

    def _to(self, address: str) -> list[Letter]:
        return [letter for letter in self.letters if letter.to == address]


class Gone(Mailboxes):
    def heard(self, verb: str, came: bytes) -> None:
        if verb == "RCPT" and "gone" in self.to:
            self.say(b"550 5.1.1 no such mailbox")
        else:
            super().heard(verb, came)


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


@pytest.fixture
def postfix(house: House, elsewhere: Elsewhere) -> Iterator[Postfix]:
    with (
        mailboxes(elsewhere.connection) as relay,
        running("main.cf", door=house.door, relay=relay) as postfix,
    ):
        house.env["EMAIL_URL"] = "smtp://{}:{}".format(*postfix.address)
        yield postfix


def delivered(postfix: Postfix, to: str, raw: bytes = LETTER_OF_ALICE, sender: str = ALICE) -> str:
    """What Postfix says to the mail server of Alice."""
    with smtplib.SMTP(*postfix.address, timeout=60) as client:
        client.ehlo("mx.players.localhost")
        try:
            client.sendmail(sender, to, raw)
        except smtplib.SMTPRecipientsRefused as refused:
            [(code, words)] = refused.recipients.values()
            return f"{code} {words.decode()}"
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as refused:
            return f"{refused.smtp_code} {bytes(refused.smtp_error).decode()}"
    return "250"


def the_door(house: House, **env: str) -> Process:
    door = house.start("manage.py", "smtpd", **SPLIT | env)
    door.is_ready("mail door on ")
    return door


def kept() -> list[InboundMail]:
    return list(InboundMail.objects.order_by("pk"))


def test_a_letter_comes_in_and_its_answer_leaves(
    house: House, postfix: Postfix, elsewhere: Elsewhere
) -> None:
    with house.rows():
        register(name="Alice", email=ALICE, language="en", now=timezone.now())
    house.serve(SMTP_PROTOCOL="lmtp")
    assert delivered(postfix, PLAY) == "250"
    answer = elsewhere.to(ALICE)
    assert answer.sender.startswith("b+"), "the envelope sender of ours, whole"
    assert len(answer.sender.partition("@")[0]) == len("b+") + 32
    with house.rows():
        [row] = kept()
        assert (row.sender, row.recipient, row.verdict) == (ALICE, PLAY, "ok")
        assert b"by mx.pbem.localhost (Postfix)" in bytes(row.raw)
        assert (row.peer, row.helo) == ("127.0.0.1", "mx.players.localhost"), "of whoever sent it to Postfix"


def test_other_postmasters_reach_ours(house: House, postfix: Postfix, elsewhere: Elsewhere) -> None:
    """And not the door, which is away."""
    assert delivered(postfix, "postmaster@pbem.localhost") == "250"
    assert elsewhere.to("you@example.org").sender == ALICE


def test_an_address_with_a_token_comes_through_whole(
    house: House, postfix: Postfix, elsewhere: Elsewhere
) -> None:
    """Both ways: sign-up is answered from a `c+` address, and the YES to it is believed."""
    house.serve(SMTP_PROTOCOL="lmtp")
    register_me = LETTER_OF_ALICE.replace(b"\r\n\r\nHELP", b"\r\n\r\nREGISTER Alice")
    assert delivered(postfix, PLAY, register_me) == "250"
    question = elsewhere.to(ALICE)
    assert question.reply_to.startswith("c+")
    yes = LETTER_OF_ALICE.replace(b"<1@", b"<2@").replace(b"HELP", b"YES")
    assert delivered(postfix, question.reply_to, yes) == "250"
    wait_until(lambda: len(elsewhere.letters) == 2, "a welcome")
    with house.rows():
        assert [row.recipient for row in kept()] == [PLAY, question.reply_to]


@pytest.mark.parametrize("local", ["nobody", "m+" + "a" * 32, "PLAY+x"])
def test_who_does_not_live_here_is_refused_while_the_sender_still_has_the_letter(
    house: House, postfix: Postfix, local: str
) -> None:
    the_door(house)
    reply = delivered(postfix, f"{local}@pbem.localhost")
    assert reply.startswith("550 5.1.1 ")
    assert str(REFUSALS[Code.NO_SUCH_ADDRESS].sentence) in reply
    assert postfix.queue == "", "nothing bounces later"


def test_a_letter_that_the_door_would_not_take_is_not_taken_by_postfix(
    house: House, postfix: Postfix
) -> None:
    the_door(house)
    assert delivered(postfix, PLAY, LETTER_OF_ALICE + b"x" * LETTER).startswith("552 5.3.4")


def test_while_the_door_is_away_letters_wait_in_postfix(house: House, postfix: Postfix) -> None:
    door = the_door(house)
    assert delivered(postfix, PLAY) == "250"
    with house.rows():
        wait_until(kept, "the first letter")
    door.end()
    later = LETTER_OF_ALICE.replace(b"<1@", b"<2@")
    assert delivered(postfix, PLAY, later) == "250", "it asked about this address before"
    postfix.has_logged("status=deferred")
    unknown = delivered(postfix, "m+" + "a" * 32 + "@pbem.localhost")
    assert unknown.startswith("450 4.1.1"), "not asked before: may live here"

    the_door(house)
    forged = "m+" + "a" * 32 + "@pbem.localhost"
    wait_until(lambda: delivered(postfix, forged).startswith("550 5.1.1 "), "it asks again soon")
    postfix.try_again()
    with house.rows():
        wait_until(lambda: len(kept()) == 2, "the letter that waited")
    wait_until(lambda: postfix.queue == "", "an empty queue")


def test_while_the_database_is_away_letters_wait_in_postfix(house: House, postfix: Postfix) -> None:
    door = the_door(house, DATABASE_URL=f"sqlite:///{house.folder}/away/pbem.sqlite3")
    assert delivered(postfix, PLAY) == "250"
    postfix.has_logged(f"said: {REFUSALS['T05'].smtp}")
    assert json.loads(postfix.queue)["recipients"][0]["address"] == PLAY
    door.end()
    the_door(house)
    postfix.try_again()
    with house.rows():
        wait_until(kept, "the letter that waited")


def test_what_postfix_cannot_deliver_comes_back_to_the_bounce_address(
    house: House, postfix: Postfix, elsewhere: Elsewhere
) -> None:
    gone = "gone@players.localhost"
    with house.rows():
        register(name="Alice", email=gone, language="en", now=timezone.now())
    house.serve(SMTP_PROTOCOL="lmtp")
    assert delivered(postfix, PLAY, LETTER_OF_ALICE.replace(b"alice@", b"gone@"), gone) == "250"
    with house.rows():
        wait_until(lambda: InboundMail.objects.filter(recipient__startswith="b+").first(), "the bounce")
        [_, bounce] = wait_until(lambda: all(row.verdict for row in kept()) and kept(), "verdicts")
        assert (bounce.sender, bounce.verdict) == ("", Code.BOUNCE)


def test_a_bare_line_end_reaches_nobody_as_an_end(house: House, postfix: Postfix) -> None:
    """Postfix mends what it may mend; what it hands on is one letter."""
    the_door(house)
    with smtplib.SMTP(*postfix.address, timeout=60) as client:
        client.ehlo("mx.players.localhost")
        client.mail(ALICE)
        assert client.rcpt(PLAY)[0] == 250
        client.docmd("DATA")
        smuggled = (
            b"HELP\n.\r\nMAIL FROM:<bruno@players.localhost>\r\nRCPT TO:<play@pbem.localhost>\r\nDATA\r\n"
        )
        client.send(LETTER_OF_ALICE + smuggled + LETTER_OF_ALICE + b".\r\n")
        assert client.getreply()[0] == 250
        assert client.noop()[0] == 250, "and nothing else was answered"
    with house.rows():
        [row] = wait_until(kept, "the letter")
        assert b"MAIL FROM:<bruno" in bytes(row.raw)


def test_only_the_verdict_of_our_own_milter_is_believed(
    house: House, elsewhere: Elsewhere, settings: Settings
) -> None:
    """A forged one is there no more when the letter comes to us, however it is written."""
    settings.AUTHSERV_IDS = {"mx.pbem.localhost"}
    the_door(house)
    with mailboxes(elsewhere.connection) as relay, milter() as own:
        lines = f"smtpd_milters = inet:127.0.0.1:{own.port}\nmilter_default_action = accept\n"
        with running("main.cf", door=house.door, relay=relay, lines=lines) as postfix:
            for number, own.verdict in enumerate(("pass", "fail", "")):
                letter = FORGED + LETTER_OF_ALICE.replace(b"<1@", b"<%d@" % number)
                assert delivered(postfix, PLAY, letter) == "250"
            with house.rows():
                wait_until(lambda: len(kept()) == 3, "the letters")
                rows = {summarise(bytes(row.raw)).message_id: row for row in kept()}
                verdicts = [interpret(rows[f"<{number}@alice>"]).dmarc for number in range(3)]
    assert verdicts == [Dmarc.PASS, Dmarc.FAIL, Dmarc.NONE]
    assert not any(b"forged" in bytes(row.raw) for row in rows.values())
