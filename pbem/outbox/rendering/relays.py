"""What a letter tells the mail provider that relays it: how to name it to us later, and to add nothing."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from django.conf import settings

from pbem.outbox.models import OutboundMail

_OFF = {"settings": {"enable": 0}}


def _mailgun(name: str) -> dict[str, str]:
    """It keeps our Message-ID, and tells it with each event."""
    return {"X-Mailgun-Track": "no"}


def _postmark(name: str) -> dict[str, str]:
    return {
        "X-PM-KeepID": "true",  # it would put its own Message-ID there, and our threads would break
        "X-PM-Metadata-letter": name,
        "X-PM-TrackOpens": "false",
        "X-PM-TrackLinks": "None",
    }


def _sendgrid(name: str) -> dict[str, str]:
    filters = dict.fromkeys(("opentrack", "clicktrack", "subscriptiontrack"), _OFF)
    return {"X-SMTPAPI": json.dumps({"unique_args": {"letter": name}, "filters": filters})}


# By the domain of the relay. A picture that tells who has opened the letter, links that lead through the provider, a
# second way to unsubscribe: nothing of this is ours, and a provider that tells us of it is told to leave it out.
RELAYS = {
    "mailgun.org": _mailgun,
    "postmarkapp.com": _postmark,
    "sendgrid.net": _sendgrid,
}


def relay_headers(row: OutboundMail) -> dict[str, str]:
    """None for any relay that is no such provider."""
    host = urlsplit(settings.EMAIL_URL).hostname or ""
    domain = ".".join(host.split(".")[-2:])
    name = row.message_id.strip("<>").partition("@")[0]
    return RELAYS[domain](name) if domain in RELAYS else {}
