"""Players, pending changes of their addresses, and queries that load addresses with players."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.protocol import CANONICAL, Notation
from pbem.players.models.address import Address
from pbem.players.models.preferences import Hours, Preferences
from pbem.players.names import fold, skeleton, spelled
from pbem.players.subscriptions import Subscription
from pbem.queue.sql import compiled_query

# Reminders and absence


class Presence(models.Model):
    """The columns of Player for reminders, and for absence without AWAY."""

    class Reminders(models.TextChoices):
        ALL = "all", _("half of the time, 80%, 24 hours, 3 hours")
        LAST = "last", _("24 hours and 3 hours before the deadline")
        NONE = "none", _("none")

    reminders = models.CharField(
        _("reminders"), max_length=4, choices=Reminders.choices, default=Reminders.ALL
    )
    automatic_absence = models.BooleanField(
        _("automatic absence"),
        default=True,
        help_text=_("A day of absence is used when their time is nearly up."),
    )
    away = models.JSONField(default=list, editable=False)

    class Meta:
        abstract = True

    def away_until(self, now: datetime) -> datetime | None:
        """Returns when the current absence ends. None when the player is not away."""
        # `away` repeats the pending absences as pairs of moments, which saves a query in letters to
        # opponents.
        pairs = ((datetime.fromisoformat(since), datetime.fromisoformat(until)) for since, until in self.away)
        return max((until for since, until in pairs if since <= now < until), default=None)


# Salts of reply addresses


def new_salt() -> bytes:
    """Returns 16 random bytes. A new salt revokes all tokens made with the old one."""
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


class FoldedName(models.CharField):  # type: ignore[type-arg]  # not generic at run time
    """The folded `name` of its row."""

    # Databases fold differently; SQLite folds only A to Z.

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        folded = fold(str(getattr(model_instance, "name")))  # noqa: B009 - any model with a name
        setattr(model_instance, self.attname, folded)
        return folded


class Skeleton(models.CharField):  # type: ignore[type-arg]  # as above
    """The look of the `name` in its row.

    Older names that look alike keep a number behind the skeleton, except the first.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        found = skeleton(str(getattr(model_instance, "name")))  # noqa: B009 - any model with a name
        known = str(getattr(model_instance, self.attname) or "")
        if known.partition("#")[0] != found:
            setattr(model_instance, self.attname, found)
            return found
        return known


class PlayerQuerySet(models.QuerySet["Player"]):
    def called(self, name: str) -> Player | None:
        return self.filter(folded=fold(spelled(name))).first()

    def people(self) -> PlayerQuerySet:
        """Returns all players except robots."""
        return self.filter(robot__isnull=True)

    def resembling(self, name: str) -> PlayerQuerySet:
        """Returns players with the name, or one that looks like it."""
        look = skeleton(name)
        alike = models.Q(skeleton=look) | models.Q(skeleton__startswith=f"{look}#")
        return self.filter(models.Q(folded=fold(name)) | alike)

    def robots(self) -> PlayerQuerySet:
        """Returns the active robots, the weakest first."""
        return self.filter(robot__isnull=False, suspended_at__isnull=True).order_by("robot")

    def reachable(self) -> PlayerQuerySet:
        """Returns the players that get letters."""
        works = Address.objects.working().filter(player=models.OuterRef("pk"))
        return self.filter(models.Exists(works), suspended_at__isnull=True, silent_since__isnull=True)

    def opponents(self) -> PlayerQuerySet:
        """Returns the players that can be challenged: those that get letters, and robots, which need none."""
        works = Address.objects.working().filter(player=models.OuterRef("pk"))
        plays = models.Exists(works) | models.Q(robot__isnull=False)
        return self.filter(plays, suspended_at__isnull=True, silent_since__isnull=True)

    def unreachable(self) -> PlayerQuerySet:
        """Returns the players with verified addresses that are all paused: their clocks stand still."""
        verified = Address.objects.verified().filter(player=models.OuterRef("pk"))
        return self.filter(models.Exists(verified), ~models.Exists(verified.working()))

    def with_hours(self) -> PlayerQuerySet:
        """Returns the players with clocks that stand still at times."""
        own = models.Q(free_weekdays__gt="") | models.Q(night_begins__isnull=False)
        return self.filter(own | models.Q(absences__isnull=False)).distinct()

    def near(self, name: str) -> tuple[str, ...]:
        """Returns up to three names similar to `name`."""
        # The first letter is rarely mistyped.
        begin_alike = self.filter(folded__startswith=fold(name)[:1]).values_list("name", flat=True)[:2000]
        names = {known.casefold(): known for known in begin_alike}
        return tuple(names[word] for word in get_close_matches(name.casefold(), names, n=3))

    def writing_from(self, email: str) -> PlayerQuerySet:
        """Returns the players with this verified address; several when a family shares it."""
        return self.filter(addresses__email=email.lower(), addresses__verified_at__isnull=False)

    def reading(self, mailbox: str) -> PlayerQuerySet:
        """Returns the players with this mailbox, in any spelling; not proof of a sender."""
        return self.filter(pk__in=Address.objects.verified().filter(mailbox=mailbox).values("player"))


