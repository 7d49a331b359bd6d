"""Models of players, their addresses, names, absences and messages."""

from pbem.players.models.address import Address, AddressQuerySet, Mailbox
from pbem.players.models.api_token import ApiToken
from pbem.players.models.do_not_contact import Restore, SuppressedAddress
from pbem.players.models.free_time import Absence, AbsenceQuerySet, Holiday
from pbem.players.models.message import Limit, Message, MessageQuerySet, OrganiserNote, PlayerBlock
from pbem.players.models.name import FormerName, PrintName
from pbem.players.models.player import (
    TAKES,
    AddressChange,
    FoldedName,
    Player,
    PlayerQuerySet,
    Skeleton,
    check_zone,
    default_language,
    default_zone,
    emails_of_two,
    new_salt,
)
from pbem.players.models.preferences import Preferences, check_weekdays
from pbem.players.names import fold

__all__ = [
    "TAKES",
    "Absence",
    "AbsenceQuerySet",
    "Address",
    "AddressChange",
    "AddressQuerySet",
    "ApiToken",
    "FoldedName",
    "FormerName",
    "Holiday",
    "Limit",
    "Mailbox",
    "Message",
    "MessageQuerySet",
    "OrganiserNote",
    "Player",
    "PlayerBlock",
    "PlayerQuerySet",
    "Preferences",
    "PrintName",
    "Restore",
    "Skeleton",
    "SuppressedAddress",
    "check_weekdays",
    "check_zone",
    "default_language",
    "default_zone",
    "emails_of_two",
    "fold",
    "new_salt",
]
