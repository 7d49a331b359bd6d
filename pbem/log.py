"""Log handlers: JSON for programs, and mail to the operator."""

from __future__ import annotations

import json
import logging
import threading
import time
from datetime import UTC, datetime

from django.conf import settings
from django.core.mail import EmailMessage

HOUR = 3600.0
LONGEST = 8000  # characters of a mail


class Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if trace := _trace(record):
            said["exception"] = trace
        return json.dumps(said, ensure_ascii=False)


class ByMail(logging.Handler):
    """Mails the first error of an hour to ERROR_EMAIL, and counts the others.

    Processes coordinate by a file in VAR. At worst, two of them send at the same moment.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._others = 0

    def emit(self, record: logging.LogRecord) -> None:
        if threading.current_thread().name == ByMail.__name__:
            return  # the relay is down, for example, which cannot be mailed
        try:
            if not self._is_time():
                self._others += 1
                return
            text = self._text(record)
        except Exception:
            self.handleError(record)
            return
        self._others = 0
        threading.Thread(target=_send, args=(text,), name=ByMail.__name__, daemon=True).start()

    def _is_time(self) -> bool:
        stamp = settings.VAR / "error-mail"
        try:
            if time.time() - stamp.stat().st_mtime < HOUR:
                return False
        except FileNotFoundError:
            pass
        stamp.touch()
        return True

    def _text(self, record: logging.LogRecord) -> str:
        line = f"{record.levelname} {record.name}: {record.getMessage()}"
        others = f"{self._others} other errors of this process were not mailed. " if self._others else ""
        return (
            f"{line}\n\n{_trace(record)}\n\n{others}No other error is mailed within the hour; the log has them all.\n"
            f"What to look at: pbem health, pbem doctor, {settings.SITE_URL}/admin/\n"
        )[-LONGEST:]


def _trace(record: logging.LogRecord) -> str:
    """Returns the traceback as redacted by `pbem.gunicorn`."""
    return record.exc_text or (
        logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
    )


def _send(text: str) -> None:
    try:
        EmailMessage(f"PBeM: an error at {settings.MAIL_DOMAIN}", text, to=[settings.ERROR_EMAIL]).send()
    except Exception as trouble:
        logging.getLogger(__name__).warning("the error could not be mailed: %s", trouble)
