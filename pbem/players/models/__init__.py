"""Rows about people."""

from pbem.players.models.address import Address, AddressQuerySet, Mailbox
from pbem.players.models.address_change import TAKES, AddressChange
from pbem.players.models.blocks import Limit, Refusing
from pbem.players.models.do_not_contact import Undisturbed
from pbem.players.models.former_name import FormerName
from pbem.players.models.free_time import Absence, AbsenceQuerySet, Holiday
from pbem.players.models.hours import check_weekdays
from pbem.players.models.message import Message, MessageQuerySet
from pbem.players.models.organiser_note import OrganiserNote
from pbem.players.models.player import (
    FoldedName,
    Player,
    PlayerQuerySet,
    Skeleton,
    check_zone,
    default_language,
    default_zone,
    emails_of_two,
)
from pbem.players.models.preferences import Preferences
from pbem.players.models.print_name import PrintName
from pbem.players.models.restore import Restore
from pbem.players.models.salt import new_salt
from pbem.players.names import fold

__all__ = [
    "TAKES",
    "Absence",
    "AbsenceQuerySet",
    "Address",
    "AddressChange",
    "AddressQuerySet",
    "FoldedName",
    "FormerName",
    "Holiday",
    "Limit",
    "Mailbox",
    "Message",
    "MessageQuerySet",
    "OrganiserNote",
    "Player",
    "PlayerQuerySet",
    "Preferences",
    "PrintName",
    "Refusing",
    "Restore",
    "Skeleton",
    "Undisturbed",
    "check_weekdays",
    "check_zone",
    "default_language",
    "default_zone",
    "emails_of_two",
    "fold",
    "new_salt",
]
