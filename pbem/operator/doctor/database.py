"""Checks the database (connection, tables, clock) and the DNS records of MAIL_DOMAIN."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler

from pbem.mail.authentication.dmarc import has_policy
from pbem.network import LOOPBACK, Resolver, Unanswered, ask
from pbem.old_databases import HINT, OLD, is_old
from pbem.operator.problem import Problem

TIMEOUT = 5  # seconds for an answer
APART = 5.0  # seconds that two clocks may differ
OLDER = "database is older than this program"
MIGRATE = "Run `pbem upgrade` (or `manage.py migrate`)."


def problems() -> Iterator[Problem]:
    connection = _connection()
    try:
        connection.ensure_connection()
        yield from _tables(connection)
        yield from _clock(connection)
    except (DatabaseError, OSError) as trouble:
        yield Problem(
            "DATABASE_URL", f"the database cannot be used: {_one_line(trouble)}.", _hint(connection)
        )
    finally:
        connection.close()


def _connection() -> BaseDatabaseWrapper:
    """Returns a new connection, without a pool and with a short timeout."""
    entry: dict[str, Any] = dict(settings.DATABASES["default"])
    options = {name: value for name, value in entry.get("OPTIONS", {}).items() if name != "pool"}
    if not _is_sqlite(entry):
        options["connect_timeout"] = TIMEOUT
    entry["OPTIONS"] = options
    return ConnectionHandler({"default": entry}).create_connection("default")


def pending() -> list[str]:
    """Returns the unapplied migrations. Raises DatabaseError."""
    connection = _connection()
    try:
        return _pending(MigrationExecutor(connection))
    finally:
        connection.close()


def _pending(executor: MigrationExecutor) -> list[str]:
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def _tables(connection: BaseDatabaseWrapper) -> Iterator[Problem]:
    applied = MigrationRecorder(connection).applied_migrations()
    executor = MigrationExecutor(connection)
    if is_old(applied):
        yield Problem("DATABASE_URL", OLD, HINT)
    elif not applied:
        yield Problem("DATABASE_URL", "the database is empty.", MIGRATE)
    elif waiting := _pending(executor):
        yield Problem(
            "DATABASE_URL", f"the {OLDER} ({len(waiting)} migrations, the first {waiting[0]}).", MIGRATE
        )
    elif newer := _later(executor, applied):
        yield Problem(
            "DATABASE_URL",
            f"the database is newer than this program: it has {newer[-1]}.",
            "Install the later version again.",
        )


def _later(executor: MigrationExecutor, applied: Collection[tuple[str, str]]) -> list[str]:
    """Returns applied migrations that only a later program has."""
    ours = executor.loader.disk_migrations
    apps = {app for app, _ in ours}
    return sorted(".".join(name) for name in applied if name[0] in apps and name not in ours)


def _clock(connection: BaseDatabaseWrapper) -> Iterator[Problem]:
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [there] = cursor.fetchone() or [None]
    here = datetime.now(UTC)
    if there and (apart := abs((here - there).total_seconds())) > APART:
        yield Problem(
            "clock",
            f"that of the database is {apart:.0f} s off this one.",
            "Set both: timedatectl set-ntp true.",
        )


def _hint(connection: BaseDatabaseWrapper) -> str:
    if connection.vendor == "sqlite":
        return f"Is it a database ({connection.settings_dict['NAME']}), in a folder that the service may write in?"
    return "Is it running, and are host, name, user and password right? postgres://USER:PASSWORD@HOST/NAME"


def _is_sqlite(entry: dict[str, Any]) -> bool:
    return str(entry["ENGINE"]).endswith("sqlite3")


def _one_line(trouble: BaseException) -> str:
    return " ".join(str(trouble).split()).rstrip(".")


# DNS records of MAIL_DOMAIN

RECORDS_PATIENCE = 20.0  # seconds for all questions
PRIVATE = ("localhost", "test", "invalid", "local", "internal", "lan")
IN_DNS = "Publish it in DNS:"


def record_problems() -> Iterator[Problem]:
    domain: str = settings.MAIL_DOMAIN
    if domain.rpartition(".")[2] in PRIVATE or not domain:
        return
    dns = Resolver(ask, patience=RECORDS_PATIENCE)
    try:
        yield from _mx(domain, dns)
        yield from _spf(domain, dns)
        yield from _dkim(domain, dns)
        if has_policy(f"play@{domain}", dns) is False:
            yield Problem("DNS", f"{domain} has no DMARC policy.", f"{IN_DNS} {dmarc(domain)}")
        yield from _ptr(domain, dns)
    except Unanswered as why:
        yield Problem(
            "DNS_SERVERS",
            f"no answer about {why}.",
            "Is this machine online? DNS_SERVERS names others to ask.",
        )


def exchangers(domain: str, dns: Resolver) -> list[str]:
    """Returns the hosts of the MX records by preference. Raises Unanswered."""
    found = [(value[0], str(value[1])) for value in dns(domain, "MX") if isinstance(value, tuple)]
    return [host for _, host in sorted(found)]


def addresses(host: str, dns: Resolver) -> list[str]:
    return [str(value) for kind in ("A", "AAAA") for value in dns(host, kind)]


def _mx(domain: str, dns: Resolver) -> Iterator[Problem]:
    hosts = exchangers(domain, dns)
    if not hosts:
        yield Problem(
            "DNS", f"{domain} has no MX record: mail servers do not find the door.", f"{IN_DNS} {mx(domain)}"
        )
    elif hosts[0] in ("", "."):
        yield Problem("DNS", f"{domain} says that it takes no mail (a null MX).", f"{IN_DNS} {mx(domain)}")
    else:
        for host in hosts:
            if not addresses(host, dns):
                yield Problem(
                    "DNS", f"the MX of {domain}, {host}, has no address.", f"Publish an A record of {host}."
                )


def _spf(domain: str, dns: Resolver) -> Iterator[Problem]:
    found = [text for text in dns.texts(domain) if text.lower().split(b" ")[0] == b"v=spf1"]
    if not found:
        yield Problem("DNS", f"{domain} has no SPF record.", f"{IN_DNS} {spf(domain)}")
    elif len(found) > 1:
        yield Problem("DNS", f"{domain} has {len(found)} SPF records, so none counts.", "Leave one.")
    elif found[0].lower().split()[-1] in (b"+all", b"all"):
        yield Problem(
            "DNS", f"the SPF record of {domain} lets everybody write in its name.", "End it with -all."
        )


def _dkim(domain: str, dns: Resolver) -> Iterator[Problem]:
    for selector in settings.DKIM_SELECTORS:
        name = f"{selector}._domainkey.{domain}"
        keys = [tags for text in dns.texts(name) if (tags := text.replace(b" ", b"").split(b";"))]
        if not keys:
            yield Problem("DNS", f"there is no DKIM key {name}.", f"{IN_DNS} {dkim(domain, selector)}")
        elif not any(tag[:2] == b"p=" and len(tag) > 2 for tags in keys for tag in tags):
            yield Problem(
                "DNS", f"the DKIM key {name} is revoked or none.", f"{IN_DNS} {dkim(domain, selector)}"
            )


def _ptr(domain: str, dns: Resolver) -> Iterator[Problem]:
    # A relay elsewhere is its owner's concern.
    if urlsplit(settings.EMAIL_URL).hostname not in LOOPBACK:
        return
    for host in exchangers(domain, dns)[:1]:
        for address in addresses(host, dns):
            names = [str(name) for name in dns(ip_address(address).reverse_pointer, "PTR")]
            if not any(address in addresses(name, dns) for name in names):
                yield Problem(
                    "DNS",
                    f"{address}, from where mail seems to leave, has no name that leads back to it (PTR).",
                    f"Have your provider write {host} as its reverse name, or many servers refuse your mail.",
                )


def published(domain: str) -> list[str]:
    """Returns the DNS records, as in a zone file, of a machine that sends and receives mail itself."""
    return [mx(domain), spf(domain), dkim(domain, "pbem"), dmarc(domain)]


def mx(domain: str) -> str:
    return f"{domain}. MX 10 THIS-MACHINE."


def spf(domain: str) -> str:
    return f'{domain}. TXT "v=spf1 mx -all" (with include:... of your relay, if it is elsewhere)'


def dkim(domain: str, selector: str) -> str:
    return f'{selector}._domainkey.{domain}. TXT "v=DKIM1; k=rsa; p=..." (what opendkim-genkey or your relay prints)'


def dmarc(domain: str) -> str:
    return f'_dmarc.{domain}. TXT "v=DMARC1; p=quarantine; adkim=s; aspf=s"'
