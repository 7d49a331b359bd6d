"""Each mistake of an operator is named in a line, with what to do; what is right is clean."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.nameserver import Zone, served
from tests.pbem.operator.installation import DOMAIN, KEY, Installation, settings_of, zone
from tests.relay import Relay, certificate

pytestmark = pytest.mark.django_db
NOBODY = "127.0.0.1:1"  # where nothing listens


@pytest.fixture
def relay() -> Iterator[Relay]:
    with Relay(offers=("AUTH PLAIN LOGIN",)).open() as relay:
        yield relay


@pytest.fixture
def well(tmp_path: Path, migrated: Path, relay: Relay) -> Iterator[Installation]:
    """SQLite and one process, as `pbem setup` leaves it, before the first start."""
    var = tmp_path / "var"
    var.mkdir()
    shutil.copyfile(migrated, var / "pbem.sqlite3")
    with served(zone()) as names:
        yield Installation(tmp_path, settings_of(var, relay, names), names)


def test_what_is_right_is_clean(well: Installation) -> None:
    assert list(map(str, well.problems())) == []


# What is written, and the setting that is named; each mistake alone.
MISTAKES: list[tuple[dict[str, str | None], str]] = [
    ({"SECRET_KEY": ""}, "SECRET_KEY"),
    ({"SECRET_KEY": "short"}, "SECRET_KEY"),
    ({"MAIL_TOKEN_KEYS": None}, "MAIL_TOKEN_KEYS"),
    ({"MAIL_TOKEN_KEYS": "1:"}, "MAIL_TOKEN_KEYS"),
    ({"MAIL_TOKEN_KEYS": "1:abc"}, "MAIL_TOKEN_KEYS"),
    ({"MAIL_TOKEN_KEYS": KEY}, "MAIL_TOKEN_KEYS"),
    ({"MAIL_DOMAIN": None}, "MAIL_DOMAIN"),
    ({"MAIL_DOMAIN": ""}, "MAIL_DOMAIN"),
    ({"MAIL_DOMAIN": f"https://{DOMAIN}"}, "MAIL_DOMAIN"),
    ({"MAIL_DOMAIN": "play@example.org"}, "MAIL_DOMAIN"),
    ({"MAIL_DOMAIN": "play example.org"}, "MAIL_DOMAIN"),
    ({"MAIL_DOMAIN": "elsewhere.example.org"}, "DNS"),
    ({"MAIL_SEPARATOR": "@"}, "MAIL_SEPARATOR"),
    ({"MAIL_SEPARATOR": ""}, "MAIL_SEPARATOR"),
    ({"SITE_URL": None}, "SITE_URL"),
    ({"SITE_URL": DOMAIN}, "SITE_URL"),
    ({"SITE_URL": f"http://{DOMAIN}"}, "SITE_URL"),
    ({"SITE_URL": f"https://{DOMAIN}/pbem/"}, "SITE_URL"),
    ({"SITE_URL": "http://["}, "SITE_URL"),
    ({"ALLOWED_HOSTS": "localhost"}, "ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
    ({"TRUSTED_PROXIES": "proxy.example.org"}, "TRUSTED_PROXIES"),
    ({"WEB_LISTEN": "8000"}, "WEB_LISTEN"),
    ({"WEB_LISTEN": "127.0.0.1:99999"}, "WEB_LISTEN"),
    ({"SMTP_LISTEN": "localhost:smtp"}, "SMTP_LISTEN"),
    ({"SMTP_LISTEN": "0.0.0.0:2525"}, "SMTP_LISTEN"),
    ({"SMTP_LISTEN": NOBODY, "WEB_LISTEN": NOBODY}, "SMTP_LISTEN"),
    ({"SMTP_PROTOCOL": "uucp"}, "SMTP_PROTOCOL"),
    ({"SMTP_PROTOCOL": "smtp", "SMTP_LISTEN": "0.0.0.0:1"}, "SMTP_CERTIFICATE"),
    ({"SMTP_CONNECTIONS": "0"}, "SMTP_CONNECTIONS"),
    ({"SMTP_CONNECTIONS": "many"}, "SMTP_CONNECTIONS"),
    ({"SMTP_CERTIFICATE": "/nowhere/door.pem"}, "SMTP_CERTIFICATE"),
    ({"SMTP_CERTIFICATE": __file__}, "SMTP_CERTIFICATE"),
    ({"IMAP_URL": "imaps://mail.example.org/INBOX"}, "IMAP_URL"),
    ({"IMAP_URL": "imap://play:hunter2@mail.example.org/INBOX"}, "IMAP_URL"),
    ({"IMAP_URL": f"imap://play:hunter2@{NOBODY}/INBOX"}, "IMAP_URL"),
    ({"IMAP_SECONDS": "300"}, "IMAP_SECONDS"),
    ({"ANYMAIL_WEBHOOK_SECRET": "postmark:short"}, "ANYMAIL_WEBHOOK_SECRET"),
    ({"EMAIL_URL": None}, "EMAIL_URL"),
    ({"EMAIL_URL": "pigeon://loft"}, "EMAIL_URL"),
    ({"EMAIL_URL": "smtp://relay.example.org:submission"}, "EMAIL_URL"),
    ({"EMAIL_URL": "smtp://pbem:hunter2@relay.invalid:587"}, "EMAIL_URL"),
    ({"EMAIL_URL": f"smtp://{NOBODY}"}, "EMAIL_URL"),
    ({"EMAIL_CERTIFICATES": "/nowhere/ca.pem", "EMAIL_URL": f"smtps://{NOBODY}"}, "EMAIL_CERTIFICATES"),
    ({"LETTERS_AT_ONCE": "0"}, "LETTERS_AT_ONCE"),
    ({"DATABASE_URL": "pbem.sqlite3"}, "DATABASE_URL"),
    ({"DATABASE_URL": "sqlite:////nowhere/pbem.sqlite3"}, "DATABASE_URL"),
    ({"DATABASE_URL": f"sqlite:///{__file__}"}, "DATABASE_URL"),
    ({"DATABASE_URL": "sqlite://:memory:"}, "DATABASE_URL"),  # without tables
    ({"DATABASE_URL": f"postgres://pbem:hunter2@{NOBODY}/pbem"}, "DATABASE_URL"),
    ({"CELERY_BROKER_URL": f"redis://{NOBODY}/0"}, "CELERY_BROKER_URL"),
    ({"CELERY_BROKER_URL": "localhost:6379"}, "CELERY_BROKER_URL"),
    ({"CELERY_BROKER_URL": "redis://[::1/0"}, "CELERY_BROKER_URL"),
    ({"DEBUG": "1"}, "DEBUG"),
    ({"DEBUG": "perhaps"}, "DEBUG"),
    ({"DEVELOPMENT": "1"}, "DEVELOPMENT"),
    ({"DEVELOPMENT": "sometimes"}, "DEVELOPMENT"),
    ({"LANGUAGE_CODE": "xx"}, "LANGUAGE_CODE"),
    ({"LANGUAGE_CODE": "de"}, "LANGUAGE_CODE"),  # Django has it
    ({"TIME_ZONE": "Mars/Phobos"}, "TIME_ZONE"),
    ({"LOG_LEVEL": "LOUD"}, "LOG_LEVEL"),
    ({"SWEEP_SECONDS": "0"}, "SWEEP_SECONDS"),
    ({"LEASE_SECONDS": "5"}, "LEASE_SECONDS"),
    ({"BACK_OFF_MINUTES": "soon"}, "BACK_OFF_MINUTES"),
    ({"SLOW_DOWN_SECONDS": "0"}, "SLOW_DOWN_SECONDS"),
    ({"STRANGERS_PER_HOUR": "0"}, "STRANGERS_PER_HOUR"),
    ({"STRANGERS_PER_HOUR": "a few"}, "STRANGERS_PER_HOUR"),
    ({"RETAIN_LETTERS": "-1"}, "RETAIN_LETTERS"),
    ({"ABSENCE_DAYS": "-3"}, "ABSENCE_DAYS"),
    ({"VAR": "/nowhere/at/all", "DATABASE_URL": "sqlite://:memory:"}, "VAR"),
    ({"VAR": "/etc/hostname", "DATABASE_URL": "sqlite://:memory:"}, "VAR"),
    ({"VAR": "/proc/none", "DATABASE_URL": "sqlite://:memory:"}, "VAR"),
    ({"DEVELOPMENT": "1", "VAR": "/proc/none", "DATABASE_URL": "sqlite://:memory:"}, "VAR"),
    ({"DISK_RESERVE": "1000000000"}, "DISK_RESERVE"),
    ({"DISK_RESERVE": "-1"}, "DISK_RESERVE"),
    ({"ORGANISER_EMAIL": None}, "ORGANISER_EMAIL"),
    ({"ORGANISER_EMAIL": "Olga <olga@example.org>"}, "ORGANISER_EMAIL"),
    ({"ORGANISER_EMAIL": f"play@{DOMAIN}"}, "ORGANISER_EMAIL"),
    ({"VERIFY_SENDERS": None}, "VERIFY_SENDERS"),
    ({"AUTHSERV_IDS": "smtp://mail.example.org"}, "AUTHSERV_IDS"),
    ({"TRUST_LOCAL_SENDERS": "1"}, "TRUST_LOCAL_SENDERS"),
    ({"PEC_PROVIDERS": "posta@pec.example"}, "PEC_PROVIDERS"),
    ({"DNS_SERVERS": "dns.example"}, "DNS_SERVERS"),
    ({"DKIM_SELECTORS": "pbem,other"}, "DNS"),
    ({"MAILDOMAIN": "x"}, "MAILDOMAIN"),
    ({"Site_Url": "x"}, "Site_Url"),
    ({"ORGANIZER_EMAIL": "olga@example.org"}, "ORGANIZER_EMAIL"),
]


def test_the_table_is_long() -> None:
    assert len(MISTAKES) >= 60


@pytest.mark.prove
def test_each_mistake_is_named_in_a_line_with_what_to_do(well: Installation) -> None:
    missed = []
    for written, setting in MISTAKES:
        found = well.problems(**written)
        named = {problem.setting for problem in found}
        if setting not in named or "doctor" in named:
            missed.append((written, list(map(str, found))))
        for problem in found:
            assert problem.hint, problem
            assert "\n" not in str(problem)
            assert "hunter2" not in str(problem)
    assert missed == []


def test_what_cannot_be_read_is_said_once_and_not_what_stands_in_its_place(well: Installation) -> None:
    [only] = well.problems(DATABASE_URL="pbem.sqlite3")
    assert "Not a valid database URL" in only.problem


def test_an_unknown_name_comes_with_the_nearest(well: Installation) -> None:
    well.file.write_text(f"MAILDOMAIN={DOMAIN}\nEMAIL_HOST=localhost\nPGPASSFILE=/x\nQUITE_ANOTHER=1\n")
    well.file.chmod(0o600)
    assert [(problem.setting, problem.hint) for problem in well.problems()] == [
        ("MAILDOMAIN", "Did you mean MAIL_DOMAIN?"),
        ("EMAIL_HOST", "Did you mean EMAIL_URL?"),
        ("QUITE_ANOTHER", "Leave it out; deploy/SETTINGS.md has all of them."),
    ]


def test_the_file_is_looked_at_as_well(well: Installation) -> None:
    well.file.write_text("export DEBUG=0\nABSENCE_DAYS=30\nABSENCE_DAYS=31\n")
    well.file.chmod(0o644)
    assert [str(problem) for problem in well.problems()] == [
        f"{well.file}: everybody on this machine can read the keys. chmod 600 {well.file}",
        f"{well.file}: line 1 is no NAME=VALUE ('export DEBUG'). Nothing reads it: mend it.",
        "ABSENCE_DAYS: stands in lines 2, 3. The last one counts: leave one.",
    ]


def _two_spf(zone: Zone) -> None:
    zone.txt(DOMAIN, "v=spf1 +all")


def _without(name: str, kind: str) -> Callable[[Zone], None]:
    return lambda zone: zone.records[name].__setitem__(kind, [])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_without(DOMAIN, "MX"), "has no MX record"),
        (_without(DOMAIN, "A"), "has no address"),
        (_without(DOMAIN, "TXT"), "has no SPF record"),
        (_two_spf, "has 2 SPF records"),
        (_without(f"_dmarc.{DOMAIN}", "TXT"), "has no DMARC policy"),
        (_without(f"pbem._domainkey.{DOMAIN}", "TXT"), "there is no DKIM key"),
        (_without("1.2.0.192.in-addr.arpa", "PTR"), "has no name that leads back to it"),
        (lambda zone: zone.broken.add(DOMAIN), "no answer about"),
    ],
)
def test_what_name_servers_lack_is_written_out(
    well: Installation, change: Callable[[Zone], None], said: str
) -> None:
    change(well.zone)
    [problem] = well.problems()
    assert said in str(problem)
    assert problem.setting in ("DNS", "DNS_SERVERS")


@pytest.mark.parametrize(
    ("url", "replies", "said"),
    [
        ("smtp://{}", {"RCPT": ["554 5.7.1 Relay access denied"]}, "Let it send mail of MAIL_DOMAIN"),
        ("smtp://pbem:wrong@{}", {"AUTH": ["535 5.7.8 no"] * 3}, "Are USER and PASSWORD right"),
        ("smtp+starttls://{}", {}, "Write smtps://"),
        ("smtp://{}", {"CONNECT": ["421 too busy"]}, "Is it running"),
    ],
)
def test_what_the_relay_says_comes_with_a_hint(
    well: Installation, relay: Relay, url: str, replies: dict[str, list[str]], said: str
) -> None:
    relay.script.update(replies)
    [problem] = well.problems(EMAIL_URL=url.format("{}:{}".format(*relay.address)))
    assert problem.setting == "EMAIL_URL"
    assert said in problem.hint
    assert relay.taken == []


def test_a_relay_whose_certificate_nobody_vouches_for_is_named(well: Installation, tmp_path: Path) -> None:
    public, tls = certificate(tmp_path)
    with Relay(offers=("STARTTLS",), tls=tls).open() as relay:
        url = f"smtp+starttls://localhost:{relay.address[1]}"
        [problem] = well.problems(EMAIL_URL=url)
        assert "EMAIL_CERTIFICATES" in problem.hint
        assert well.problems(EMAIL_URL=url, EMAIL_CERTIFICATES=str(public)) == []


def test_another_program_at_the_door_is_named(well: Installation, relay: Relay) -> None:
    [problem] = well.problems(SMTP_LISTEN="{}:{}".format(*relay.address))
    assert (problem.setting, "another program (220 relay)" in problem.problem) == ("SMTP_LISTEN", True)
