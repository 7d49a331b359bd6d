"""What can be done with players: register, change addresses, fall silent, speak again."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction

from pbem.mail.mailbox import mailbox_of
from pbem.players.languages import ZONES
from pbem.players.models import Address, FormerName, Player, Undisturbed
from pbem.players.models.address import is_ours, is_possible
from pbem.players.names import is_reserved
from pbem.players.subscriptions import Subscription
from pbem.refusals import Code, Refused

MOST_ADDRESSES = 5
# A name is written in commands and subjects: one word, so that CHALLENGE alice zertz reads one way.
NAME = re.compile(r"[^\W\d_][\w.'-]{1,23}")


@transaction.atomic
def register(*, name: str, email: str, language: str, now: datetime) -> Player:
    """A new player whose address has just answered. Refuses C04 (bad name), C05 (name taken), C23 (our own address).

    Others may play from the same address: who holds a mailbox reads all that comes to it anyway.
    """
    check_name(name)
    check_address(email)
    zone = ZONES.get(language) or settings.TIME_ZONE
    try:
        with transaction.atomic():
            player = Player.objects.create(name=name, language=language, zone=zone, created_at=now)
    except IntegrityError:  # somebody else has taken it in this moment
        raise Refused(Code.NAME_TAKEN, name=name) from None
    Address.objects.create(player=player, email=email.lower(), verified_at=now)
    return player


@transaction.atomic
def add_address(player: Player, email: str, *, now: datetime) -> None:
    """An address that has just answered. Refuses C10 (too many), C23."""
    check_address(email)
    check_room(player)
    Address.objects.update_or_create(player=player, email=email.lower(), defaults={"verified_at": now})


def check_address(email: str) -> None:
    """Refuses C23: our letters to an address of ours would come back to us, and so would the answers."""
    if is_ours(email):
        raise Refused(Code.OUR_OWN_ADDRESS, name=email)


def check_new_address(email: str) -> None:
    """Refuses C38 (nobody can have it) and C23."""
    if not is_possible(email):
        raise Refused(Code.BAD_ADDRESS, name=email)
    check_address(email)


def check_room(player: Player) -> None:
    if player.addresses.verified().count() >= MOST_ADDRESSES:
        raise Refused(Code.TOO_MANY_ADDRESSES, limit=MOST_ADDRESSES)


def put_first(player: Player, email: str, *, now: datetime) -> None:
    """Letters go to this address from now on. Refuses C08 (not theirs)."""
    if not player.addresses.verified().filter(email=email.lower()).update(put_first_at=now):
        raise Refused(Code.NOT_YOUR_ADDRESS, name=email)


@transaction.atomic
def remove_address(player: Player, email: str) -> None:
    """Refuses C08 (not theirs) and C09: without any address nobody could reach them, nor they us."""
    verified = player.addresses.verified().select_for_update()
    found = [address for address in verified if address.email == email.lower()]
    if not found:
        raise Refused(Code.NOT_YOUR_ADDRESS, name=email)
    if len(verified) == 1:
        raise Refused(Code.ONLY_ADDRESS, name=email)
    found[0].delete()


def check_name(name: str, *, bearer: Player | None = None) -> None:
    """Refuses C04 (no name) and C05: it is somebody else's, or looks like theirs, or means something here."""
    if not NAME.fullmatch(name):
        raise Refused(Code.BAD_NAME, name=name)
    others = Player.objects.exclude(pk=bearer.pk) if bearer else Player.objects.all()
    former = FormerName.objects.resembling(name)
    taken = former.exclude(player=bearer) if bearer else former
    if is_reserved(name) or others.resembling(name).exists() or taken.exists():
        raise Refused(Code.NAME_TAKEN, name=name)


def stop(player: Player, subscription: Subscription | None, *, now: datetime) -> None:
    """No more letters of this sort; None is of any sort."""
    if subscription is None:
        fall_silent(player, now=now)
    else:
        Player.objects.filter(pk=player.pk).update(**{subscription: False})


def restart(player: Player, subscription: Subscription | None) -> None:
    """Letters of this sort again; None is of every sort. Anyone who wanted none gets no others with them."""
    silent = Player.objects.filter(pk=player.pk, silent_since__isnull=False).exists()
    on = set(Subscription) if subscription is None else {subscription}
    off = set(Subscription) - on if silent else set()
    _wish(player, on=on, off=off)


def choose(player: Player, wanted: Collection[Subscription]) -> None:
    """Letters of these sorts and no others."""
    _wish(player, on=wanted, off=set(Subscription) - set(wanted))


def fall_silent(player: Player, *, now: datetime) -> None:
    """Unsubscribe: from now on only answers to their own letters."""
    Player.objects.filter(pk=player.pk, silent_since__isnull=True).update(silent_since=now)


def leave_in_peace(stranger: str, *, now: datetime) -> None:
    """Never again a letter to this mailbox on behalf of others, no matter who asks for it."""
    Undisturbed.objects.get_or_create(email=mailbox_of(stranger), defaults={"since": now})


def complain(player: Player, *, now: datetime) -> None:
    """The player has reported a letter of ours as spam: silence, until they ask for letters by name."""
    fall_silent(player, now=now)
    first = Player.objects.filter(pk=player.pk, complained_at__isnull=True)
    first.update(complained_at=now, complaint_mentioned=False)


def speak_again(player: Player) -> None:
    """Anyone who plays on wants their letters back, unless they called them spam."""
    Player.objects.filter(pk=player.pk, complained_at__isnull=True).update(silent_since=None)


def _wish(player: Player, *, on: Collection[Subscription], off: Collection[Subscription]) -> None:
    wishes = {str(sort): sort in on for sort in {*on, *off}}
    Player.objects.filter(pk=player.pk).update(silent_since=None, complained_at=None, **wishes)