class Player(Hours, Preferences, Presence):
    """A player. Letters go to their first verified address that works."""

    known_addresses: list[Address] | None = None  # set by queries that load them; not updated

    class Coordinates(models.TextChoices):
        SEED = "seed", _("oblique (PerGioco)")
        GIPF = "gipf", _("by column (gipf.com)")

    name = models.CharField(_("name"), max_length=40)
    folded = FoldedName(max_length=120, unique=True, editable=False)
    skeleton = Skeleton(max_length=200, unique=True, null=True, editable=False)
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
        help_text=_("Asks for a YES to every email whose sender their provider does not confirm."),
    )
    program = models.BooleanField(
        _("a program"),
        default=False,
        help_text=_(
            "They say a program plays for them: their opponents are told, and it may answer by itself."
        ),
    )
    receipts = models.BooleanField(
        _("receipts"),
        null=True,
        blank=True,
        help_text=_("A letter after each of their own moves; unknown: after a newcomer's first three."),
    )
    turns = models.BooleanField(
        _("turn letters"), default=True, help_text=_("The board whenever it is their turn, offers, results.")
    )
    messages = models.BooleanField(
        _("messages"), default=True, help_text=_("What their opponents write to them.")
    )
    challenges = models.BooleanField(
        _("challenges"), default=True, help_text=_("Challenges, and what became of their own.")
    )
    news = models.BooleanField(
        _("news"), default=True, help_text=_("Whether an opponent can be reached, and other news.")
    )
    silent_since = models.DateTimeField(
        _("silent since"),
        null=True,
        blank=True,
        help_text=_("Unsubscribed: gets answers to their own emails only."),
    )
    complained_at = models.DateTimeField(
        _("complained"), null=True, blank=True, help_text=_("Reported one of our letters as spam.")
    )
    complaint_mentioned = models.BooleanField(default=True, editable=False)
    unreachable_since = models.DateTimeField(
        _("unreachable since"),
        null=True,
        blank=True,
        help_text=_("Letters to all their addresses bounce."),
    )
    suspended_at = models.DateTimeField(_("suspended"), null=True, blank=True)
    # The level of a robot. Robots have no address: they get no letters, their clocks do not stand still for a
    # mailbox, and they cannot lose on time.
    robot = models.PositiveSmallIntegerField(
        _("robot of level"), null=True, blank=True, unique=True, editable=False
    )
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    # Of the address of their calendar; None: there is none.
    calendar_salt = models.BinaryField(max_length=16, null=True, editable=False)
    created_at = models.DateTimeField(_("since"), default=timezone.now, editable=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        permissions = [("erase_player", _("Can erase players"))]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def email(self) -> str:
        """Returns the first verified address that works, else the first verified one; "" without any."""
        # Letters to an address that does not work are held until it does.
        if self.known_addresses is not None:
            return _first(self.known_addresses)
        known = "addresses" in getattr(self, "_prefetched_objects_cache", ())
        return _first(self.addresses.all() if known else _addresses(self.pk))

    @property
    def notation(self) -> Notation:
        return CANONICAL if self.program else Notation(self.language, self.coordinates)

    def wants(self, subscription: Subscription | None) -> bool:
        """Returns whether the player wants such letters; None is a sort that cannot be stopped by itself."""
        return self.silent_since is None and (
            subscription is None or getattr(self, subscription) is not False
        )

    def writes_from(self, email: str) -> bool:
        if self.known_addresses is not None:
            return any(each.verified_at and each.email == email.lower() for each in self.known_addresses)
        return bool(_verified(self.pk, email.lower()))


def emails_of_two(one: Player, other: Player) -> tuple[str, str]:
    """Returns the `email` of each, in one query."""
    addresses = _addresses_of_two(one.pk, other.pk)
    of_one, of_other = (
        [each for each in addresses if each.player_id == player.pk] for player in (one, other)
    )
    return _first(of_one), _first(of_other)


def _first(addresses: Iterable[Address]) -> str:
    verified = [address for address in addresses if address.verified_at]
    return next((a.email for a in sorted(verified, key=lambda a: a.paused_at is not None)), "")


@compiled_query
def _addresses_of_two(one: int, other: int) -> models.QuerySet[Address]:
    return Address.objects.filter(models.Q(player=one) | models.Q(player=other))


@compiled_query
def _addresses(player: int) -> models.QuerySet[Address]:
    return Address.objects.filter(player=player)


@compiled_query
def _verified(player: int, email: str) -> models.QuerySet[Address]:
    return Address.objects.verified().filter(player=player, email=email)


# Changes of address

# As long as a question stays open: time to object for players who read mail every other day.
TAKES = timedelta(days=3)


class AddressChangeQuerySet(models.QuerySet["AddressChange"]):
    def open(self) -> AddressChangeQuerySet:
        return self.filter(closed_at__isnull=True)

    def due(self, at: datetime) -> AddressChangeQuerySet:
        return self.open().filter(due_at__lte=at)


class AddressChange(models.Model):
    """`email` becomes an address of `player` at `due_at`, unless a NO arrives before. `confirmed_at`: its own
    YES.

    `by_organiser`: the player cannot read the old mailbox; their clocks stand still until the change is
    closed.
    """

    player = models.ForeignKey(
        Player, models.CASCADE, related_name="address_changes", verbose_name=_("player")
    )
    email = models.EmailField(_("email"))
    puts_first = models.BooleanField(_("put first"))
    by_organiser = models.BooleanField(_("by the organiser"), default=False)
    begun_at = models.DateTimeField(_("begun"))
    due_at = models.DateTimeField(_("due"))
    confirmed_at = models.DateTimeField(_("confirmed"), null=True)
    closed_at = models.DateTimeField(_("closed"), null=True)
    cancelled = models.BooleanField(_("cancelled"), default=False)

    objects = AddressChangeQuerySet.as_manager()

    class Meta:
        verbose_name = _("change of address")
        verbose_name_plural = _("changes of address")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["player", "email"],
                condition=models.Q(closed_at__isnull=True),
                name="address_change_open_once",
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="address_change_due", condition=models.Q(closed_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.email}"


# Addresses as columns of a query for players, which saves a query

_FIELDS = tuple(field.attname for field in Address._meta.concrete_fields if not field.is_relation)
_LATE = datetime.max.replace(tzinfo=UTC)


def columns(player: str) -> dict[str, Combinable]:
    """Returns annotations that give a row per address; `player` is the lookup path, such as `player__`."""
    blamed = Q(paused_at__isnull=False) | Q(bounce_score__gt=0)
    same = Address.objects.verified().filter(blamed, email=OuterRef(f"{player}addresses__email"))
    found: dict[str, Combinable] = {f"address_{name}": F(f"{player}addresses__{name}") for name in _FIELDS}
    return found | {"address_blamed": Exists(same)}


def know(rows: Iterable[tuple[Player, Any]]) -> None:
    """Stores the addresses in the rows of such a query on each player."""
    for player, row in rows:
        if player.known_addresses is None:
            player.known_addresses = []
        if row.address_id is not None:
            player.known_addresses.append(_address(player, row))
    for player, _row in rows:
        (player.known_addresses or []).sort(key=_order)


def _address(player: Player, row: Any) -> Address:
    address = Address(player_id=player.pk, **{name: getattr(row, f"address_{name}") for name in _FIELDS})
    address.is_blamed = bool(row.address_blamed)
    return address


def _order(address: Address) -> tuple[bool, float, datetime, int]:
    """Returns the sort key of the model's ordering."""
    first = address.put_first_at
    return first is None, -first.timestamp() if first else 0, address.verified_at or _LATE, address.pk
