"""How gunicorn serves the web: `gunicorn pbem.wsgi --config python:pbem.gunicorn`, or `pbem web`."""

from __future__ import annotations

import logging
import os
import re
from contextlib import suppress

from gunicorn.glogging import Logger

from pbem.mail.parsing.redact_addresses import without_secrets

# What the log may hold from WARNING on: nobody's address and no token of ours, whoever's words they
# stand in.

# Bounded, for what strangers send may be long; a domain may be cut off. Nothing like e2-e4@d6, which is a move.
_LOCAL_PART = re.compile(
    r"""(?:"[^"\n]{1,64}"|(?<![\w+])[\w+][\w.!#$&'*+=^`{|}~-]{0,250}+)(?:@|%40)(?![a-h][1-8]\b(?!\.\w))"""
)
_SIGN_IN = re.compile(r"\b[0-9a-z]{5,8}-[0-9a-f]{32}\b")  # Django's, of a link for the staff


class Redaction(logging.Filter):
    """Of each handler: the record is changed for those that come after, too."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING:
            with suppress(Exception):  # a line that cannot be put together: the handler says so
                record.msg, record.args = redacted(record.getMessage()), None
            if record.exc_info:
                record.exc_text = redacted(logging.Formatter().formatException(record.exc_info))
        return True


def redacted(text: str) -> str:
    return _SIGN_IN.sub("…", _LOCAL_PART.sub("…@", without_secrets(text)))


class Log(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Its handlers are not those of the settings."""

    def setup(self, cfg: object) -> None:
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.addFilter(Redaction())


logger_class = Log
bind = os.environ.get("WEB_LISTEN", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 4
timeout = 60  # a webhook may bring 32 MiB
graceful_timeout = 20
max_requests = 20_000  # whatever grows begins anew
max_requests_jitter = 2_000
forwarded_allow_ips = os.environ.get("TRUSTED_PROXIES", "127.0.0.1,::1")
forwarder_headers = (
    ""  # by itself it takes SCRIPT_NAME from a proxy, and a proxy may pass on what a visitor wrote
)
control_socket_disable = (
    True  # one more way in, which nobody uses; it would lie in a home that units cannot write
)
