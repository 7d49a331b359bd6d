"""What the recipient of a letter proves: which seat, question, letter or player its token belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Literal

from django.conf import settings
from django.db.models import QuerySet

from pbem.inbox.digest import shown_in
from pbem.inbox.models import QUESTION_STANDS, Confirmation
from pbem.matches.models import Invitation, Match, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.writing.reply import NEVER_INVITED, sealed_address
from pbem.players.models import Message, Player
from pbem.players.subscriptions import Subscription, numbered
from pbem.players.tokens import (
    LIFETIME_DAYS,
    OUTLIVES_PLY,
    PLAY,
    Claim,
    Keyring,
    Purpose,
    Token,
    expiry,
    parse_address,
    unseal,
    verify,
)
from pbem.prepared import prepared

State = Literal["current", "stale", "player", "revoked", "absent"]
# So long the reply address of a letter about no match says who was written to.
KNOWS_PLAYER = timedelta(days=LIFETIME_DAYS[Purpose.LETTER] or 0)


@dataclass(frozen=True)
class Addressed:
    """An address of ours. `state` says what its token is worth: nothing where there is none, or a dead one."""

    purpose: str
    state: State = "absent"
    ply: int | None = None
    seat: Seat | None = None
    confirmation: Confirmation | None = None
    invitation: Invitation | None = None
    letter: OutboundMail | None = None  # of `b`: what came back
    answered: OutboundMail | None = None  # of `l`
    player: Player | None = None
    message: Message | None = None  # what another player wrote, and this answers
    subscription: Subscription | None = None  # of `u`: the letters to stop, None is all
    stranger: str = ""  # of `n`: the address that wants to hear no more from us
    language: str = ""  # of `n`

    @property
    def lane(self) -> str:
        """Letters of one match wait for each other; "" leaves the lane to the sender."""
        match = (self.seat and self.seat.match_id) or (self.confirmation and self.confirmation.match_id)
        return f"match:{match}" if match else ""


def resolve(recipient: str, now: datetime) -> Addressed | None:
    """None for an address that is not ours or whose seal is broken: both get the same 550."""
    found = parse_address(recipient, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR)
    if found is None:
        return None
    purpose, text = found
    if purpose == PLAY:
        return Addressed(PLAY)
    claim = unseal(text)
    if claim is None:
        return None
    return _RESOLVERS[Purpose(purpose)](claim, text, now)


def answer_address(asked: Confirmation) -> str:
    """Where the answer to a question goes: whoever writes there has read it."""
    token = Token(Purpose.CONFIRM, asked.pk, 0, expiry(Purpose.CONFIRM, asked.asked_at.date()))
    return sealed_address(token, asked.salt)


@prepared
def _seats(pk: int) -> QuerySet[Seat]:
    return Seat.objects.select_related("match", "player").filter(pk=pk)


def _seat(claim: Claim, text: str, now: datetime) -> Addressed | None:
    seat = next(iter(_seats(claim.subject)), None)
    if _sealed(Purpose.MOVE, text, seat.salt if seat else None):
        return Addressed("m", _worth(seat.match, claim.nonce, now), claim.nonce, seat=seat)  # type: ignore[union-attr]
    for old in seat.revoked_salts if seat else ():
        if _sealed(Purpose.MOVE, text, bytes.fromhex(old)):
            return Addressed("m", "revoked", claim.nonce, seat=seat)
    return None


def _worth(match: Match, ply: int, now: datetime) -> State:
    """What the reply address of a turn is worth: less when it was played, nothing some weeks later."""
    played = match.turns.filter(ply=ply, undone_by=None).first() if match.ply != ply else None
    over = played.played_at if played else match.ended_at
    if over and now - over > OUTLIVES_PLY:
        return "absent"
    return "current" if match.ply == ply else "stale"


def _confirmation(claim: Claim, text: str, now: datetime) -> Addressed | None:
    asked = Confirmation.objects.select_related("match", "letter", "player").filter(pk=claim.subject).first()
    if not _sealed(Purpose.CONFIRM, text, asked.salt if asked else None):
        return None
    # The token, which counts days, lives a little longer than the question.
    over = asked.used_at is not None or now - asked.asked_at > QUESTION_STANDS  # type: ignore[union-attr]
    return Addressed("c", "stale" if over else "current", confirmation=asked)


def _bounce(claim: Claim, text: str, now: datetime) -> Addressed | None:
    letter = OutboundMail.objects.select_related("player").filter(pk=claim.subject).first()
    known = _sealed(Purpose.BOUNCE, text, letter.salt if letter else None) and not claim.expired(now.date())
    return Addressed("b", "current", letter=letter) if known else None


def _letter(claim: Claim, text: str, now: datetime) -> Addressed | None:
    """An answer to a letter about several matches, stale once no board in it is that of now; or about none."""
    row = OutboundMail.objects.select_related("player").filter(pk=claim.subject).first()
    if not _sealed(Purpose.LETTER, text, row.salt if row else None):
        return None
    assert row
    shown = shown_in(row)
    state: State = "current" if any(board.current for board in shown) else "stale" if shown else "player"
    worth = state if now - row.created_at <= KNOWS_PLAYER else "absent"
    return Addressed("l", worth, answered=row, player=row.player)


def _unsubscribe(claim: Claim, text: str, now: datetime) -> Addressed | None:
    player = Player.objects.filter(pk=claim.subject).first()
    known = _sealed(Purpose.UNSUBSCRIBE, text, player.salt if player else None) and not claim.expired(
        now.date()
    )
    return Addressed("u", "current", player=player, subscription=numbered(claim.nonce)) if known else None


def _message(claim: Claim, text: str, now: datetime) -> Addressed | None:
    message = Message.objects.select_related("sender", "reader").filter(pk=claim.subject).first()
    if not _sealed(Purpose.WRITE, text, message.salt if message else None) or claim.expired(now.date()):
        return None
    assert message
    state: State = "player" if now - message.written_at <= KNOWS_PLAYER else "absent"
    return Addressed("w", state, message=message)


def _invitation(claim: Claim, text: str, now: datetime) -> Addressed | None:
    found = Invitation.objects.select_related("challenger").filter(pk=claim.subject).first()
    known = _sealed(Purpose.INVITE, text, found.salt if found else None) and not claim.expired(now.date())
    return Addressed("i", "current", invitation=found) if known else None


def _never(claim: Claim, text: str, now: datetime) -> Addressed | None:
    """Somebody who has not signed up, and was invited or written to, wants to hear no more from us."""
    about: Invitation | OutboundMail | None
    if claim.nonce == NEVER_INVITED:
        about = Invitation.objects.select_related("challenger").filter(pk=claim.subject).first()
    else:
        about = OutboundMail.objects.filter(pk=claim.subject).first()
    known = _sealed(Purpose.NEVER, text, about.salt if about else None) and not claim.expired(now.date())
    if about is None or not known:
        return None
    language = about.challenger.language if isinstance(about, Invitation) else about.language
    return Addressed("n", "current", stranger=about.address, language=language)


def _sealed(purpose: Purpose, text: str, salt: bytes | memoryview | None) -> bool:
    return verify(_keyring(settings.MAIL_TOKEN_KEYS), purpose, text, None if salt is None else bytes(salt))


_keyring = cache(Keyring.parse)


_RESOLVERS = {
    Purpose.MOVE: _seat,
    Purpose.CONFIRM: _confirmation,
    Purpose.BOUNCE: _bounce,
    Purpose.UNSUBSCRIBE: _unsubscribe,
    Purpose.WRITE: _message,
    Purpose.INVITE: _invitation,
    Purpose.NEVER: _never,
    Purpose.LETTER: _letter,
}
