"""What replies mean: one table of replies as mail servers write them."""

from __future__ import annotations

import pytest

from pbem.outbox.delivery.status_codes import CODES, DISPOSITIONS, STATUS, WORDS, Disposition, reply_class_of
from pbem.refusals import REFUSALS, Code

REPLIES = """
-- RFC 5321, the code alone
O01 421 Service not available, closing transmission channel
O01 450 Requested mail action not taken: mailbox unavailable
O01 451 Requested action aborted: local error
O01 452 Requested action not taken: insufficient system storage
O01 455 Server unable to accommodate parameters
O03 500 Syntax error, command unrecognized
O03 502 Command not implemented
O03 503 Bad sequence of commands
O02 521 mail.example.org accepts no mail
O02 550 Requested action not taken
O02 551 User not local; please try elsewhere
O04 552 Requested mail action aborted: exceeded storage allocation
O02 553 Requested action not taken: mailbox name not allowed
O03 554 Transaction failed
O03 555 MAIL FROM/RCPT TO parameters not recognized or not implemented
O02 556 Domain does not accept mail
O01 454 4.7.0 Temporary authentication failure
O03 530 5.7.0 Authentication required
O03 534 5.7.9 Authentication mechanism is too weak
O03 535 5.7.8 Authentication credentials invalid
O03 538 5.7.11 Encryption required for requested authentication mechanism
-- RFC 3463 and the registry of RFC 5248
O02 550 5.1.1 bad destination mailbox
O02 550 5.1.2 bad destination system
O02 553 5.1.3 bad destination mailbox syntax
O02 551 5.1.6 destination mailbox has moved
O03 550 5.1.7 bad syntax
O03 550 5.1.8 bad system
O02 556 5.1.10 recipient address has null MX
O02 550 5.2.0 other
O02 550 5.2.1 not accepting messages
O04 550 5.2.2 no
O04 452 4.2.2 no
O04 422 4.2.2 The recipient's mailbox is over its storage limit
O08 552 5.2.3 length
O01 450 4.2.1 receiving mail at a rate that prevents more
O01 452 4.3.1 mail system
O08 552 5.3.4 no
O01 451 4.3.0 other
O01 421 4.3.2 Service not active
O02 550 5.4.4 unable to route
O01 550 5.4.7 delivery time expired
O01 452 4.5.3 too many recipients
O03 550 5.5.2 syntax
O08 550 5.6.0 other
O08 554 5.6.3 conversion required but not supported
O08 554 5.6.11 bare newlines
O02 553 5.6.7 non-ASCII
O03 550 5.7.1 not authorized
O01 450 4.7.1 greylisted, try again in 300 seconds
O01 451 4.7.1 blocked by policy for now
O02 550 5.7.17 owner changed
O03 550 5.7.20 no passing signature
O03 550 5.7.23 validation failed
O03 550 5.7.25 no name
-- Gmail
O01 421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address.
O02 550-5.1.1 The email account that you tried to reach does not exist. Please try
O02 550 5.2.1 The email account that you tried to reach is disabled.
O01 450 4.2.1 The user you are trying to contact is receiving mail too quickly.
O04 452 4.2.2 The email account that you tried to reach is over quota.
O04 552-5.2.2 The email account that you tried to reach is over quota.
O03 550-5.7.26 This mail has been blocked because the sender is unauthenticated.
O03 550-5.7.26 Unauthenticated email from example.org is not accepted due to domain's DMARC policy.
O03 550 5.7.1 Our system has detected that this message is likely unsolicited mail.
O03 550 5.4.5 Daily user sending quota exceeded.
O08 552-5.7.0 This message was blocked because its content presents a potential security issue.
O08 552 5.3.4 Your message exceeded Google's message size limits.
-- Outlook and Exchange
O02 550 5.5.0 Requested action not taken: mailbox unavailable
O03 550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent. Part of their network is on our block list (S3140).
O02 550 5.4.1 Recipient address rejected: Access denied. AS(201806281)
O02 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
O02 smtp;550 5.1.1 RESOLVER.ADR.RecipNotFound; not found
O04 554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded
O01 451 4.7.500 Server busy. Please try again later from [192.0.2.7].
O03 550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification
O03 550 5.7.606 Access denied, banned sending IP [192.0.2.7].
-- Yahoo
O01 421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints
O03 553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.7, because the ip is in Spamhaus's list
O03 554 5.7.9 Message not accepted for policy reasons.
O02 554 delivery error: dd This user doesn't have a yahoo.com account (nobody@yahoo.com) [0]
O02 552 1 Requested mail action aborted, mailbox not found
-- Libero, Virgilio
O03 550 smtp-17.iol.local smtp-17.iol.local IP blacklisted by CSI. [smtp-17.iol.local; LIB_102]
O03 550 Invalid Domain [smtp-41.iol.local]
O02 550 RCPT TO:<nobody@libero.it> User unknown
O04 552 RCPT TO:<alice@libero.it> Mailbox disk quota exceeded
-- Aruba
O02 550 5.1.1 <nobody@example.org> Recipient not found
O04 552 5.2.2 <alice@example.org> user is over quota
O03 552 5.2.0 igxL1p00E1WDM2s01gxMXG spam detected
O03 550 5.1.0 0bcW1i00G0jifNx01bcmHa blocked by SPF
-- TIM, Alice
O04 550 5.7.1 la casella di posta e' piena
O04 554 spazio su disco esaurito
O03 550 Mittente non accettato
O03 550 SC-001 Unfortunately, messages from 192.0.2.7 were not taken.
O02 550 #5.1.0 Address rejected.
O03 554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.
O04 552 #5.2.2 mailbox full
-- Postfix, Exim, qmail, sendmail
O02 550 5.1.1 <nobody@example.org>: Recipient address rejected: User unknown in virtual mailbox table
O01 450 4.1.1 <nobody@example.org>: Recipient address rejected: User unknown in local recipient table
O03 554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org
O03 550 5.7.1 <alice@example.org>: Relay access denied
O03 550 5.7.1 Sender address rejected: Domain not found
O02 550 Unrouteable address
O02 553 sorry, no mailbox here by that name. (#5.7.17)
O02 553 5.3.0 <nobody@example.org>... Unknown E-Mail Address
O04 552 5.1.1 5.2.2 sorry, final recipient mailbox is full (chkuser)
O03 550 5.1.1 <alice@example.org> sender is blacklisted
O08 552 Message size exceeds fixed maximum message size
O08 550 5.7.1 Message content rejected, id=01956-02-2 - BANNED: script.bat
-- Words that are only part of an address, or numbers that are only part of another
O02 550 5.1.1 <spam.blocked.quota@example.org>: no
O03 554 [5.1.1.7] no
O01 421 mail.example.org 5.1.1.7 closing
-- Bounces
O02 X-Postfix; host mx.example.org[192.0.2.9] said: 550-5.1.1 The email account that you tried
O04 x-unix; Quota exceeded message delivery failed to 250 users
O02 smtp; 5.1.1
O02 5.1.1
O04 4.2.2
O01 4.4.1
O07 X-Notes; something
-- Yes
+ 250 2.0.0 OK: queued as 4711
+ 250 OK
+ 2.1.5
"""
READ = [line.split(" ", 1) for line in REPLIES.splitlines() if line and not line.startswith("--")]


