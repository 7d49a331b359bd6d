"""Settings from the environment, explained in deploy/SETTINGS.md.

The defaults are for development and tests. In production (`DEVELOPMENT` unset) unsafe ones stop the service
from starting: see `pbem.checks`.
"""

import logging
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from celery.schedules import crontab
from environs import Env, ValidationError, validate

from pbem.base_settings import *  # noqa: F403 - settings that stay unset are settings too
from pbem.base_settings import LANGUAGES, ROOT

env = Env()


def _is_a_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as none:
        raise ValidationError("it is no time zone, such as Europe/Rome.") from none


def _are_pauses(values: list[float]) -> None:
    if min(values, default=0) <= 0:
        raise ValidationError("Must be numbers greater than 0.")


_ZERO_OR_MORE, _ONE_OR_MORE = validate.Range(0), validate.Range(1)
_MORE_THAN_ZERO = validate.Range(0, min_inclusive=False)
_LEVELS = (1, 2, 3, 4)  # of games.engine.robot, which no settings load

DEVELOPMENT = env.bool("DEVELOPMENT", False)
# Beside the source or, installed as a package, in the current folder.
VAR = Path(env.str("VAR", str((ROOT if (ROOT / "manage.py").exists() else Path.cwd()) / "var")))

# -- the site -------------------------------------------------------------------------------------
WEB_LISTEN = env.str("WEB_LISTEN", "127.0.0.1:8000")
_OWN_SITE = f"http://{WEB_LISTEN if DEVELOPMENT else '127.0.0.1:8000'}"
SITE_URL = env.str("SITE_URL", _OWN_SITE).rstrip("/")
INSECURE_SECRET_KEY = "insecure-for-development-only-change-me-outside-of-it"
SECRET_KEY = env.str("SECRET_KEY", "") or INSECURE_SECRET_KEY  # an empty one stops Django before any check
DEBUG = env.bool("DEBUG", False)
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", [urlsplit(SITE_URL).hostname or "localhost", "localhost", "127.0.0.1"]
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SITE_URL.startswith("https:")
if SITE_URL.startswith("https:"):
    # Set by the proxy that has the certificate.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [
        "^health/",
        "^metrics/$",
    ]  # also requested on this machine, without a certificate
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
# Other hosts of the domain are not ours to promise for (W005), nor is a preload list (W021); the desk shows
# letters in frames (W019).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W019", "security.W021"]
TRUSTED_PROXIES: list[str] = env.list("TRUSTED_PROXIES", ["127.0.0.1", "::1"])
SECOND_FACTOR_REQUIRED = env.bool("SECOND_FACTOR_REQUIRED", False)
SESSION_COOKIE_AGE = 12 * 3600  # staff sign in each day
PASSWORD_RESET_TIMEOUT = 3600  # also of sign-in links
STATIC_ROOT = VAR / "static"
SITE_DELAY = env.int("SITE_DELAY", 3, validate=_ZERO_OR_MORE)  # half-moves

