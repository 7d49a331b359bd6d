"""Who asks us to wait: a recipient's domain, or our relay itself. Its letters wait, all the others go on."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.outbox.delivery.status_codes import Then

RELAY = ""
# Shorter than the pauses of a letter, so that each letter's own time counts in the end.
PAUSES = [timedelta(seconds=seconds) for seconds in settings.SLOW_DOWN_SECONDS]
STILL_SILENT = timedelta(minutes=30)  # the next attempt at a domain that fell silent lies within


class SlowDomain(models.Model):
    """A row while it lasts: the first letter that is taken removes it."""

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
    """Nothing to `domain` for a while, longer each time. Letters in flight that hear the same count once."""
    slow, new = SlowDomain.objects.get_or_create(
        domain=domain, defaults={"since": now, "until": now + PAUSES[0], "answer": answer}
    )
    if not new and slow.until <= now:
        pause = PAUSES[min(slow.times, len(PAUSES) - 1)]
        told = SlowDomain.objects.filter(pk=slow.pk, times=slow.times)
        told.update(until=now + pause, times=slow.times + 1, answer=answer)


def fell_silent(domain: str, answer: str, now: datetime, *, taken: datetime | None) -> None:
    """Nobody answered about a letter to `domain`. If another fell silent as well, and nothing was `taken` since, it
    is our relay that is silent, and neither of them is to blame."""
    # Each row is there before the others are looked at, so of two that fall silent at once one sees both.
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
    """It has taken a letter, or the organiser says so."""
    SlowDomain.objects.filter(domain=domain).delete()


def slow_now(now: datetime) -> models.Exists:
    """Of a row with a `domain`: whether it has to wait."""
    return models.Exists(_about_it().filter(until__gt=now))


def slow_lately() -> models.Q:
    """Of a row with a `domain`: whether that was slow when a letter was last tried there."""
    return models.Q(models.Exists(_about_it()))


def _about_it() -> models.QuerySet[SlowDomain]:
    about = models.Q(domain=models.OuterRef("domain")) | models.Q(domain=RELAY)
    return SlowDomain.objects.filter(about)


# When a letter is tried again: 1, 5, 15, 60 minutes, then every four hours, for five days.

BACK_OFF = [timedelta(minutes=m) for m in settings.BACK_OFF_MINUTES]
MOST_ATTEMPTS = 34  # with pauses of up to four hours: five days
MOST_FAILURES = 3  # of our own program; more would not help
MOST_COPIES = 3  # of a letter whose reply is lost each time: its reader may have them all
JITTER = 0.2  # so that letters that were refused together do not come back together


def pause_after(attempts: int, then: Then) -> timedelta:
    """After so many attempts, from 1. Who waits long begins with the longest pause."""
    step = len(BACK_OFF) if then is Then.WAITS_LONG else min(attempts, len(BACK_OFF))
    return BACK_OFF[step - 1] * random.uniform(1 - JITTER, 1 + JITTER)
