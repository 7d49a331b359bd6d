"""Unsafe defaults stop the service outside development; every mistake comes with a hint."""

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.exceptions import ImproperlyConfigured

from games.engine.robot import LEVELS
from pbem import settings as settings_module
from pbem.checks import check_settings, refuse_unsafe_settings
from tests.pbem.operator.installation import surrounded_by

ROOT = Path(__file__).parents[2]


def mistakes() -> set[str]:
    found = check_settings(None)
    assert all(mistake.hint for mistake in found)
    return {str(mistake.id) for mistake in found}


def in_production(settings: LazySettings) -> None:
    settings.DEVELOPMENT = False
    settings.SECRET_KEY = "a long random text of an operator who read the hint"
    settings.MAIL_TOKEN_KEYS = "2:" + "ab" * 32
    settings.MAIL_DOMAIN = "play.example.org"
    settings.EMAIL_URL = "smtp://127.0.0.1:25"
    settings.VAR = ROOT


def test_the_defaults_are_right_for_development() -> None:
    assert mistakes() == set()


def test_the_organiser_may_have_a_mailbox_in_the_same_domain(settings: LazySettings) -> None:
    in_production(settings)
    settings.ORGANISER_EMAIL = "olga@play.example.org"
    assert mistakes() == set()


def test_the_defaults_are_refused_in_production(settings: LazySettings) -> None:
    settings.DEVELOPMENT = False
    settings.VAR = ROOT
    assert mistakes() == {"pbem.E010", "pbem.E011", "pbem.E012", "pbem.E014"}


def test_a_production_that_set_them_starts(settings: LazySettings) -> None:
    in_production(settings)
    refuse_unsafe_settings(one_process=True)


@pytest.mark.parametrize(
    ("name", "value", "mistake"),
    [
        ("MAIL_TOKEN_KEYS", "1:abc", "pbem.E001"),
        ("SMTP_PROTOCOL", "uucp", "pbem.E002"),
        ("ORGANISER_EMAIL", "Olga <olga@example.org>", "pbem.E050"),
        ("ORGANISER_NAME", "Olga\nRossi", "pbem.E077"),
        ("ORGANISER_NAME", "Olga" * 100, "pbem.E077"),
        ("SMTP_LISTEN", "2525", "pbem.E003"),
        ("WEB_LISTEN", "localhost:http", "pbem.E003"),
        ("IMAP_URL", "imaps://mail.example.org/INBOX", "pbem.E021"),
        ("IMAP_URL", "imap://play:secret@mail.example.org/INBOX", "pbem.E022"),
        ("ANYMAIL", {"WEBHOOK_SECRET": ["postmark:short"]}, "pbem.E023"),
        ("ROBOT_COMMANDS", {"3 chess": "true"}, "pbem.E075"),
        ("ROBOT_COMMANDS", {"3 loa": "/nowhere/engine"}, "pbem.E075"),
        ("ROBOT_COMMANDS", {"7": "true"}, "pbem.E075"),
        ("ROBOT_COMMANDS", ["true"], "pbem.E075"),
        ("SMTP_CERTIFICATE", "/nowhere/door.pem", "pbem.E020"),
        ("EMAIL_URL", "pigeon://loft", "pbem.E005"),
        ("EMAIL_URL", "smtp://pbem:secret@relay.example.org:587", "pbem.E016"),
        ("DNS_SERVERS", ["dns.example"], "pbem.E030"),
        ("PEC_PROVIDERS", ["posta-certificata@pec.example"], "pbem.E032"),
        ("DNS_SERVERS", ["127.0.0.1:domain"], "pbem.E030"),
        ("DEBUG", True, "pbem.E009"),
        ("LEASE_SECONDS", 5.0, "pbem.E015"),
        ("TRUSTED_PROXIES", ["proxy.example.org"], "pbem.E060"),
        ("MAIL_DOMAIN", "https://play.example.org", "pbem.E062"),
        ("MAIL_DOMAIN", "play@example.org", "pbem.E062"),
        ("MAIL_DOMAIN", "play.example.org/", "pbem.E062"),
        ("MAIL_DOMAIN", "", "pbem.E062"),
        ("SITE_URL", "play.example.org", "pbem.E063"),
        ("SITE_URL", "https://", "pbem.E063"),
        ("SITE_URL", "http://[", "pbem.E063"),
        ("ORGANISER_EMAIL", "play@play.example.org", "pbem.E064"),
        ("ORGANISER_EMAIL", "Play@Play.Example.org", "pbem.E064"),
        ("ORGANISER_EMAIL", "m+abcdef@play.example.org", "pbem.E064"),
        ("VAR", Path("/nowhere/at/all"), "pbem.E065"),
        ("VAR", Path("/etc/hostname"), "pbem.E065"),
        ("VAR", Path("/proc"), "pbem.E065"),  # where root may write, and cannot
    ],
)
def test_each_mistake_is_named(settings: LazySettings, name: str, value: object, mistake: str) -> None:
    in_production(settings)
    setattr(settings, name, value)
    assert mistakes() == {mistake}


