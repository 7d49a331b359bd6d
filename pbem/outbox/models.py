"""Models of outgoing letters, digests, bounces and slow domains."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy as _

from pbem.matches.models import Event, Match
from pbem.outbox.delivery.status_codes import Disposition
from pbem.outbox.notifications.kinds import Section
from pbem.players import services
from pbem.players.models import Player, new_salt
from pbem.players.tokens import Keyring, fingerprint
from pbem.queue.enqueue import TaskName
from pbem.queue.models import SHUNTED, QueuedMail, QueuedMailQuerySet
from pbem.queue.timer import arrival_or_now

# Slow domains

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


SEND_MAIL = TaskName("pbem.outbox.tasks.send_mail")
AGAIN = ":again"


class OutboundMailQuerySet(QueuedMailQuerySet["OutboundMail"]):
    def free(self, now: datetime) -> OutboundMailQuerySet:
        """Returns letters that are not leased and due."""
        return self.unleased(now).filter(status=OutboundMail.Status.WAITING, next_try_at__lte=now)

    def due(self, now: datetime) -> OutboundMailQuerySet:
        """Returns free letters to domains that are not slow."""
        return self.free(now).filter(~slow_now(now))

    def fairly(self, most: int) -> OutboundMailQuerySet:
        """Orders by due time, with at most `most` letters per domain."""
        place = Window(RowNumber(), partition_by="domain", order_by=["next_try_at", "pk"])
        return self.annotate(place=place).filter(place__lte=most).order_by("next_try_at", "pk")


class DomainOfAddress(models.CharField):  # type: ignore[type-arg]  # not generic at run time
    """Stores the domain of the row's address."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        domain = str(getattr(model_instance, "address")).rpartition("@")[2].lower()  # noqa: B009 - any with one
        setattr(model_instance, self.attname, domain)
        return domain


class OutboundMail(QueuedMail):
    """A letter to one address. `sections` hold its contents, `cause` its origin: `event:12`, `letter:34`.

    A row gives the same letter on every attempt: it fixes Message-ID and Date. Players who share a mailbox
    get separate letters.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")
        SUPPRESSED = "suppressed", _("suppressed")
        HELD = "held", _("held")  # while its address is paused

    next_try = "next_try_at"
    # Data known when the row was written; saves queries when composing.
    preloaded: Mapping[int, Event] | None = None
    has_one_reader = False

    cause = models.CharField(_("cause"), max_length=120)
    kind = models.CharField(_("kind"), max_length=20)
    address = models.EmailField(_("to"))
    domain = DomainOfAddress(max_length=254, default="", editable=False)
    language = models.CharField(_("language"), max_length=8)
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="letters")
    match = models.ForeignKey(Match, models.SET_NULL, null=True, blank=True, related_name="letters")
    ply = models.PositiveIntegerField(_("half-move"), null=True, blank=True)
    sections: models.Field[list[Section], list[Section]] = models.JSONField(_("sections"), default=list)
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("written"))
    # Arrival of the message that it answers: new answers do not wait behind a backlog.
    arrived_at = models.DateTimeField(default=arrival_or_now, editable=False)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.WAITING)
    failures = models.PositiveSmallIntegerField(_("failures of our own program"), default=0)
    replies_lost = models.PositiveSmallIntegerField(_("replies lost"), default=0)
    overtaken_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("replaced by")
    )
    next_try_at = models.DateTimeField(_("next attempt"))
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    delivered_at = models.DateTimeField(
        _("delivered"), null=True, blank=True, help_text=_("Only some providers say.")
    )
    answer = models.TextField(_("what the relay said"), blank=True)
    message_id = models.CharField("Message-ID", max_length=120)
    text = models.TextField(_("text as sent"), blank=True)
    emptied_at = models.DateTimeField(null=True, blank=True, editable=False)  # set by the nightly sweep

    objects = OutboundMailQuerySet.as_manager()

    class Meta:
        verbose_name = _("outgoing letter")
        verbose_name_plural = _("outgoing letters")
        permissions = [("read_outboundmail", _("Can read the reply addresses in letters"))]
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["message_id"], name="letter_once")]
        indexes = [
            models.Index(fields=["cause"], name="letter_cause"),
            models.Index(
                fields=["created_at"], name="letter_kept", condition=models.Q(emptied_at__isnull=True)
            ),
            models.Index(fields=["next_try_at"], name="letter_waiting", condition=models.Q(status="waiting")),
            models.Index(
                fields=["status", "-id"],
                name="letter_stuck",
                condition=models.Q(status__in=("held", "failed")),
            ),
            models.Index(
                fields=["domain"], name="letter_on_its_way", condition=models.Q(leased_until__isnull=False)
            ),
            models.Index(fields=["verdict"], name="letter_shunted", condition=models.Q(verdict__in=SHUNTED)),
            models.Index(fields=["arrived_at"], name="letter_newest", condition=models.Q(status="waiting")),
            models.Index(fields=["holds"], name="letter_holds", condition=models.Q(holds__isnull=False)),
            models.Index(
                fields=["match", "address"], name="letter_order", condition=models.Q(status="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} → {self.address}"

    def revoke(self, now: datetime) -> None:
        """Revokes the reply address, which others may know. Bounces are still accepted."""
        self.revoked_at = now
        self.save(update_fields=["revoked_at"])


class DigestItem(models.Model):
    """A section kept for the player's digest that is due at `due_at`."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="digest_items", verbose_name=_("player"))
    match = models.ForeignKey(Match, models.CASCADE, related_name="+", verbose_name=_("match"))
    section: models.Field[Section, Section] = models.JSONField(_("section"))
    kept_at = models.DateTimeField(_("since"))
    due_at = models.DateTimeField(_("due"), db_index=True)

    class Meta:
        verbose_name = _("what waits for a digest")
        verbose_name_plural = _("what waits for digests")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.section['kind']} [{self.match_id}] → {self.player}"