# -- mail -----------------------------------------------------------------------------------------
MAIL_DOMAIN = env.str("MAIL_DOMAIN", "pbem.localhost").lower()
OTP_TOTP_ISSUER = f"PBeM {MAIL_DOMAIN}"  # how apps call us
MAIL_SEPARATOR = env.str("MAIL_SEPARATOR", "+")
INSECURE_MAIL_TOKEN_KEYS = "1:" + "5a" * 32
MAIL_TOKEN_KEYS = env.str("MAIL_TOKEN_KEYS", INSECURE_MAIL_TOKEN_KEYS)
ORGANISER_NAME = env.str("ORGANISER_NAME", "")
ORGANISER_EMAIL = env.str("ORGANISER_EMAIL", "")
STRANGERS_PER_HOUR = env.int("STRANGERS_PER_HOUR", 1000, validate=_ONE_OR_MORE)
STRANGERS_ANSWERED_PER_DAY = env.int("STRANGERS_ANSWERED_PER_DAY", 50, validate=_ZERO_OR_MORE)
STRANGERS_ANSWERED_PER_SERVER = env.int("STRANGERS_ANSWERED_PER_SERVER", 10, validate=_ZERO_OR_MORE)
INVITATIONS_PER_DAY = env.int("INVITATIONS_PER_DAY", 100, validate=_ZERO_OR_MORE)
INVITATIONS_PER_DOMAIN_PER_DAY = env.int("INVITATIONS_PER_DOMAIN_PER_DAY", 50, validate=_ZERO_OR_MORE)
AUTHSERV_IDS: list[str] = env.list("AUTHSERV_IDS", [])
VERIFY_SENDERS = env.bool("VERIFY_SENDERS", False)
TRUST_LOCAL_SENDERS = env.bool("TRUST_LOCAL_SENDERS", False)
# Their envelopes are from posta-certificata@ the domain of the provider (technical annex to the decree of 2
# November 2005, 6.3.4); for InfoCert and Aruba these, as headers of real letters show. Customers of Aruba
# write from pec.it or from domains of their own, for which its envelope does not vouch here.
PEC_PROVIDERS: list[str] = env.list("PEC_PROVIDERS", ["legalmail.it", "pec.aruba.it"])
DNS_SERVERS: list[str] = env.list("DNS_SERVERS", [])
# DOOR_* are the names of release 0.1, read until the next one.
SMTP_LISTEN = env.str("SMTP_LISTEN", env.str("DOOR_LISTEN", "127.0.0.1:2525"))
SMTP_PROTOCOL = env.str("SMTP_PROTOCOL", env.str("DOOR_PROTOCOL", "smtp")).lower()
SMTP_CONNECTIONS = env.int(
    "SMTP_CONNECTIONS", env.int("DOOR_CONNECTIONS", 100, validate=_ONE_OR_MORE), validate=_ONE_OR_MORE
)
SMTP_CONNECTIONS_PER_PEER = env.int(
    "SMTP_CONNECTIONS_PER_PEER",
    env.int("DOOR_CONNECTIONS_PER_PEER", 20, validate=_ONE_OR_MORE),
    validate=_ONE_OR_MORE,
)
SMTP_CERTIFICATE = env.str("SMTP_CERTIFICATE", env.str("DOOR_CERTIFICATE", ""))
SMTP_CERTIFICATE_KEY = env.str("SMTP_CERTIFICATE_KEY", env.str("DOOR_CERTIFICATE_KEY", ""))
IMAP_URL = env.str("IMAP_URL", "")
IMAP_SECONDS = env.float(
    "IMAP_SECONDS", 60.0, validate=validate.Range(1, 240)
)  # a mailbox is away after five minutes
# The names are those of django-anymail; when all are empty, no letter comes by webhook.
ANYMAIL = {
    "WEBHOOK_SECRET": env.list("ANYMAIL_WEBHOOK_SECRET", []),
    "MAILGUN_WEBHOOK_SIGNING_KEY": env.str("ANYMAIL_MAILGUN_WEBHOOK_SIGNING_KEY", ""),
    "MAILERSEND_INBOUND_SECRET": env.str("ANYMAIL_MAILERSEND_INBOUND_SECRET", ""),
}
if any(ANYMAIL.values()):
    DATA_UPLOAD_MAX_MEMORY_SIZE = 32 * 1024 * 1024  # bytes; the largest letter, in a form or in JSON
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
HEALTH_SECONDS = env.float("HEALTH_SECONDS", 5.0, validate=_ZERO_OR_MORE)
DISK_RESERVE = env.int("DISK_RESERVE", 100, validate=_ZERO_OR_MORE)
LETTERS = VAR / "letters"  # the letters in development, which its mail program shows
EMAIL_URL = env.str("EMAIL_URL", f"file://{LETTERS}")
DKIM_SELECTORS: list[str] = env.list("DKIM_SELECTORS", [])
EMAIL_CERTIFICATES = env.str("EMAIL_CERTIFICATES", "")
# Django's own mail, to the staff and to the operator.
EMAIL_BACKEND = "pbem.outbox.delivery.backends.Backend"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = f"PBeM <play@{MAIL_DOMAIN}>"
LETTERS_AT_ONCE = env.int("LETTERS_AT_ONCE", 20, validate=_ONE_OR_MORE)  # to one domain, as Postfix does

