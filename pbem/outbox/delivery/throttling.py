"""Throttles letters to slow domains or a slow relay, and computes retry times."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.outbox.delivery.status_codes import Disposition

RELAY = ""
# Shorter than a letter's retry pauses, so that those prevail.
PAUSES = [timedelta(seconds=seconds) for seconds in settings.SLOW_DOWN_SECONDS]
STILL_SILENT = timedelta(minutes=30)  # interval within which a silent domain is tried again


class SlowDomain(models.Model):
    """A slow domain. Deleted when a letter is taken."""

    domain = models.CharField(_("domain"), max_length=254, unique=True)
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"))
    times = models.PositiveSmallIntegerField(_("times"), default=1)
    answer = models.TextField(_("what the relay said"), blank=True)
    silent_at = models.DateTimeField(
        _("silent"), null=True, blank=True, help_text=_("When there was no reply about a letter to it.")
    )

    class Meta:
        app_label = "outbox"
        verbose_name = _("slow domain")
        verbose_name_plural = _("slow domains")
        ordering = ["domain"]

    def __str__(self) -> str:
        return self.domain or str(_("our relay"))


def slow_down(domain: str, answer: str, now: datetime) -> None:
    """Backs off a domain, longer each time. Simultaneous refusals count once."""
    slow, new = SlowDomain.objects.get_or_create(
        domain=domain, defaults={"since": now, "until": now + PAUSES[0], "answer": answer}
    )
    if not new and slow.until <= now:
        pause = PAUSES[min(slow.times, len(PAUSES) - 1)]
        told = SlowDomain.objects.filter(pk=slow.pk, times=slow.times)
        told.update(until=now + pause, times=slow.times + 1, answer=answer)


def fell_silent(domain: str, answer: str, now: datetime, *, taken: datetime | None) -> None:
    """Records that no reply came about a letter to `domain`.

    If another domain is silent as well, and no letter was `taken` since, the relay is marked instead of both.
    """
    # Written before the others are read: of two simultaneous failures, one sees both.
    _mark_silent(domain, answer, now)
    silent = SlowDomain.objects.filter(silent_at__gte=now - STILL_SILENT).exclude(domain__in=(domain, RELAY))
    if taken is not None:
        silent = silent.filter(silent_at__gt=taken)
    if silent.exists() or SlowDomain.objects.filter(domain=RELAY, silent_at__isnull=False).exists():
        _mark_silent(RELAY, answer, now)
        SlowDomain.objects.filter(silent_at__isnull=False).exclude(domain=RELAY).delete()


def _mark_silent(domain: str, answer: str, now: datetime) -> None:
    slow_down(domain, answer, now)
    SlowDomain.objects.filter(domain=domain).update(silent_at=now)


def go_on(domain: str) -> None:
    """Ends the back-off, after a success or by the organiser."""
    SlowDomain.objects.filter(domain=domain).delete()


def slow_now(now: datetime) -> models.Exists:
    """Returns a condition on rows with a `domain`: backed off now."""
    return models.Exists(_about_it().filter(until__gt=now))


def slow_lately() -> models.Q:
    """Returns a condition on rows with a `domain`: slow at the last attempt."""
    return models.Q(models.Exists(_about_it()))


def _about_it() -> models.QuerySet[SlowDomain]:
    about = models.Q(domain=models.OuterRef("domain")) | models.Q(domain=RELAY)
    return SlowDomain.objects.filter(about)


# Retry times: 1, 5, 15, 60 minutes, then every four hours, for five days

BACK_OFF = [timedelta(minutes=m) for m in settings.BACK_OFF_MINUTES]
MOST_ATTEMPTS = 34  # with pauses of up to four hours: five days
MOST_FAILURES = 3  # of our own program
MOST_COPIES = 3  # when replies are lost: the reader may have all copies
JITTER = 0.2  # spreads the retries of letters refused together


def pause_after(attempts: int, then: Disposition) -> timedelta:
    """Returns the pause after so many attempts, from 1. WAITS_LONG always gets the longest."""
    step = len(BACK_OFF) if then is Disposition.WAITS_LONG else min(attempts, len(BACK_OFF))
    return BACK_OFF[step - 1] * random.uniform(1 - JITTER, 1 + JITTER)
