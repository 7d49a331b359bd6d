"""Nothing of an erased player stays, in whatever column; and no column is forgotten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import models
from django.test import Client

from pbem.desk.people.copies_of_erased import NAMED_IN
from pbem.desk.people.erasure import erase
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.compose import compose
from pbem.players.models import Player
from pbem.players.services import register
from tests.post import Correspondent, Post, found

NAME, EMAIL, WORD = "Wilhelmina", "willi@secret.example", "xyzzy"
APPS = ("players", "matches", "contests", "outbox", "inbox", "desk")
WORDS = (
    models.TextField,
    models.CharField,
    models.JSONField,
    models.BinaryField,
    models.GenericIPAddressField,
)
# Columns whose rows go with the player, or are emptied, and are looked at below.
ERASED = {
    "players.Player": {"name", "folded", "skeleton"},
    "players.Address": {"email", "mailbox"},
    "players.AddressChange": {"email"},
    "players.Absence": {"message"},
    "players.Message": {"text"},
    "players.PrintName": {"name"},
    "players.FormerName": {"name"},
    "players.OrganiserNote": {"text"},
    "matches.Turn": {"written", "message"},
    "matches.Event": {"facts"},
    "matches.Note": {"text"},
    "matches.Invitation": {"address", "mailbox", "message", "opening"},
    "matches.ConditionalLine": {"moves"},
    "matches.Tournament": {"name"},
    "matches.Entry": {"reason"},
    "matches.Announcement": {"words", "subjects"},
    "matches.Bulletin": {"words"},
    "matches.TournamentInvitation": {"address"},
    "matches.Commentary": {"title", "words"},
    "matches.ChosenPosition": {"caption"},
    "contests.Contest": {"name"},
    "contests.Entrant": {"reason"},
    "contests.Circuit": {"name"},
    "contests.Stage": {"name", "imported"},
    "inbox.InboundMail": {
        "raw",
        "sender",
        "recipient",
        "peer",
        "helo",
        "queue_key",
        "account",
        "server",
        "reading",
    }
    | {"trouble", "dropped_why"},
    "inbox.Confirmation": {"address", "lines", "message"},
    "inbox.PersonalMessage": {"subject", "text"},
    "inbox.Answered": {"whom"},
    "outbox.OutboundMail": {"address", "sections", "text", "answer", "dropped_why"},
    "outbox.DigestItem": {"section"},
    "outbox.BouncedMail": {"address", "reply"},
    "outbox.SlowDomain": {"answer"},
    "desk.AuditEntry": {"said", "named", "reason", "before", "after"},
}
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
        "free_weekdays",
    }
    | {"salt"},
    "players.FormerName": {"look"},
    "contests.Contest": {"system", "game_name", "terms", "settings"},
    "contests.Table": {"label"},
    "contests.Entrant": {"state", "byes", "table"},
    "contests.Circuit": {"points"},
    "players.Absence": {"kind"},
    "players.Message": {"salt"},
    "players.Refusing": {"game"},
    "players.Limit": {"game"},
    "players.Undisturbed": {"email"},  # who is not to be written to: the wish stays, and protects
    "matches.Match": {"game_name", "setup", "terms", "status", "position", "reason", "stopped", "reminded"},
    "matches.Turn": {"move", "position", "key", "how"},
    "matches.Event": {"kind"},
    "matches.Seat": {"salt", "revoked_salts", "free"},
    "matches.Offer": {"kind", "facts"},
    "matches.Seek": {"game_name", "setup", "terms", "language"},
    "matches.Invitation": {"game_name", "setup", "terms", "salt"},
    "matches.ConditionalLine": {"position", "language", "coordinates", "fate"},
    "matches.Tournament": {"system", "game_name", "terms"},
    "matches.Announcement": {"to"},
    "matches.Bulletin": {"language"},
    "matches.Heartbeat": {"component"},
    "matches.Outage": {"component", "why", "note"},
    "matches.Stoppage": {"component", "why", "note"},
    "matches.ClockTurn": {"free"},
    "inbox.InboundMail": {"digest", "message_key", "verdict"},  # hashes recognise a repeated delivery
    "inbox.Confirmation": {"language", "salt"},
    "inbox.SeenMessage": {"digest"},
    "inbox.Answered": {"cap"},
    "outbox.OutboundMail": {"cause", "kind", "domain", "language", "salt", "status", "verdict", "message_id"}
    | {"trouble"},
    "outbox.BouncedMail": {"fate"},
    "outbox.SlowDomain": {"domain"},
    "desk.AuditEntry": {"who", "verb", "kind"},
    "desk.SignInAttempt": {"account", "address"},  # of organisers, for an hour
    "desk.SecondFactor": {"salt"},
    "desk.RecoveryCode": {"digest"},
}


def columns() -> Iterator[tuple[type[models.Model], models.Field[Any, Any]]]:
    for name in APPS:
        for kind in apps.get_app_config(name).get_models():
            yield from ((kind, field) for field in kind._meta.concrete_fields if isinstance(field, WORDS))


def test_every_column_that_can_hold_words_is_erased_or_known_to_be_harmless() -> None:
    """Anyone who adds one decides which, and erases what it holds of a player."""
    for kind, field in columns():
        label = kind._meta.label
        known = (field.name in ERASED.get(label, ())) + (field.name in HARMLESS.get(label, ()))
        assert known == 1, f"{label}.{field.name}"


def test_what_is_searched_for_a_name_is_there() -> None:
    for kind, names in NAMED_IN:
        assert set(names) <= ERASED[kind._meta.label]


def told(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("latin-1")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def remains() -> list[str]:
    """Where one can still read who it was, or what she wrote."""
    named = []
    for kind, field in columns():
        for row in kind._default_manager.all():
            said = told(getattr(row, field.name)).lower()
            for what in (NAME, EMAIL, WORD):
                if what.lower() in said:
                    named.append(f"{kind._meta.label}.{field.name} {row.pk}: {what} in {said[:300]}")
    return named


@pytest.fixture
def willi(post: Post, bruno: Correspondent, charlie: Correspondent) -> Correspondent:
    """She has done all that leaves words, and her match is over."""
    register(name=NAME, email=EMAIL, language="en", now=post.now)
    willi = Correspondent(post, NAME, EMAIL)
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
    assert OutboundMail.objects.filter(kind="erased").exists()
    for row in OutboundMail.objects.all():
        assert WORD not in compose(row).text


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