# -- time -----------------------------------------------------------------------------------------
ABSENCE_DAYS = env.int("ABSENCE_DAYS", 30, validate=_ZERO_OR_MORE)

# -- robots ---------------------------------------------------------------------------------------
ROBOT_LEVELS: list[int] = env.list(
    "ROBOT_LEVELS", [1, 2, 3], subcast=int, validate=validate.ContainsOnly(_LEVELS)
)
ROBOT_DELAY: list[float] = env.list("ROBOT_DELAY", [0, 0] if DEVELOPMENT else [1, 4], subcast=float)
ROBOT_MATCHES = env.int("ROBOT_MATCHES", 6, validate=_ZERO_OR_MORE)
ROBOT_THINKS_PER_DAY = env.int("ROBOT_THINKS_PER_DAY", 20, validate=_ZERO_OR_MORE)
ROBOT_COMMANDS: Any = env.json("ROBOT_COMMANDS", {})
ROBOT_CPU_PER_DAY = env.int("ROBOT_CPU_PER_DAY", 14_400, validate=_ONE_OR_MORE)

# -- how long letters are kept, in days; 0 is for ever -----------------------------------------------
RETAIN_RAW_MAIL = env.int("RETAIN_RAW_MAIL", 180, validate=_ZERO_OR_MORE)
RETAIN_REJECTED = env.int("RETAIN_REJECTED", 30, validate=_ZERO_OR_MORE)
RETAIN_LETTERS = env.int("RETAIN_LETTERS", 365, validate=_ZERO_OR_MORE)

