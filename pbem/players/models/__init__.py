"""Rows about people."""

from pbem.players.models.address import Address, AddressQuerySet
from pbem.players.models.message import Message, MessageQuerySet
from pbem.players.models.player import (
    FoldedName,
    Player,
    PlayerQuerySet,
    check_zone,
    default_language,
    default_zone,
    fold,
)
from pbem.players.models.preferences import Preferences
from pbem.players.models.salt import new_salt

__all__ = [
    "Address",
    "AddressQuerySet",
    "FoldedName",
    "Message",
    "MessageQuerySet",
    "Player",
    "PlayerQuerySet",
    "Preferences",
    "check_zone",
    "default_language",
    "default_zone",
    "fold",
    "new_salt",
]
