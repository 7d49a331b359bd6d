"""Who asks us to wait: a recipient's domain, or our relay itself. Its letters wait, all the others go on."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

RELAY = ""
# Shorter than the pauses of a letter, so that each letter's own time counts in the end.
PAUSES = [timedelta(seconds=seconds) for seconds in settings.SLOW_DOWN_SECONDS]


class SlowDomain(models.Model):
    """A row while it lasts: the first letter that is taken removes it."""

    domain = models.CharField(_("domain"), max_length=254, unique=True)
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"))
    times = models.PositiveSmallIntegerField(_("times"), default=1)
    answer = models.TextField(_("what the relay said"), blank=True)

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


def go_on(domain: str) -> None:
    """It has taken a letter, or the organiser says so."""
    SlowDomain.objects.filter(domain=domain).delete()


def slow_now(now: datetime) -> models.Exists:
    """Of a row with a `domain`: whether it has to wait."""
    about = models.Q(domain=models.OuterRef("domain")) | models.Q(domain=RELAY)
    return models.Exists(SlowDomain.objects.filter(about, until__gt=now))
