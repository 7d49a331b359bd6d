"""How busy the way to a domain is, in one question to the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from pbem.outbox.delivery.throttling import RELAY, SlowDomain
from pbem.outbox.models import OutboundMail


@dataclass(frozen=True)
class Traffic:
    """To one domain: letters leased now; whether it, or the relay, `asks` us to wait, or `asked` lately."""

    abreast: int
    asked: bool
    asks: bool


def traffic_to(domain: str, now: datetime) -> Traffic:
    moment = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(_QUESTION, [domain, moment, domain, RELAY, domain, RELAY, moment])
        abreast, asked, asks = cursor.fetchone()
    return Traffic(abreast, asked > 0, asks > 0)


# By hand: it is asked for every letter, and to put it together costs Django ten times what the answer does.
_SLOW = f"SELECT count(*) FROM {SlowDomain._meta.db_table} WHERE domain IN (%s, %s)"
_QUESTION = f"""
    SELECT (SELECT count(*) FROM {OutboundMail._meta.db_table} WHERE domain = %s AND leased_until > %s),
           ({_SLOW}),
           ({_SLOW} AND until > %s)
"""
