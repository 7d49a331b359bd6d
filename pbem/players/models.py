"""Rows about people: a player and the addresses that he writes from."""

from __future__ import annotations

import secrets
import unicodedata
from difflib import get_close_matches
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.protocol import Notation


def new_salt() -> bytes:
    """16 random bytes: whoever changes a salt revokes all the tokens made with it."""
    return secrets.token_bytes(16)


def default_language() -> str:
    return settings.LANGUAGE_CODE


def default_zone() -> str:
    return settings.TIME_ZONE


def check_zone(name: str) -> None:
    if name not in available_timezones():
        raise ValidationError(
            _("%(name)s is not a time zone; write for instance Europe/Rome."), params={"name": name}
        )


def fold(name: str) -> str:
    """What two names have in common that a reader takes for the same: `Èlena`, `ÈLENA`."""
    return unicodedata.normalize("NFKC", name.strip()).casefold()


class FoldedName(models.CharField):  # type: ignore[type-arg]  # not generic at run time
    """The folded `name` of its row. Databases differ in what they fold; SQLite knows only A to Z."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        folded = fold(str(getattr(model_instance, "name")))  # noqa: B009 - any model with a name
        setattr(model_instance, self.attname, folded)
        return folded


class PlayerQuerySet(models.QuerySet["Player"]):
    def called(self, name: str) -> Player | None:
        return self.filter(folded=fold(name)).first()

    def reachable(self) -> PlayerQuerySet:
        """Those who can be challenged: they get letters."""
        verified = self.filter(addresses__verified_at__isnull=False, suspended_at__isnull=True)
        return verified.filter(silent_since__isnull=True).distinct()

    def near(self, name: str) -> tuple[str, ...]:
        """Up to three names that look like `name`. Few mistype a first letter."""
        begin_alike = self.filter(folded__startswith=fold(name)[:1]).values_list("name", flat=True)[:2000]
        names = {known.casefold(): known for known in begin_alike}
        return tuple(names[word] for word in get_close_matches(name.casefold(), names, n=3))

    def writing_from(self, email: str) -> Player | None:
        return self.filter(addresses__email=email.lower(), addresses__verified_at__isnull=False).first()


class Player(models.Model):
    """Somebody who plays. Letters go to his first verified address."""

    class Coordinates(models.TextChoices):
        SEED = "seed", _("oblique (PerGioco)")
        GIPF = "gipf", _("by column (gipf.com)")

    name = models.CharField(_("name"), max_length=40)
    folded = FoldedName(max_length=120, unique=True, editable=False)
    language = models.CharField(
        _("language"), max_length=8, choices=settings.LANGUAGES, default=default_language
    )
    zone = models.CharField(_("time zone"), max_length=64, default=default_zone, validators=[check_zone])
    coordinates = models.CharField(
        _("hexagon coordinates"), max_length=8, choices=Coordinates.choices, default=Coordinates.SEED
    )
    strict = models.BooleanField(
        _("strict"),
        default=False,
        help_text=_("Confirm every letter whose sender his provider does not vouch for."),
    )
    receipts = models.BooleanField(
        _("receipts"), default=True, help_text=_("A letter for each own move that was played.")
    )
    silent_since = models.DateTimeField(
        _("silent since"),
        null=True,
        blank=True,
        help_text=_("Unsubscribed: gets answers to his own letters only."),
    )
    suspended_at = models.DateTimeField(_("suspended"), null=True, blank=True)
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    created_at = models.DateTimeField(_("since"), default=timezone.now, editable=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def email(self) -> str:
        """Where letters go; "" while no address is verified."""
        return next((address.email for address in self.addresses.all() if address.verified_at), "")

    @property
    def notation(self) -> Notation:
        return Notation(self.language, self.coordinates)

    def writes_from(self, email: str) -> bool:
        return self.addresses.verified().filter(email=email.lower()).exists()


class AddressQuerySet(models.QuerySet["Address"]):
    def verified(self) -> AddressQuerySet:
        return self.filter(verified_at__isnull=False)


class Address(models.Model):
    """An e-mail address of a player; believed only once a letter sent to it was answered."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="addresses", verbose_name=_("player"))
    email = models.EmailField(_("e-mail"), unique=True)
    verified_at = models.DateTimeField(_("verified"), null=True, blank=True)

    objects = AddressQuerySet.as_manager()

    class Meta:
        verbose_name = _("address")
        verbose_name_plural = _("addresses")
        ordering = ["verified_at", "pk"]

    def __str__(self) -> str:
        return self.email

    def clean(self) -> None:
        self.email = self.email.lower()
