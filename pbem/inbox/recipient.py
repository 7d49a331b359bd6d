"""Recipient types, one for each purpose of our addresses: subject, possible senders and rate limit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pbem.inbox.models import Confirmation
from pbem.inbox.rate_limits.table import Account
from pbem.matches.models import Invitation, Match, Seat
from pbem.outbox.models import OutboundMail
from pbem.players.models import Message, Player
from pbem.players.subscriptions import Subscription
from pbem.players.tokens import PLAY, Purpose

State = Literal["current", "stale", "player", "revoked", "absent"]
REPLIES = (Purpose.MOVE, Purpose.LETTER)


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """An address of ours. `state` is the validity of its token: "absent" when it has none or an expired one.

    `restored`: it was made before a restore, so that what it shows may be undone.
    """

    purpose: str
    state: State = "absent"
    restored: bool = False

    @property
    def match(self) -> Match | None:
        """The match that it is about. None when there is none."""
        return None

    @property
    def asked(self) -> str:
        """The address that a question was sent to. Empty when there is none."""
        return ""

    @property
    def queue_key(self) -> str:
        """The queue of its letters: the match, or "" for the sender's."""
        return f"match:{self.match.pk}" if self.match else ""

    @property
    def is_reply(self) -> bool:
        """Whether letters to it count as answers."""
        return self.purpose in REPLIES and self.state != "revoked"

    def possible_writers(self) -> Iterable[Player] | None:
        """The players who may have written to it. None when the address belongs to no player."""
        return None

    def rate_limit(self, author: str) -> Account | None:
        """The account in which letters by `author` count. None for the sender's own."""
        return None


@dataclass(frozen=True, kw_only=True)
class PlayRecipient(Recipient):
    """The public address. `seat` and `ply`, or `answered`, tell what a letter answers, and prove nothing."""

    purpose: str = PLAY
    seat: Seat | None = None
    ply: int | None = None
    answered: OutboundMail | None = None

    @property
    def match(self) -> Match | None:
        return self.seat.match if self.seat else None


@dataclass(frozen=True, kw_only=True)
class MoveRecipient(Recipient):
    """The reply address of a letter about one match, with the turn shown."""

    purpose: str = Purpose.MOVE
    seat: Seat
    ply: int | None

    @property
    def match(self) -> Match | None:
        return self.seat.match

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.seat.player,)

    def rate_limit(self, author: str) -> Account | None:
        own = self.state != "revoked" and author and self.seat.player.writes_from(author)
        return Account("seat" if own else "holders", self.seat.pk)


@dataclass(frozen=True, kw_only=True)
class LetterRecipient(Recipient):
    """The reply address of a letter about no match or several."""

    purpose: str = Purpose.LETTER
    answered: OutboundMail
    player: Player | None

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.player,) if self.player else None

    def rate_limit(self, author: str) -> Account | None:
        if self.player is None:
            return None
        own = author and self.player.writes_from(author)
        return Account("player", author) if own else Account("holders", f"letter:{self.answered.pk}")


@dataclass(frozen=True, kw_only=True)
class MessageRecipient(Recipient):
    """The reply address of a player's message."""

    purpose: str = Purpose.WRITE
    message: Message

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.message.reader,)

    def rate_limit(self, author: str) -> Account | None:
        return Account("message", self.message.pk)


@dataclass(frozen=True, kw_only=True)
class ConfirmRecipient(Recipient):
    """The reply address of a confirmation question."""

    purpose: str = Purpose.CONFIRM
    confirmation: Confirmation

    @property
    def asked(self) -> str:
        return self.confirmation.address.lower()

    @property
    def match(self) -> Match | None:
        return self.confirmation.match

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.confirmation.player,) if self.confirmation.player else ()

    def rate_limit(self, author: str) -> Account | None:
        return Account("question", self.confirmation.pk)


@dataclass(frozen=True, kw_only=True)
class InvitationRecipient(Recipient):
    """The reply address of an invitation."""

    purpose: str = Purpose.INVITE
    invitation: Invitation

    @property
    def asked(self) -> str:
        return self.invitation.address.lower()

    def possible_writers(self) -> Iterable[Player] | None:
        return self.invitation.readers

    def rate_limit(self, author: str) -> Account | None:
        return Account("question", f"i{self.invitation.pk}")


@dataclass(frozen=True, kw_only=True)
class BounceRecipient(Recipient):
    """The envelope sender of `letter`."""

    purpose: str = Purpose.BOUNCE
    letter: OutboundMail

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.letter.player,) if self.letter.player else ()

    def rate_limit(self, author: str) -> Account | None:
        return Account("bounces", self.letter.pk)


@dataclass(frozen=True, kw_only=True)
class UnsubscribeRecipient(Recipient):
    """The one-click address that stops a player's `subscription`; None stops all letters."""

    purpose: str = Purpose.UNSUBSCRIBE
    player: Player
    subscription: Subscription | None

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.player,)

    def rate_limit(self, author: str) -> Account | None:
        return Account("goodbye", self.player.pk)


@dataclass(frozen=True, kw_only=True)
class DoNotContactRecipient(Recipient):
    """The opt-out of a stranger's `address`; `language` is that of our letter."""

    purpose: str = Purpose.NEVER
    address: str
    language: str

    def possible_writers(self) -> Iterable[Player] | None:
        return ()

    def rate_limit(self, author: str) -> Account | None:
        return Account("goodbye", self.address)


@dataclass(frozen=True, kw_only=True)
class LostRecipient(Recipient):
    """An address of ours that a restore has lost the rows of."""

    state: State = "stale"
    restored: bool = True


def seat_of(recipient: Recipient | None) -> Seat | None:
    """The seat of the match that is answered. None when there is none."""
    match recipient:
        case MoveRecipient() | PlayRecipient():
            return recipient.seat
    return None


def ply_of(recipient: Recipient | None) -> int | None:
    """The turn of the board that is answered. None when there is none."""
    match recipient:
        case MoveRecipient() | PlayRecipient():
            return recipient.ply
    return None


def answered_by(recipient: Recipient | None) -> OutboundMail | None:
    """The answered letter about no match or several. None when there is none."""
    match recipient:
        case LetterRecipient() | PlayRecipient():
            return recipient.answered
    return None


def board_of(asked: Confirmation) -> MoveRecipient | None:
    """The recipient for the board that a question was about. None when there is none."""
    if asked.match is None or asked.ply is None or asked.player is None:
        return None
    seat = next((seat for seat in asked.match.seated if seat.player_id == asked.player_id), None)
    return MoveRecipient(state="current", ply=asked.ply, seat=seat) if seat else None