# -- rows and tasks -------------------------------------------------------------------------------
BEHIND_PGBOUNCER = env.bool("BEHIND_PGBOUNCER", False)
DATABASES = {
    "default": env.dj_db_url(
        "DATABASE_URL",
        f"sqlite:///{VAR / 'pbem.sqlite3'}",
        conn_health_checks=True,  # connections in the pool die when the server restarts
    )
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE: select_for_update does nothing on SQLite, so the transaction itself is the lock. NORMAL loses
    # the last commits at a power cut; keep() raises it to FULL for letters (inbox/keeping.py). The connection
    # stays open: opening the file costs more than most queries.
    DATABASES["default"]["CONN_MAX_AGE"] = None
    options = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    # 5 s: a mail server waits at the door while the database is away.
    options = {"pool": {"min_size": 1, "max_size": 8, "timeout": 5}, "server_side_binding": True}
    DATABASES["default"]["ENGINE"] = "pbem.postgresql"
    if not BEHIND_PGBOUNCER:
        options["prepare_threshold"] = 2  # a statement is prepared at its second execution
DATABASES["default"]["OPTIONS"] = options | DATABASES["default"].get("OPTIONS", {})  # the URL may say more
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", "memory://")
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {"priority_steps": [0]}  # no priorities: one list
if CELERY_BROKER_URL == "memory://":
    CELERY_BROKER_TRANSPORT = "pbem.queue.transport:Transport"
if CELERY_BROKER_URL.startswith("rediss:"):
    CELERY_BROKER_USE_SSL = {"ssl_cert_reqs": ssl.CERT_REQUIRED}  # kombu would accept any certificate
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CONSUMER = "pbem.queue.transport:Consumer"
SWEEP_SECONDS = env.float("SWEEP_SECONDS", 15.0, validate=_MORE_THAN_ZERO)
LEASE_SECONDS = env.float("LEASE_SECONDS", 120.0, validate=_MORE_THAN_ZERO)
SLOW_DOWN_SECONDS: list[float] = env.list(
    "SLOW_DOWN_SECONDS", [30, 120, 300, 600], subcast=float, validate=_are_pauses
)
BACK_OFF_MINUTES: list[float] = env.list(
    "BACK_OFF_MINUTES", [1, 5, 15, 60, 240], subcast=float, validate=_are_pauses
)
CELERY_BEAT_SCHEDULER = "pbem.queue.timer:Persistent"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat")
# A task not begun by the time of the next one expires, so that a worker that was away finds no backlog.
CELERY_BEAT_SCHEDULE = {
    name: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for name, task, seconds in (
        ("inbox", "pbem.inbox.tasks.sweep", SWEEP_SECONDS),
        ("outbox", "pbem.outbox.tasks.sweep", SWEEP_SECONDS),
        ("digests", "pbem.outbox.tasks.write_digests", 60.0),
        ("heartbeat", "pbem.matches.tasks.beat", 60.0),
        ("probes", "pbem.outbox.tasks.probe", 3600.0),
        ("clocks", "pbem.matches.tasks.sweep", SWEEP_SECONDS),
        ("deadlines", "pbem.inbox.tasks.flag_overdue", SWEEP_SECONDS),
        ("robots", "pbem.robots.tasks.sweep", SWEEP_SECONDS),
        ("contests", "pbem.contests.tasks.sweep", 60.0),
    )
} | {
    "retention": {
        "task": "pbem.inbox.tasks.forget_old_letters",
        "schedule": crontab(hour=3, minute=17),  # of UTC; an interval would begin anew with each start
        "options": {"expires": 3600},
    },
}
# Three queues: a slow mail server delays no received letter, and neither delays a clock. A worker serves all
# of them, or those in `--queues`. Priority 9 is the last in a queue: even discarding expired tasks takes
# time, and an hour without a worker leaves many.
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {"inbound": {}, "outbound": {}, "clock": {}}
CELERY_TASK_DEFAULT_QUEUE = "clock"
CELERY_TASK_ROUTES = {
    "pbem.inbox.tasks.open_mail": {"queue": "inbound"},
    "pbem.outbox.tasks.send_mail": {"queue": "outbound"},
    # Only for workers that name it in `--queues`, so that no email waits behind a think.
    "pbem.robots.tasks.think": {"queue": "robots"},
    "pbem.robots.tasks.study": {"queue": "robots"},
    "pbem.outbox.tasks.write_digests": {"queue": "outbound", "priority": 9},
    "pbem.outbox.tasks.probe": {"queue": "outbound", "priority": 9},
    "pbem.inbox.tasks.forget_old_letters": {"queue": "outbound", "priority": 9},
}

# -- languages and clocks -------------------------------------------------------------------------
LANGUAGE_CODE = env.str("LANGUAGE_CODE", "en", validate=validate.OneOf(dict(LANGUAGES)))
TIME_ZONE = env.str("TIME_ZONE", "Europe/Rome", validate=_is_a_zone)

# -- the log --------------------------------------------------------------------------------------
ERROR_EMAIL = env.str("ERROR_EMAIL", "")
LOG_FORMAT = env.str("LOG_FORMAT", "line", validate=validate.OneOf(["line", "json"]))
_HANDLERS: dict[str, dict[str, Any]] = {
    "stderr": {
        "class": "logging.StreamHandler",
        "formatter": LOG_FORMAT,
        "filters": ["redaction"],
    }
}
if ERROR_EMAIL:
    _HANDLERS["letter"] = {"class": "pbem.log.ByMail", "level": "ERROR", "filters": ["redaction"]}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "pbem.log.Json"},
    },
    "filters": {"redaction": {"()": "pbem.gunicorn.Redaction"}},
    "handlers": _HANDLERS,
    "loggers": {
        "mail.log": {"level": "ERROR"},  # aiosmtpd: noise of strangers at the door
        "axes": {"level": "ERROR"},  # refused sign-ins have a line of our own, with the address
        "kombu.connection": {"level": "ERROR"},  # that memory:// names no host
        "waitress.queue": {"level": "ERROR"},  # each visitor who waits for a thread
    },
    "root": {"handlers": list(_HANDLERS), "level": env.log_level("LOG_LEVEL", logging.WARNING)},
}