def test_numbers_out_of_range_are_told_together() -> None:
    with surrounded_by({"DEVELOPMENT": "1", "SMTP_CONNECTIONS": "0", "IMAP_SECONDS": "300"}) as refused:
        connections, mailbox = map(str, refused())
    assert connections.startswith("SMTP_CONNECTIONS: '0': Must be greater than or equal to 1.")
    assert "IMAP_SECONDS: '300': " in mailbox
    assert "less than or equal to 240" in mailbox


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HEALTH_SECONDS", "-1"),
        ("LETTERS_AT_ONCE", "0"),
        ("BACK_OFF_MINUTES", ""),
        ("SLOW_DOWN_SECONDS", "30,0"),
        ("LEASE_SECONDS", "0"),
        ("SWEEP_SECONDS", "0"),
        ("ROBOT_LEVELS", "1,99"),
        ("DOOR_CONNECTIONS", "0"),
    ],
)
def test_a_number_out_of_range_is_named(name: str, value: str) -> None:
    with surrounded_by({"DEVELOPMENT": "1", name: value}) as refused:
        [mistake] = refused()
    assert str(mistake).startswith(f"{name}: {value!r}: ")


def test_in_development_the_folder_is_made_when_it_is_needed(settings: LazySettings, tmp_path: Path) -> None:
    settings.VAR = tmp_path / "not" / "yet"
    assert mistakes() == set()
    settings.VAR = Path("/proc/none")
    assert mistakes() == {"pbem.E065"}


def test_a_bell_without_a_broker_is_refused_where_processes_are_split(settings: LazySettings) -> None:
    in_production(settings)
    with pytest.raises(ImproperlyConfigured, match=r"memory://(.|\n)*manage.py serve"):
        refuse_unsafe_settings()


def test_the_levels_that_robots_may_have_are_those_of_the_engine() -> None:
    assert tuple(LEVELS) == settings_module._LEVELS


def test_every_setting_is_explained() -> None:
    source = (ROOT / "pbem/settings.py").read_text("utf-8")
    named = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    former = {name for name in named if name.startswith("DOOR_")}
    table = (ROOT / "deploy/SETTINGS.md").read_text("utf-8")
    explained = set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE))
    assert named - former == explained
    assert {name.replace("DOOR_", "SMTP_") for name in former} <= explained


def test_certificates_that_cannot_be_read_are_named(settings: LazySettings, tmp_path: Path) -> None:
    in_production(settings)
    settings.EMAIL_URL = "smtps://relay.example.org"
    empty = tmp_path / "empty.pem"
    empty.touch()
    for file in (empty, tmp_path / "missing.pem"):
        settings.EMAIL_CERTIFICATES = str(file)
        assert mistakes() == {"pbem.E007"}
