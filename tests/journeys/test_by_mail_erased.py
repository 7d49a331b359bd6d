"""Nothing of an erased player stays, in whatever column; and no column is forgotten."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from html import unescape
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import models
from django.test import Client

from pbem.admin.people.erasure import QUOTED_IN, erase, named_in
from pbem.inbox.models import InboundMail, PersonalMessage
from pbem.matches.models import Match, Note
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.announcements import write
from pbem.outbox.rendering.compose import compose
from pbem.players.models import Player, PrintName
from pbem.players.services import do_not_contact, register
from tests.mail_fixtures import Correspondent, Post, found, play_address, registered

NAME, EMAIL, WORD = "Wilhelmina", "willi@secret.example", "xyzzy"
FORMER, SURNAME, SPELLED = "Mariposa", "Quattrocchi", "Willi+chess@secret.example"
WORDS = (
    models.TextField,
    models.CharField,
    models.JSONField,
    models.BinaryField,
    models.GenericIPAddressField,
)
# Columns of the player's own: their rows go with the player or with an address of theirs, or are emptied.
OWN = {
    "players.Player": {"name", "folded", "skeleton"},
    "players.Address": {"email", "mailbox"},
    "players.AddressChange": {"email"},
    "players.PrintName": {"name"},
    "players.FormerName": {"name"},
    "matches.Invitation": {"address", "mailbox"},
    "matches.ConditionalLine": {"moves"},
    "matches.TournamentInvitation": {"address"},
    "inbox.InboundMail": {"sender", "recipient", "peer", "helo", "queue_key", "account", "server"},
    "inbox.Confirmation": {"address"},
    "inbox.PersonalMessage": {"address"},
    "inbox.RateLimitSlot": {"whom"},
    "outbox.OutboundMail": {"address"},
    "outbox.BouncedMail": {"address"},
    "desk.AuditEntry": {"said", "named", "reason", "before", "after"},
    "site.SignIn": {"waiting"},
}
SIGN_IN = {"ip_address", "user_agent", "username", "http_accept", "path_info"}
# Columns that say nothing of anybody: chosen from a list, made by the program, or of the game alone.
HARMLESS = {
    "matches.Sweep": {"name"},
    "players.Player": {
        "language",
        "zone",
        "coordinates",
        "reminders",
        "away",
        "theme",
        "cadence",
        "site",
        "free_weekdays",
    }
    | {"salt", "calendar_salt"},
    "players.FormerName": {"look"},
    "contests.Competition": {"system", "game_name", "terms", "settings"},
    "contests.Entrant": {"state", "byes", "table"},
    "players.Absence": {"kind"},
    "players.ApiToken": {"scopes", "nonce", "digest"},
    "players.Message": {"salt"},
    "players.PlayerBlock": {"game"},
    "players.Limit": {"game"},
    "players.SuppressedAddress": {"email"},  # who is not to be written to: the wish stays, and protects
    "matches.Match": {"game_name", "setup", "terms", "status", "position", "reason", "stopped", "reminded"},
    "matches.Turn": {"move", "position", "key", "how"},
    "matches.Event": {"kind"},
    "matches.Seat": {"salt", "revoked_salts", "free"},
    "matches.Offer": {"kind", "facts"},
    "matches.Seek": {"game_name", "setup", "terms", "language"},
    "matches.Invitation": {"game_name", "setup", "terms", "salt"},
    "matches.ConditionalLine": {"position", "language", "coordinates", "fate"},
    "matches.Tournament": {"label", "game_name", "terms"},
    "matches.Announcement": {"to"},
    "bulletin.Bulletin": {"language"},
    "matches.Heartbeat": {"component"},
    "matches.Outage": {"component", "why"},
    "matches.ExemptInterval": {"component", "why"},
    "matches.ClockTurn": {"free"},
    "inbox.InboundMail": {"digest", "message_key", "verdict"},  # hashes recognise a repeated delivery
    "inbox.Confirmation": {"language", "salt"},
    "inbox.SeenMessage": {"digest"},
    "inbox.RateLimitSlot": {"cap"},
    "outbox.OutboundMail": {"cause", "kind", "domain", "language", "salt", "status", "verdict", "message_id"},
    "outbox.BouncedMail": {"fate"},
    "outbox.SlowDomain": {"domain"},
    "desk.AuditEntry": {"who", "verb", "kind"},
    "site.Browser": {"digest", "words"},
    "site.SignIn": {"browser", "code"},
    "ratings.Rating": {"pool"},
    "ratings.RatedGame": {"pool", "uncounted", "before", "after"},  # numbers
    "analysis.AnalysisJob": {"status", "trouble", "kind", "position", "found"},  # of a position, by a program
    "analysis.Puzzle": {"game_name", "position", "accepted", "replies"},
    "analysis.Attempt": {"status"},
    "robots.EngineJob": {"status", "trouble", "kind", "move"},  # of a position, by a program
    # Organisers, their groups, and what they have open: nobody is a player there.
    "auth.User": {"password", "username", "first_name", "last_name", "email"},
    "auth.Group": {"name"},
    "otp_static.StaticDevice": {"name"},
    "otp_static.StaticToken": {"token"},
    "otp_totp.TOTPDevice": {"name", "key"},
    "axes.AccessAttempt": SIGN_IN
    | {"get_data", "post_data"},  # who tried to sign in, for a quarter of an hour
    "axes.AccessFailureLog": SIGN_IN,  # never written, nor is the next
    "axes.AccessLog": SIGN_IN | {"session_hash"},
    "auth.Permission": {"name", "codename"},
    "sessions.Session": {"session_key", "session_data"},
    "admin.LogEntry": {"object_id", "object_repr", "change_message"},  # never written: see desk.AuditEntry
    "contenttypes.ContentType": {"app_label", "model"},
}
# Where her address may be read on, and why.
READ_ON = {
    "players.SuppressedAddress.email": "a wish to get no letters holds, whoever has signed up meanwhile"
}


def columns() -> Iterator[tuple[type[models.Model], models.Field[Any, Any]]]:
    """Of every table of every app, whose ever it is."""
    for kind in apps.get_models(include_auto_created=True):
        yield from ((kind, field) for field in kind._meta.concrete_fields if isinstance(field, WORDS))


def test_each_column_of_words_has_one_policy() -> None:
    """Anyone who adds one decides which, and erases what it holds of a player."""
    renamed = {(kind._meta.label, name) for kind, names in named_in() for name in names}
    quoted = {(kind._meta.label, name) for kind, name in QUOTED_IN}
    listed = {(label, name) for table in (OWN, HARMLESS) for label, names in table.items() for name in names}
    known = Counter([*renamed, *quoted, *listed])
    assert known == Counter((kind._meta.label, field.name) for kind, field in columns())


def told(value: object) -> str:
    """As anyone can read it: letters are opened."""
    if isinstance(value, bytes | memoryview):
        raw = bytes(value)
        parts = message_from_bytes(raw, policy=policy.default).walk() if b"\n" in raw else ()
        opened = [part.get_payload(decode=True) for part in parts]
        return "\n".join(each.decode("latin-1") for each in (raw, *opened) if isinstance(each, bytes))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def remains(*more: str) -> list[str]:
    """Where one can still read who it was, or what she wrote."""
    named = []
    for kind, field in columns():
        for row in kind._default_manager.all():
            said = unescape(told(getattr(row, field.name))).lower()
            for what in (NAME, FORMER, SURNAME, EMAIL, SPELLED, WORD, *more):
                if what.lower() in said and f"{kind._meta.label}.{field.name}" not in READ_ON:
                    named.append(f"{kind._meta.label}.{field.name} {row.pk}: {what} in {said[:300]}")
    return named


@pytest.fixture
def willi(post: Post, bruno: Correspondent, charlie: Correspondent) -> Correspondent:
    """She has done all that leaves words, and her match is over."""
    register(name=FORMER, email=EMAIL, language="en", now=post.now)
    bruno.writes(f"CHIEDO A {FORMER}: giochi?")
    before = Correspondent(post, FORMER, EMAIL)
    before.writes(f"SET NAME {NAME}")
    before.answers(before.letter, "YES NAME")
    willi = Correspondent(post, NAME, EMAIL)
    willi.writes(f"PRINT NAME {NAME} {SURNAME}")
    pass_for = {"Authentication-Results": found("pass", EMAIL)}
    willi.writes("CHALLENGE Bruno zertz first", headers=pass_for)
    bruno.answers(bruno.letter, "SÌ\n\nCiao Wilhelmina!")
    match = Match.objects.get()
    willi.answers(willi.letter, f"Wd4, a1\n\nWhat {WORD} a day.")
    bruno.answers(bruno.letter, "Bb5, d7\n\nCiao Wilhelmina.")
    willi.writes(f"SAY {match.pk}: {WORD}!")
    willi.writes(f"NOTE {match.pk}: {WORD}")
    willi.writes(f"MESSAGE Bruno: {WORD} beside the match", headers=pass_for)
    bruno.answers(bruno.letter, "Grazie, Wilhelmina!")
    Player.objects.filter(name="Charlie").update(cadence="day")
    charlie.writes(f"CHALLENGE {NAME} loa:6x6 second")
    willi.answers(willi.letter, "YES")
    willi.answers(willi.letters[-1], f"b1-b3\n\n{WORD} again")
    willi.writes("CHALLENGE dora@example.org insert")
    willi.writes("OFFER emergo")
    willi.writes(f"AWAY 2026-06-01 2026-06-04 {WORD}")
    willi.writes("ADDRESS willi@second.example")
    willi.writes(f"DECLINE {match.pk}: {WORD}")
    willi.answers(willi.letter, f"HELP\n{WORD}", dmarc="fail")
    willi.writes(f"{WORD} nothing of this is a command")
    bruno.writes("GAMES")
    bruno.writes(f"WATCH {match.pk}")
    charlie.writes(f"MESSAGE {NAME}: how are you?")
    post.wait(days=2)
    post.digest()
    for each in Match.objects.filter(status=Match.Status.PLAYING):
        willi.writes(f"RESIGN {each.pk}", headers=pass_for)
        willi.answers(willi.letter, "YES RESIGN")
    post.wait(days=2)
    post.digest()
    assert not Match.objects.of(willi.player).alive().exists()
    return willi


def in_base64(said: str, now: datetime) -> bytes:
    letter = EmailMessage()
    letter["Authentication-Results"] = found("pass", "bruno@example.org")
    letter["From"], letter["To"] = "Bruno <bruno@example.org>", play_address()
    letter["Subject"], letter["Message-ID"] = f"Reclamo su {FORMER} — perché?", "<base64@example.org>"
    letter["Date"] = format_datetime(now)
    letter.set_content(said, cte="base64")
    return letter.as_bytes()


@pytest.fixture
def talked_about(
    willi: Correspondent, post: Post, bruno: Correspondent, charlie: Correspondent, stranger: Correspondent
) -> Correspondent:
    """Others name and quote her, to each other, to the organiser and for themselves, in their own matters."""
    match = Match.objects.filter(seats__player=bruno.player).latest("pk")
    bruno.writes(f"NOTA {match.pk}: {SURNAME} apre sempre così, e prima era {FORMER}")
    complaint = f"Caro organizzatore, la {SURNAME.upper()} non mi risponde più, le scriverei a {SPELLED}.\n"
    quoted = f"\n> Il giorno 4 maggio {NAME}\n> {SURNAME} <{EMAIL}> ha scritto:\n> ciao\n"
    assert post.deliver(in_base64(complaint + quoted, post.now), play_address(), bruno.email).verdict == "ok"
    charlie.writes(f"MESSAGE Bruno: have you met Ms {SURNAME}?")
    charlie.writes(f"CHALLENGE emma@example.net loa\n\n{NAME} plays here, too!")
    charlie.writes(f"CHALLENGE {SPELLED} zertz")
    stranger.writes("I wonder who she is?", subject=f"About Ms {SURNAME}")
    write(bruno.player, f"Frau {SURNAME} bittet um Geduld.", now=post.now)
    post.send()
    return willi


@pytest.mark.prove
def test_nothing_that_she_wrote_and_nothing_that_names_her_remains(
    willi: Correspondent, post: Post, bruno: Correspondent
) -> None:
    before = remains()
    held = {each.split(" ", 1)[0] for each in before}
    assert held >= {
        "players.Player.name",
        "players.Message.text",
        "matches.Turn.message",
        "matches.Event.facts",
        "matches.Note.text",
        "inbox.InboundMail.raw",
        "outbox.OutboundMail.text",
    }
    counted = Match.objects.count()
    erase(willi.player, now=post.now)
    assert remains() == []
    assert Match.objects.count() == counted
    assert OutboundMail.objects.filter(kind="forgotten").exists()
    for row in OutboundMail.objects.all():
        assert WORD not in compose(row).text


@pytest.mark.prove
def test_nothing_remains_of_what_others_say_of_her(
    talked_about: Correspondent, post: Post, bruno: Correspondent, charlie: Correspondent
) -> None:
    do_not_contact(EMAIL, now=post.now)
    held = {each.split(" ", 1)[0] for each in remains()}
    assert held >= {
        "players.FormerName.name",
        "players.PrintName.name",
        "matches.Note.text",
        "matches.Invitation.address",
        "matches.Invitation.message",
        "inbox.PersonalMessage.subject",
        "inbox.PersonalMessage.text",
        "inbox.InboundMail.raw",
    }
    number = talked_about.player.pk
    erase(talked_about.player, now=post.now)
    assert remains() == []
    for row in OutboundMail.objects.all():
        assert not {word for word in (NAME, FORMER, SURNAME, EMAIL) if word in compose(row).text}
    [note] = Note.objects.filter(player=bruno.player)
    assert note.text == f"erased-{number} apre sempre così, e prima era erased-{number}"
    assert PersonalMessage.objects.filter(player=bruno.player).exists(), "what is his stays"


@pytest.mark.prove
@pytest.mark.parametrize("others", [False, True])
def test_a_surname_is_a_word_too(
    willi: Correspondent, post: Post, bruno: Correspondent, others: bool
) -> None:
    """Rossi is a name, rossi are red; and what somebody else is called stays theirs."""
    PrintName.objects.filter(player=willi.player).update(name="Willi Rossi")
    bruno.writes(f"NOTA {Match.objects.of(bruno.player).latest('pk').pk}: Rossi ha i pezzi rossi")
    if others:
        registered(post, "Rossi", "it")
    number = willi.player.pk
    erase(willi.player, now=post.now)
    called = "Rossi" if others else f"erased-{number}"
    assert Note.objects.get(player=bruno.player).text == f"{called} ha i pezzi rossi"


def test_a_number_that_is_longer_than_the_name_leaves_room(post: Post, bruno: Correspondent) -> None:
    """PostgreSQL takes no more than a column has, and nothing would be erased."""
    al = register(name="Al", email="al@example.org", language="en", now=post.now)
    bruno.writes("Caro organizzatore, chi di loro non risponde mai?", subject="Al " * 66)
    erase(al, now=post.now)
    subject = PersonalMessage.objects.get().subject
    assert subject.startswith(f"erased-{al.pk} erased-{al.pk}")
    assert len(subject) == 200


@pytest.mark.prove
def test_what_others_wrote_is_read_on(willi: Correspondent, post: Post, bruno: Correspondent) -> None:
    """Bruno's other letters stay as they are, but for the name."""
    row = bruno.writes("CHALLENGE Charlie zertz first")
    text = OutboundMail.objects.latest("pk").text
    erase(willi.player, now=post.now)
    row.refresh_from_db()
    assert bytes(row.raw)
    assert OutboundMail.objects.latest("pk").text == text
    assert InboundMail.objects.filter(verdict="").count() == 0


