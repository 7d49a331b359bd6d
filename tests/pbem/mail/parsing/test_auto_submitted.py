"""Which letters no person wrote."""

from pathlib import Path

import pytest

from pbem.mail.parsing.headers import SIGNS, summarise

MAIL = Path(__file__).parents[3] / "mail"
ALICE = "From: Alice <alice@example.net>\n"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("absent_exchange_en", "auto_reply"),
        ("absent_it", "auto_reply"),
        ("bounce_postfix", "bounce"),
        ("bounce_qmail", "bounce"),
        ("calendar_it", "calendar"),
        ("complaint", "complaint"),
        ("loop", "loop"),
        ("mailing_list", "list"),
        ("receipt_en", "receipt"),
    ],
)
def test_letters(name, kind):
    assert summarise((MAIL / f"{name}.eml").read_bytes(), own_domain="pbem.example").automatic == kind


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ("X-PBeM-Letter: turn", "loop"),
        ("\n".join(["Received: by a"] * 51), "loop"),
        ("Message-ID: <1@PBEM.example>", "loop"),
        ("Feedback-Type: abuse", "complaint"),
        ("Content-Type: message/disposition-notification", "receipt"),
        ("X-Failed-Recipients: bruno@example.org", "bounce"),
        ("Content-Type: multipart/report", "bounce"),
        (
            "Content-Type: multipart/report; report-type=global-delivery-status\nAuto-Submitted: auto-replied",
            "bounce",
        ),
        ("Content-Type: message/global-delivery-status", "bounce"),
        ("Content-Type: multipart/report; report-type=global-disposition-notification", "receipt"),
        ("Subject: Mancata consegna del messaggio", "bounce"),
        ("Auto-Submitted: auto-replied (vacation)", "auto_reply"),
        ("Auto-Submitted: auto-generated", "auto_reply"),
        ("Return-Path: <>", "auto_reply"),
        ("X-Autoreply: yes", "auto_reply"),
        ("Precedence: bulk", "auto_reply"),
        ("Precedence: list", "list"),
        ("List-Unsubscribe: <mailto:x@example.com>", "list"),
        ("Subject: Out of Office: holidays", "auto_reply"),
        ("Subject: [External] Automatic reply: [105]", "auto_reply"),
        ("Subject: [EXT] [SPAM?] Out of office: Re: [105]", "auto_reply"),
        ("Subject: [ESTERNO] Risposta automatica: [105]", "auto_reply"),
        ("Subject: [Auto-Reply] Re: [105]", "auto_reply"),
        ("Subject: [External] Undeliverable: [105]", "bounce"),
        ("Subject: Messaggio di risposta automatica", "auto_reply"),
        ("Subject: Autorisposta: Re: [105]", "auto_reply"),
        ("Subject: In ferie fino al 30 agosto", "auto_reply"),
        ("Subject: AUTO: Bruno is out of the office (returning 12/08)", "auto_reply"),
        ("Auto-Submitted: auto-replied (zimbra; vacation)\nPrecedence: bulk", "auto_reply"),
        ("X-Delivery-Agent: TMDA/1.1.12 (Macallan)", "auto_reply"),
        ("Subject: Conferma di lettura: [105]", "receipt"),
        ("X-Ricevuta: avvenuta-consegna\nSubject: CONSEGNA: [105]", "receipt"),
        ("X-Ricevuta: accettazione", "receipt"),
        ("X-Ricevuta: preavviso-errore-consegna", "bounce"),
        ("Subject: AVVISO DI MANCATA CONSEGNA: [105]", "bounce"),
        ("Subject: Warning: message 1aB-2c-3d delayed 24 hours", "bounce"),
        ("X-HmXmrOriginalRecipient: alice@example.net", "complaint"),
        ("Sender: Google Calendar <calendar-notification@google.com>", "calendar"),
    ],
)
def test_signs(headers, kind):
    assert summarise((ALICE + headers + "\n\n").encode(), own_domain="pbem.example").automatic == kind


def test_the_bounce_of_a_mail_server_of_our_own_domain_is_no_loop():
    report = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n"
    own = "From: MAILER-DAEMON@pbem.example\nMessage-ID: <2026@pbem.example>\n"
    assert summarise((own + report + "\n").encode(), own_domain="pbem.example").automatic == "bounce"


@pytest.mark.parametrize(
    "sender",
    [
        "MAILER-DAEMON@mx.example.net",
        "postmaster@example.net",
        "bounces+x@example.net",
        "MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.net",
    ],
)
def test_mail_servers(sender):
    assert summarise(f"From: {sender}\n\n".encode()).automatic == "bounce"


@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: no",
        "Subject: Re: Undelivered Mail Returned to Sender",
        "Subject: Re: Out of office",
        "Subject: R: [105] Partita: Alice - Bruno",
        "Subject: Mail me the rules",
        "Subject: Re: Warning: message from Bruno",
        "Subject: Warning: message from Bruno",
        "Subject: Assente dal 3 agosto",
        "Subject: [External] AWAY from 3 August",
        "Subject: Away 3 to 5 May",
        "Subject: Fwd: Newsletter: unsubscribe here",
        "X-Auto-Response-Suppress: All",  # nobody is to answer by machine: that is no word about who writes
        "X-Auto-Response-Suppress: DR, OOF, AutoReply",
        "Return-Path: <prvs=1234abcdef=alice@example.net>",  # BATV
        "Return-Path: <SRS0=Hash=TT=example.net=alice@forwarder.example>",
        "Precedence: first-class",
        "Return-Path: <alice@example.net>",
        "Message-ID: <1@notpbem.example>",
        "\n".join(["Received: by a"] * 50),
    ],
)
def test_people(headers):
    assert summarise((ALICE + headers + "\n\n").encode(), own_domain="pbem.example").automatic is None


@pytest.mark.parametrize("sender", ["notify@boxbe.com", "bruno-confirm-1273.5e7f@example.net"])
def test_who_asks_for_a_proof_that_we_are_people(sender):
    assert summarise(f"From: {sender}\n\n".encode()).automatic == "auto_reply"


@pytest.mark.parametrize("local", ["bouncer", "delivery.girl", "postmaster.bob", "automata", "normanreply"])
def test_people_with_odd_names(local):
    assert summarise(f"From: {local}@example.net\n\n".encode()).automatic is None


def test_the_table_names_only_known_kinds():
    kinds = {"bounce", "auto_reply", "list", "loop", "receipt", "complaint", "calendar"}
    assert {kind for kind, _ in SIGNS} == kinds