@pytest.mark.parametrize(("fate", "reply"), READ, ids=[reply[:60] for _, reply in READ])
def test_each_reply_has_its_fate(fate: str, reply: str) -> None:
    assert reply_class_of(reply) == fate.replace("+", "")


def test_a_reply_of_several_lines_is_read_as_one() -> None:
    """As smtplib joins them, and as a bounce quotes them."""
    assert (
        reply_class_of("550 5.1.1 The email account that you tried to\n5.1.1 reach does not exist.")
        == Code.HARD
    )
    assert (
        reply_class_of("smtp; 550-5.7.26 This mail has been\n    550-5.7.26 blocked because the sender is")
        == Code.POLICY
    )


def test_4xx_never_gives_up() -> None:
    refusals = [reply for fate, reply in READ if reply.startswith("5") and fate != "+"]
    for reply in refusals:
        softened = f"4{reply[1:]}".replace(" 5.", " 4.").replace("-5.", "-4.").replace("#5.", "#4.")
        assert reply_class_of(softened) in (Code.SOFT, Code.MAILBOX_FULL)


def test_silence_is_not_an_answer() -> None:
    assert reply_class_of("") == Code.UNKNOWN_REPLY


def test_every_fate_has_a_sentence_and_says_what_becomes_of_the_letter() -> None:
    fates = {fate for fate, _ in WORDS} | {*STATUS.values(), *CODES.values(), Code.SOFT, Code.UNKNOWN_REPLY}
    assert fates == set(DISPOSITIONS)
    assert fates <= set(REFUSALS)
    assert {fate for fate, then in DISPOSITIONS.items() if then is Disposition.FAILS} == {
        Code.HARD,
        Code.LETTER,
    }


def test_a_long_reply_is_read_at_once() -> None:
    assert reply_class_of("550 5.1.1 " + "mailbox " * 100_000) == Code.HARD
