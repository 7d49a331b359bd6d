"""Operations on players: registration, addresses, subscriptions, names, and epochs of restored records."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from time import monotonic

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from pbem.mail.mailbox import mailbox_of
from pbem.players.models import Address, FormerName, Player, PrintName, Restore, SuppressedAddress
from pbem.players.models.address import is_ours, is_possible
from pbem.players.models.name import look_of
from pbem.players.names import is_reserved
from pbem.players.subscriptions import Subscription
from pbem.players.tokens import DAY_ZERO
from pbem.players.zones import likely_zones
from pbem.refusals import Code, Refused

MOST_ADDRESSES = 5
# A name is one word, so that `CHALLENGE alice zertz` is unambiguous.
NAME = re.compile(r"[^\W\d_][\w.'-]{1,23}")


@transaction.atomic
def register(*, name: str, email: str, language: str, now: datetime, sent: datetime | None = None) -> Player:
    """Creates a player with a verified address, and the zone where their email was probably `sent`.

    Refuses C04 (bad name), C05 (taken), C23 (our address).
    """
    # Several players may share an address: its owner reads all its mail anyway.
    check_name(name)
    check_address(email)
    zone = likely_zones(language, sent)[0]
    try:
        with transaction.atomic():
            player = Player.objects.create(name=name, language=language, zone=zone, created_at=now)
    except IntegrityError:  # taken in the meantime
        raise Refused(Code.NAME_TAKEN, name=name) from None
    Address.objects.create(player=player, email=email.lower(), verified_at=now)
    return player


@transaction.atomic
def add_address(player: Player, email: str, *, now: datetime) -> None:
    """Adds a verified address. Refuses C10 (too many) and C23 (our own address)."""
    check_address(email)
    check_room(player)
    Address.objects.update_or_create(player=player, email=email.lower(), defaults={"verified_at": now})


def check_address(email: str) -> None:
    """Refuses C23: mail to our own address would return to us."""
    if is_ours(email):
        raise Refused(Code.OUR_OWN_ADDRESS, name=email)


def check_new_address(email: str) -> None:
    """Refuses C38 (not a possible address) and C23 (our own address)."""
    if not is_possible(email):
        raise Refused(Code.BAD_ADDRESS, name=email)
    check_address(email)


def check_room(player: Player) -> None:
    if player.addresses.verified().count() >= MOST_ADDRESSES:
        raise Refused(Code.TOO_MANY_ADDRESSES, limit=MOST_ADDRESSES)


def put_first(player: Player, email: str, *, now: datetime) -> None:
    """Sends letters to this address from now on. Refuses C08 (not theirs)."""
    if not player.addresses.verified().filter(email=email.lower()).update(put_first_at=now):
        raise Refused(Code.NOT_YOUR_ADDRESS, name=email)


@transaction.atomic
def remove_address(player: Player, email: str) -> None:
    """Removes an address. Refuses C08 (not theirs) and C09 (the only one)."""
    verified = player.addresses.verified().select_for_update()
    found = [address for address in verified if address.email == email.lower()]
    if not found:
        raise Refused(Code.NOT_YOUR_ADDRESS, name=email)
    if len(verified) == 1:
        raise Refused(Code.ONLY_ADDRESS, name=email)
    found[0].delete()


def check_name(name: str, *, bearer: Player | None = None) -> None:
    """Refuses C04 (not a name) and C05 (taken, too similar to a taken name, or reserved)."""
    if not NAME.fullmatch(name):
        raise Refused(Code.BAD_NAME, name=name)
    others = Player.objects.exclude(pk=bearer.pk) if bearer else Player.objects.all()
    former = FormerName.objects.resembling(name)
    taken = former.exclude(player=bearer) if bearer else former
    if is_reserved(name) or others.resembling(name).exists() or taken.exists():
        raise Refused(Code.NAME_TAKEN, name=name)


def stop(player: Player, subscription: Subscription | None, *, now: datetime) -> None:
    """Stops letters of this subscription; None stops all."""
    if subscription is None:
        fall_silent(player, now=now)
    else:
        Player.objects.filter(pk=player.pk).update(**{subscription: False})


def restart(player: Player, subscription: Subscription | None) -> None:
    """Resumes letters of this subscription, None all. A player who was silent gets no others."""
    silent = Player.objects.filter(pk=player.pk, silent_since__isnull=False).exists()
    on = set(Subscription) if subscription is None else {subscription}
    off = set(Subscription) - on if silent else set()
    _wish(player, on=on, off=off)


def choose(player: Player, wanted: Collection[Subscription]) -> None:
    """Subscribes the player to these sorts of letters only."""
    # A newcomer's receipts, which come unasked, do not become a wish.
    stopped = {sort for sort in wanted if getattr(player, sort) is False}
    _wish(player, on=stopped, off=set(Subscription) - set(wanted))


def fall_silent(player: Player, *, now: datetime) -> None:
    """Unsubscribes the player: only replies to their own letters are sent from now on."""
    Player.objects.filter(pk=player.pk, silent_since__isnull=True).update(silent_since=now)


def do_not_contact(stranger: str, *, now: datetime) -> None:
    """Blocks all future letters to this mailbox on behalf of others."""
    SuppressedAddress.objects.get_or_create(email=mailbox_of(stranger), defaults={"since": now})


def complain(player: Player, *, now: datetime) -> None:
    """Records a spam complaint, and silences the player until they subscribe explicitly."""
    fall_silent(player, now=now)
    first = Player.objects.filter(pk=player.pk, complained_at__isnull=True)
    first.update(complained_at=now, complaint_mentioned=False)


def speak_again(player: Player) -> None:
    """Ends the silence of a player who plays on, unless they complained of spam."""
    Player.objects.filter(pk=player.pk, complained_at__isnull=True).update(silent_since=None)


def _wish(player: Player, *, on: Collection[Subscription], off: Collection[Subscription]) -> None:
    wishes = {str(sort): sort in on for sort in {*on, *off}}
    Player.objects.filter(pk=player.pk).update(silent_since=None, complained_at=None, **wishes)


# Suggested names

_FIRST_NAME = re.compile(r"[^\W\d_]{2,20}(?:[-'][^\W\d_]{2,20})*(?![^\W_])")
_TITLE = re.compile(
    r"(?:(?:mrs?|ms|miss|dr|prof|sir|sig|sig\.ra|signora?|dott|dott\.ssa|ing|avv)\b(?:\.?\s+|[._-](?=\w)))++",
    re.IGNORECASE,
)
_TRIES = ("", *map(str, range(2, 10)))
_LONGEST = 22  # characters, leaving room for a number


def suggested_name(*sources: str) -> str:
    """Returns a free name from the first name in From or an address, numbered if taken. Empty when unsure."""
    return next((name for name in _free(sources)), "")


def instead_of(taken: str, *sources: str) -> str:
    """Returns a free name similar to a taken one; for a reserved one, a name from the `sources`."""
    own = "" if is_reserved(taken) else taken.rstrip("0123456789")
    return _numbered(own[:_LONGEST]) or suggested_name(*sources)


def capitalised(name: str) -> str:
    """Returns the name with a capital: Victor for `victor`; NinaH stays."""
    return name[:1].upper() + name[1:] if name.islower() else name


def _free(sources: tuple[str, ...]) -> Iterator[str]:
    for source in sources:
        surname_first = source.partition(",")[2].strip()  # Rossi, Gianni
        found = _FIRST_NAME.match(_TITLE.sub("", surname_first or source.strip(), count=1))
        if found is None or len(found[0]) > _LONGEST:
            continue
        name = found[0] if found[0][1:] != found[0][1:].upper() else found[0].lower()
        if free := _numbered(name[0].upper() + name[1:]):
            yield free


def _numbered(name: str) -> str:
    for number in _TRIES:
        try:
            check_name(name + number)
        except Refused:
            continue
        return name + number
    return ""


# Epochs: 0, and a new one after each restore from a backup
# Letters from the lost time live on in mailboxes. Reply addresses and Message-IDs carry their epoch, so that
# a reply to a lost letter is not taken for a reply to a present one.

FRESH = 10.0  # seconds of caching; tokens made with an old epoch are confirmed with the player, not trusted
CAREFUL = timedelta(hours=48)
_ZERO = datetime(DAY_ZERO.year, DAY_ZERO.month, DAY_ZERO.day, tzinfo=UTC)


class _Known:
    """The epoch that this process read last, and how long it is valid."""

    epoch = 0
    until = float("-inf")


def to_write_with() -> int:
    """Returns the cached epoch for new addresses and Message-IDs."""
    if monotonic() >= _Known.until:
        _Known.epoch, _Known.until = next(iter(_numbers()), 0), monotonic() + FRESH
    return _Known.epoch


def forget() -> None:
    """Drops the cached epoch."""
    _Known.until = float("-inf")


def at(moment: datetime | Combinable) -> Combinable:
    """Returns the epoch of a moment as a query expression."""
    newest = Restore.objects.filter(_begun_by(moment)).order_by("-number").values("number")[:1]
    return Coalesce(newest, Value(0), output_field=BigIntegerField())


def known(moment: datetime) -> tuple[int, ...]:
    """Returns all epochs known at that moment, the newest first."""
    return *_numbers(_begun_by(moment)), 0


def restored_recently(now: datetime) -> bool:
    """Returns whether letters from the lost time may still arrive: 48 hours after a restore."""
    return Restore.objects.filter(_begun_by(now), restored_at__gt=now - CAREFUL).exists()


def number_of(now: datetime) -> int:
    """Returns the number of an epoch that begins now, above all known ones."""
    return max(int((now - _ZERO).total_seconds()), next(iter(_numbers()), 0) + 1)


def _begun_by(moment: datetime | Combinable) -> Q:
    """Selects the epochs that apply to mail that arrived at that moment."""
    # Mail from the lost time that waited elsewhere may answer a lost letter.
    return Q(since__lt=moment) | Q(restored_at__lte=moment)


def _numbers(*filters: Q) -> QuerySet[Restore, int]:
    return Restore.objects.filter(*filters).order_by("-number").values_list("number", flat=True)


# Renaming: matches and tables follow it; letters, bulletins and records stay

OFTEN = timedelta(days=30)  # between two changes


def check(player: Player, name: str, *, now: datetime) -> None:
    """Refuses C04 (bad name), C05 (not free), C37 (changed recently)."""
    check_name(name, bearer=player)
    if name == player.name:
        raise Refused(Code.NAME_TAKEN, name=name)
    if FormerName.objects.filter(player=player, given_up_at__gt=now - OFTEN).exists():
        raise Refused(Code.RENAMED_LATELY)


@transaction.atomic
def rename(player: Player, name: str, *, now: datetime) -> str:
    """Renames the player; returns the old name, which stays reserved for them."""
    check(player, name, now=now)
    before = player.name
    FormerName.objects.filter(player=player, look=look_of(name)).delete()
    FormerName.objects.update_or_create(
        look=look_of(before), defaults={"player": player, "name": before, "given_up_at": now}
    )
    player.name = name
    try:
        with transaction.atomic():
            player.save(update_fields=["name", "folded", "skeleton"])
    except IntegrityError:  # taken in the meantime
        raise Refused(Code.NAME_TAKEN, name=name) from None
    return before


# Names for print: requested, allowed, withdrawn


def ask(player: Player, name: str, *, now: datetime) -> PrintName:
    """Requests permission to print the name. Revokes any earlier permission."""
    row, _new = PrintName.objects.update_or_create(
        player=player, defaults={"name": name.strip(), "asked_at": now, "agreed_at": None}
    )
    return row


def allow(player: Player, name: str = "", *, now: datetime) -> None:
    """Allows the requested name, or the player's own version of it."""
    if name.strip():
        PrintName.objects.update_or_create(player=player, defaults={"name": name.strip(), "agreed_at": now})
    else:
        PrintName.objects.filter(player=player).update(agreed_at=now)


def withdraw(player: Player) -> None:
    """Deletes the name for print."""
    PrintName.objects.filter(player=player).delete()
