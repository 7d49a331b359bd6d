"""Our own addresses as values, one type for each purpose: what a message that came there is about, and whose it is."""

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
    """`state` says what its token is worth: nothing where there is none, or a dead one.

    `restored`: its epoch was ended by a restore, so that what it shows may have been undone.
    """

    purpose: str
    state: State = "absent"
    restored: bool = False

    @property
    def match(self) -> Match | None:
        """The one that it is about."""
        return None

    @property
    def asked(self) -> str:
        """The address whose reader a question there was put to."""
        return ""

    @property
    def queue_key(self) -> str:
        """Messages of one match wait for each other; "" leaves the queue to the sender."""
        return f"match:{self.match.pk}" if self.match else ""

    @property
    def is_reply(self) -> bool:
        """Whether what a player writes there is heard as an answer to their letter."""
        return self.purpose in REPLIES and self.state != "revoked"

    def possible_writers(self) -> Iterable[Player] | None:
        """Who may have written there. None: it is nobody's own."""
        return None

    def rate_limit(self, author: str) -> Account | None:
        """Among whose messages one by `author` counts. None: its sender's."""
        return None


@dataclass(frozen=True, kw_only=True)
class PlayRecipient(Recipient):
    """The address that everybody knows. A message there may answer a letter of ours all the same: then `seat` and
    `ply`, or `answered`, say about what it was, and prove nothing."""

    purpose: str = PLAY
    seat: Seat | None = None
    ply: int | None = None
    answered: OutboundMail | None = None

    @property
    def match(self) -> Match | None:
        return self.seat.match if self.seat else None


@dataclass(frozen=True, kw_only=True)
class MoveRecipient(Recipient):
    """The reply address of a letter about one match, which showed the board of `ply`."""

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
    """Where a player answers what another has written to them."""

    purpose: str = Purpose.WRITE
    message: Message

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.message.reader,)

    def rate_limit(self, author: str) -> Account | None:
        return Account("message", self.message.pk)


@dataclass(frozen=True, kw_only=True)
class ConfirmRecipient(Recipient):
    """Where a question of ours is answered with YES or NO."""

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
    """Where somebody answers whom a player has invited."""

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
    """The envelope sender of `letter`: where it comes back."""

    purpose: str = Purpose.BOUNCE
    letter: OutboundMail

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.letter.player,) if self.letter.player else ()

    def rate_limit(self, author: str) -> Account | None:
        return Account("bounces", self.letter.pk)


@dataclass(frozen=True, kw_only=True)
class UnsubscribeRecipient(Recipient):
    """Where one click stops letters to `player`: those of `subscription`, None is all."""

    purpose: str = Purpose.UNSUBSCRIBE
    player: Player
    subscription: Subscription | None

    def possible_writers(self) -> Iterable[Player] | None:
        return (self.player,)

    def rate_limit(self, author: str) -> Account | None:
        return Account("goodbye", self.player.pk)


@dataclass(frozen=True, kw_only=True)
class NeverRecipient(Recipient):
    """Where `address`, which has not signed up, asks to hear no more from us. `language`: that of our letter."""

    purpose: str = Purpose.NEVER
    address: str
    language: str

    def possible_writers(self) -> Iterable[Player] | None:
        return ()

    def rate_limit(self, author: str) -> Account | None:
        return Account("goodbye", self.address)


@dataclass(frozen=True, kw_only=True)
class LostRecipient(Recipient):
    """We made it, but what it was about is not in the rows that were restored."""

    state: State = "stale"
    restored: bool = True


def seat_of(recipient: Recipient | None) -> Seat | None:
    """Whose letter about a match is answered."""
    match recipient:
        case MoveRecipient() | PlayRecipient():
            return recipient.seat
    return None


def ply_of(recipient: Recipient | None) -> int | None:
    """The board that this letter showed."""
    match recipient:
        case MoveRecipient() | PlayRecipient():
            return recipient.ply
    return None


def answered_by(recipient: Recipient | None) -> OutboundMail | None:
    """The letter about no match or several that is answered."""
    match recipient:
        case LetterRecipient() | PlayRecipient():
            return recipient.answered
    return None


def board_of(asked: Confirmation) -> MoveRecipient | None:
    """The board that a question of ours was about, as a letter that showed it would have it."""
    if asked.match is None or asked.ply is None or asked.player is None:
        return None
    seat = next((seat for seat in asked.match.seated if seat.player_id == asked.player_id), None)
    return MoveRecipient(state="current", ply=asked.ply, seat=seat) if seat else None
