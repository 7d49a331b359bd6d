"""Log redaction, and settings of gunicorn: `gunicorn pbem.wsgi --config python:pbem.gunicorn`."""

from __future__ import annotations

import logging
import os
import re
from contextlib import suppress

from gunicorn.glogging import Logger

from pbem.mail.parsing.redact_addresses import without_secrets

# Redaction: from WARNING on, logs hold no addresses and no tokens

# Bounded, since strangers' text may be long; a domain may be cut off. A move such as e2-e4@d6 does not match.
_LOCAL_PART = re.compile(
    r"""(?:"[^"\n]{1,64}"|(?<![\w+])[\w+][\w.!#$&'*+=^`{|}~-]{0,250}+)(?:@|%40)(?![a-h][1-8]\b(?!\.\w))"""
)
_SIGN_IN = re.compile(r"\b[0-9a-z]{5,8}-[0-9a-f]{32}\b")  # Django's token in a sign-in link


class Redaction(logging.Filter):
    """A filter for every handler; it changes the record for later handlers too."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING:
            with suppress(Exception):  # the handler reports a line that cannot be formatted
                record.msg, record.args = redacted(record.getMessage()), None
            if record.exc_info:
                record.exc_text = redacted(logging.Formatter().formatException(record.exc_info))
        return True


def redacted(text: str) -> str:
    return _SIGN_IN.sub("…", _LOCAL_PART.sub("…@", without_secrets(text)))


class Log(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Filters gunicorn's own handlers, which are not in the settings."""

    def setup(self, cfg: object) -> None:
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.addFilter(Redaction())


logger_class = Log
bind = os.environ.get("WEB_LISTEN", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 4
preload_app = True  # workers share what pbem.wsgi loads
timeout = 60  # a webhook may bring 32 MiB
graceful_timeout = 20
max_requests = 20_000  # against leaks
max_requests_jitter = 2_000
forwarded_allow_ips = os.environ.get("TRUSTED_PROXIES", "127.0.0.1,::1")
forwarder_headers = ""  # the default takes SCRIPT_NAME from a proxy, which may pass on a visitor's header
control_socket_disable = True  # unused, and it would lie in a home that units cannot write