class BouncedMail(models.Model):
    """A bounce of a letter or a complaint about it, with the points that it counts."""

    letter = models.ForeignKey(
        OutboundMail, models.CASCADE, related_name="bounces", verbose_name=_("outgoing letter")
    )
    address = models.EmailField(_("address"), db_index=True)
    fate = models.CharField(_("verdict"), max_length=4)
    reply = models.TextField(_("what was said"), blank=True)
    points = models.PositiveSmallIntegerField(_("points"), default=0)
    report = models.BigIntegerField(
        _("incoming email"), null=True, blank=True, help_text=_("Empty: our relay refused it at once.")
    )
    happened_at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("bounce")
        verbose_name_plural = _("bounces")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.fate} ← {self.address}"


def new_letter(
    cause: str,
    address: str,
    sections: list[Section],
    language: str,
    now: datetime,
    *,
    player: Player | None = None,
    match: Match | None = None,
    ply: int | None = None,
) -> OutboundMail:
    """Returns a letter that is not saved yet."""
    return OutboundMail(
        cause=cause,
        address=address,
        kind=sections[0]["kind"],
        sections=sections,
        language=language,
        player=player,
        match=match,
        ply=ply,
        message_id=message_id(cause, address, player),
        created_at=now,
        next_try_at=now,
    )


def again(cause: str) -> str:
    """Returns the cause of a further letter, after the one for `cause` was tried. Its length is bounded."""
    first, _, times = cause.partition(AGAIN)
    return f"{first}{AGAIN}{int(times or 1) + 1}" if AGAIN in cause else f"{cause}{AGAIN}"


def message_id(cause: str, address: str, player: Player | None = None) -> str:
    """Returns the Message-ID of the letter for `cause` to `player` at `address`: the same on every attempt."""
    # A keyed hash: it identifies bounces without our return address, and cannot be guessed. The epoch changes
    # it after a restore: mail programs drop letters with a known Message-ID.
    reader = f" {player.pk}" if player else ""
    told = f"{cause} {address}{reader}"
    if epoch := services.to_write_with():
        told += f" {epoch}"
    digest = fingerprint(Keyring.parse(settings.MAIL_TOKEN_KEYS), told)
    return f"<{digest}@{settings.MAIL_DOMAIN}>"
