"""What can be done with players: register, change addresses, fall silent, speak again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from time import monotonic

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, Q, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from pbem.mail.mailbox import mailbox_of
from pbem.players.models import Address, FormerName, Player, PrintName, Restore, Undisturbed
from pbem.players.models.address import is_ours, is_possible
from pbem.players.models.name import look_of
from pbem.players.names import ZONES, is_reserved
from pbem.players.subscriptions import Subscription
from pbem.players.tokens import DAY_ZERO
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


# What somebody may be called here of whom we know no more than what their emails say.

_FIRST_NAME = re.compile(r"[^\W\d_]{2,20}(?:[-'][^\W\d_]{2,20})*(?![^\W_])")
_TITLE = re.compile(
    r"(?:(?:mrs?|ms|miss|dr|prof|sir|sig|sig\.ra|signora?|dott|dott\.ssa|ing|avv)\b(?:\.?\s+|[._-](?=\w)))++",
    re.IGNORECASE,
)
_TRIES = ("", *map(str, range(2, 10)))
_LONGEST = 22  # characters, so that a number fits behind


def suggested_name(*sources: str) -> str:
    """The first name that From or an address begins with, if it is free, else with a number; "" where there is none.

    An empty answer asks for a name, so what is doubtful need not be guessed.
    """
    return next((name for name in _free(sources)), "")


def instead_of(taken: str, *sources: str) -> str:
    """What comes nearest to a name that somebody else has; of one that nobody may have, what the `sources` suggest."""
    own = "" if is_reserved(taken) else taken.rstrip("0123456789")
    return _numbered(own[:_LONGEST]) or suggested_name(*sources)


def capitalised(name: str) -> str:
    """As it is written where nobody is in a hurry: `victor` is Victor, and NinaH stays."""
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


# The epoch of the records: 0, and another one after each restore from a backup. What was written in
# the time that a restore has undone lives on in mailboxes. Reply addresses and Message-IDs say
# which epoch they are of, so that an answer to a lost letter is never taken for one to a letter of
# now.

FRESH = 10.0  # seconds that a process may go on with an old epoch: what it makes then is asked about, not believed
CAREFUL = timedelta(hours=48)
_ZERO = datetime(DAY_ZERO.year, DAY_ZERO.month, DAY_ZERO.day, tzinfo=UTC)


class _Known:
    """What this process last read, and when."""

    epoch = 0
    until = float("-inf")


def to_write_with() -> int:
    """For addresses and Message-IDs that are made now: no question to the database for each of them."""
    if monotonic() >= _Known.until:
        _Known.epoch, _Known.until = next(iter(_numbers()), 0), monotonic() + FRESH
    return _Known.epoch


def forget() -> None:
    """The rows are others than a moment ago."""
    _Known.until = float("-inf")


def at(moment: datetime | Combinable) -> Combinable:
    """The epoch of a moment, as a column of a query that is made anyway: by it addresses are judged."""
    newest = Restore.objects.filter(_begun_by(moment)).order_by("-number").values("number")[:1]
    return Coalesce(newest, Value(0), output_field=BigIntegerField())


def known(moment: datetime) -> tuple[int, ...]:
    """All epochs that what arrived then is judged by, the newest first."""
    return *_numbers(_begun_by(moment)), 0


def restored_recently(now: datetime) -> bool:
    """Then letters that were written in the lost time are still coming in."""
    return Restore.objects.filter(_begun_by(now), restored_at__gt=now - CAREFUL).exists()


def number_of(now: datetime) -> int:
    """Of an epoch that begins now, after all that are known."""
    return max(int((now - _ZERO).total_seconds()), next(iter(_numbers()), 0) + 1)


def _begun_by(moment: datetime | Combinable) -> Q:
    """Of what arrived in the lost time the rows know only what waited elsewhere, and came after the restore: it may
    answer a letter that is lost."""
    return Q(since__lt=moment) | Q(restored_at__lte=moment)


def _numbers(*filters: Q) -> QuerySet[Restore, int]:
    return Restore.objects.filter(*filters).order_by("-number").values_list("number", flat=True)


# A player takes another name. Matches and tables follow it; letters, bulletins and records that
# were written stay.

OFTEN = timedelta(days=30)  # between one change and the next


def check(player: Player, name: str, *, now: datetime) -> None:
    """Refuses C04 (bad name), C05 (not free), C37 (they have changed it lately)."""
    check_name(name, bearer=player)
    if name == player.name:
        raise Refused(Code.NAME_TAKEN, name=name)
    if FormerName.objects.filter(player=player, given_up_at__gt=now - OFTEN).exists():
        raise Refused(Code.RENAMED_LATELY)


@transaction.atomic
def rename(player: Player, name: str, *, now: datetime) -> str:
    """The name that they had, which stays theirs alone: they may take it again."""
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
    except IntegrityError:  # somebody else has taken it in this moment
        raise Refused(Code.NAME_TAKEN, name=name) from None
    return before


# What is done with the name that a player has in print: asked for, allowed, taken back.


def ask(player: Player, name: str, *, now: datetime) -> PrintName:
    """The organiser wants to print it. What was allowed under another name is not allowed any more."""
    row, _new = PrintName.objects.update_or_create(
        player=player, defaults={"name": name.strip(), "asked_at": now, "agreed_at": None}
    )
    return row


def allow(player: Player, name: str = "", *, now: datetime) -> None:
    """The player allows the name that was asked for, or their own words for it."""
    if name.strip():
        PrintName.objects.update_or_create(player=player, defaults={"name": name.strip(), "agreed_at": now})
    else:
        PrintName.objects.filter(player=player).update(agreed_at=now)


def withdraw(player: Player) -> None:
    """Nothing is kept of it."""
    PrintName.objects.filter(player=player).delete()
