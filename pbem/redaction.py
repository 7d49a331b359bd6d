"""What the log may hold from WARNING on: nobody's address and no token of ours, whoever's words they stand in."""

from __future__ import annotations

import logging
import re
from contextlib import suppress

from pbem.mail.parsing.redact_addresses import without_secrets

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