@pytest.mark.prove
def test_a_name_that_somebody_has_taken_does_not_stand_in_the_way(
    willi: Correspondent, post: Post, bruno: Correspondent
) -> None:
    number = willi.player.pk
    Player.objects.filter(pk=bruno.player.pk).update(name=f"erased-{number}", folded=f"erased-{number}")
    erase(willi.player, now=post.now)
    assert Player.objects.get(pk=number).name == f"erased-{number}-2"


def test_whoever_is_called_like_a_word_of_ours_breaks_no_letter(post: Post, bruno: Correspondent) -> None:
    turn = register(name="Turn", email="turn@example.org", language="en", now=post.now)
    bruno.writes("CHALLENGE Turn zertz first")
    kinds = sorted(OutboundMail.objects.exclude(player=turn).values_list("kind", "sections"), key=str)
    Match.objects.update(status=Match.Status.DECLINED)
    erase(turn, now=post.now)
    assert [kind for kind, _ in kinds] == sorted(OutboundMail.objects.values_list("kind", flat=True))
    for row in OutboundMail.objects.all():
        compose(row)


@pytest.mark.prove
def test_the_audit_forgets_addresses_on_its_buttons(post: Post, willi: Correspondent) -> None:
    browser = Client()
    browser.force_login(User.objects.create_superuser("olga"))
    address = willi.player.addresses.get(email=EMAIL)
    address.paused_at = post.now - timedelta(days=1)
    address.save()
    browser.post(f"/admin/players/player/{willi.player.pk}/press/probe-{address.pk}/")
    assert any("AuditEntry" in each for each in remains())
    erase(willi.player, now=post.now)
    assert not [each for each in remains() if "AuditEntry" in each]
