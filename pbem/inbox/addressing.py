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
from pbem.players import epochs
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
    epoch_of,
    expiry,
    is_proved,
    parse_address,
    unseal,
)
from pbem.queue.compiled_query import compiled_query

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
    restored: bool = False  # of an epoch that a restore has ended: what it shows may have been undone
    lost: bool = False  # ours, but what it was about is not in the rows that were restored

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
    found_there = _RESOLVERS[Purpose(purpose)](claim, text, now)
    return found_there or _lost(Purpose(purpose), claim, text, now)


def answer_address(asked: Confirmation) -> str:
    """Where the answer to a question goes: whoever writes there has read it."""
    token = Token(Purpose.CONFIRM, asked.pk, 0, expiry(Purpose.CONFIRM, asked.asked_at.date()))
    return sealed_address(token, asked.salt)


@compiled_query
def _seats(pk: int, now: datetime) -> QuerySet[Seat]:
    return Seat.objects.select_related("match", "player").annotate(epoch=epochs.at(now)).filter(pk=pk)


def _seat(claim: Claim, text: str, now: datetime) -> Addressed | None:
    seat = next(iter(_seats(claim.subject, now)), None)
    present: int | None = getattr(seat, "epoch", None)  # of the query above
    made = _epoch(Purpose.MOVE, text, seat.salt if seat else None, now, present)
    if seat and made is not None:
        worth = _worth(seat.match, claim.nonce, now)
        restored = made != present
        state: State = "stale" if restored and worth == "current" else worth
        return Addressed("m", state, claim.nonce, seat=seat, restored=restored)
    for old in seat.revoked_salts if seat else ():
        if _epoch(Purpose.MOVE, text, bytes.fromhex(old), now, present) is not None:
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
    if not _sealed(Purpose.CONFIRM, text, asked.salt if asked else None, now):
        return None
    # The token, which counts days, lives a little longer than the question.
    over = asked.used_at is not None or now - asked.asked_at > QUESTION_STANDS  # type: ignore[union-attr]
    return Addressed("c", "stale" if over else "current", confirmation=asked)


def _bounce(claim: Claim, text: str, now: datetime) -> Addressed | None:
    letter = OutboundMail.objects.select_related("player").filter(pk=claim.subject).first()
    known = _sealed(Purpose.BOUNCE, text, letter.salt if letter else None, now) and not claim.expired(
        now.date()
    )
    return Addressed("b", "current", letter=letter) if known else None


def _letter(claim: Claim, text: str, now: datetime) -> Addressed | None:
    """An answer to a letter about several matches, stale once no board in it is that of now; or about none."""
    row = OutboundMail.objects.select_related("player").filter(pk=claim.subject).first()
    made = _epoch(Purpose.LETTER, text, row.salt if row else None, now)
    if row is None or made is None:
        return None
    shown = shown_in(row)
    state: State = "current" if any(board.current for board in shown) else "stale" if shown else "player"
    if row.revoked_at:
        state = "revoked"
    worth = state if now - row.created_at <= KNOWS_PLAYER else "absent"
    return Addressed("l", worth, answered=row, player=row.player, restored=_is_over(made, now))


def _unsubscribe(claim: Claim, text: str, now: datetime) -> Addressed | None:
    player = Player.objects.filter(pk=claim.subject).first()
    known = _sealed(Purpose.UNSUBSCRIBE, text, player.salt if player else None, now) and not claim.expired(
        now.date()
    )
    return Addressed("u", "current", player=player, subscription=numbered(claim.nonce)) if known else None


def _message(claim: Claim, text: str, now: datetime) -> Addressed | None:
    message = Message.objects.select_related("sender", "reader").filter(pk=claim.subject).first()
    made = _epoch(Purpose.WRITE, text, message.salt if message else None, now)
    if made is None or claim.expired(now.date()):
        return None
    assert message
    state: State = "revoked" if message.revoked_at else "player"
    worth = state if now - message.written_at <= KNOWS_PLAYER else "absent"
    return Addressed("w", worth, message=message, restored=_is_over(made, now))


def _invitation(claim: Claim, text: str, now: datetime) -> Addressed | None:
    found = Invitation.objects.select_related("challenger").filter(pk=claim.subject).first()
    known = _sealed(Purpose.INVITE, text, found.salt if found else None, now) and not claim.expired(
        now.date()
    )
    return Addressed("i", "current", invitation=found) if known else None


def _never(claim: Claim, text: str, now: datetime) -> Addressed | None:
    """Somebody who has not signed up, and was invited or written to, wants to hear no more from us."""
    about: Invitation | OutboundMail | None
    if claim.nonce == NEVER_INVITED:
        about = Invitation.objects.select_related("challenger").filter(pk=claim.subject).first()
    else:
        about = OutboundMail.objects.filter(pk=claim.subject).first()
    known = _sealed(Purpose.NEVER, text, about.salt if about else None, now) and not claim.expired(now.date())
    if about is None or not known:
        return None
    language = about.challenger.language if isinstance(about, Invitation) else about.language
    return Addressed("n", "current", stranger=about.address, language=language)


def _lost(purpose: Purpose, claim: Claim, text: str, now: datetime) -> Addressed | None:
    """An address that we made, about something that was written after the backup was taken."""
    proved = is_proved(_keyring(settings.MAIL_TOKEN_KEYS), purpose, text) and not claim.expired(now.date())
    restored = proved and len(epochs.known(now)) > 1
    return Addressed(purpose.value, "stale", restored=True, lost=True) if restored else None


def _sealed(purpose: Purpose, text: str, salt: bytes | memoryview | None, now: datetime) -> bool:
    """In any epoch: for what a restore does not change the meaning of."""
    return _epoch(purpose, text, salt, now) is not None


def _epoch(
    purpose: Purpose,
    text: str,
    salt: bytes | memoryview | None,
    now: datetime,
    present: int | None = None,
) -> int | None:
    """In which `text` was sealed; older ones than the present one are looked up only if it was not that."""
    keyring, salt = _keyring(settings.MAIL_TOKEN_KEYS), None if salt is None else bytes(salt)
    made = None if present is None else epoch_of(keyring, purpose, text, salt, (present,))
    if made is not None or present == 0:
        return made
    return epoch_of(keyring, purpose, text, salt, epochs.known(now))


def _is_over(epoch: int, now: datetime) -> bool:
    return epoch != epochs.known(now)[0]


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
