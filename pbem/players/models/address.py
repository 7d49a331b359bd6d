"""E-mail addresses of players, and their bounce scores."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.mail.mailbox import mailbox_of
from pbem.players import subscriptions as score
from pbem.players.tokens import parse_address
from pbem.refusals import REFUSALS, Code

_ATOM, _LABEL = r"[^\s@<>\"(),:;\\\[\].]++", r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_POSSIBLE = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*+@(?:{_LABEL}\.)+[^\W\d_][\w-]{{0,61}}[^\W_]")
_AROUND = "<>()[]{}\"'“”«»*_,;:!?"
_MOST = 40  # lines searched


def is_possible(email: str) -> bool:
    """Returns whether the address is well formed (RFC 5321, 4.1.2): not `tom@friends`, `tom.@example.org`."""
    return bool(_POSSIBLE.fullmatch(email))


def is_impossible_address(word: str) -> bool:
    """Whether the word is a malformed address: `tom@friends`, `tom@friends,example`, `@`; not `@tom`."""
    written = _without_signs(word)
    return (written == "@" or written.find("@") > 0) and not is_possible(written)


def impossible_address_in(lines: Iterable[str]) -> str:
    """Returns the first malformed address, else ""."""
    words = (word for line in islice(lines, _MOST) for word in line.removesuffix(".").split())
    return next((_without_signs(word) for word in words if is_impossible_address(word)), "")


def _without_signs(word: str) -> str:
    return word.strip(_AROUND).removeprefix("mailto:")


def is_ours(email: str) -> bool:
    """Returns whether letters to it come to us."""
    return parse_address(email, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR) is not None


class Mailbox(models.CharField):  # type: ignore[type-arg]  # not generic at run time
    """The mailbox of the address in the column `of`."""

    def __init__(self, *args: Any, of: str, **options: Any) -> None:
        super().__init__(*args, **{"max_length": 254, "editable": False, "db_default": "", **options})
        self.of = of

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, {**options, "of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        mailbox = mailbox_of(getattr(model_instance, self.of))
        setattr(model_instance, self.attname, mailbox)
        return mailbox


class AddressQuerySet(models.QuerySet["Address"]):
    def verified(self) -> AddressQuerySet:
        return self.filter(verified_at__isnull=False)

    def working(self) -> AddressQuerySet:
        return self.verified().filter(paused_at__isnull=True)


class Address(models.Model):
    """An e-mail address of a player, trusted after a reply to a letter sent there.

    Families may share a mailbox, with a row for each player. Letters go to the row that was put first last,
    else to the one verified first.

    `bounce_score` is the score at `bounced_at`; `score_at` is the decayed one. A paused address gets probes
    only.
    """

    # Whether letters to it bounced, for any player; set only by some queries.
    is_blamed = False

    player = models.ForeignKey("Player", models.CASCADE, related_name="addresses", verbose_name=_("player"))
    email = models.EmailField(_("email"))
    mailbox = Mailbox(of="email", db_index=True)
    verified_at = models.DateTimeField(_("verified"), null=True, blank=True)
    put_first_at = models.DateTimeField(_("put first"), null=True, blank=True)

    bounce_score = models.PositiveSmallIntegerField(_("bounce score"), default=0)
    bounced_at = models.DateTimeField(_("last bounce"), null=True, blank=True)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    probes = models.PositiveSmallIntegerField(_("probes"), default=0, help_text=_("Since it was paused."))

    objects = AddressQuerySet.as_manager()

    class Meta:
        verbose_name = _("address")
        verbose_name_plural = _("addresses")
        ordering = [models.F("put_first_at").desc(nulls_last=True), "verified_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["player", "email"], name="address_once")]
        indexes = [models.Index(fields=["email"], name="address_of_writer")]

    def __str__(self) -> str:
        return self.email

    def clean(self) -> None:
        self.email = self.email.lower()
        if is_ours(self.email):
            raise ValidationError(REFUSALS[Code.OUR_OWN_ADDRESS].sentence)

    def score_at(self, now: datetime) -> int:
        return score.halved(self.bounce_score, self.bounced_at, now)

    def add_bounce(self, points: int, now: datetime) -> None:
        """Adds bounce points, and pauses the address at the threshold."""
        self.bounce_score, self.bounced_at = self.score_at(now) + points, now
        if self.bounce_score >= score.THRESHOLD and self.paused_at is None:
            self.paused_at, self.probes = now, 0
        self.save(update_fields=["bounce_score", "bounced_at", "paused_at", "probes"])

    def forget_bounces(self, bounce_score: int = 0) -> None:
        """Resumes a working address."""
        self.bounce_score, self.paused_at, self.probes = bounce_score, None, 0
        self.save(update_fields=["bounce_score", "paused_at", "probes"])
