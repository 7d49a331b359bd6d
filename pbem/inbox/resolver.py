"""Resolves the address of a letter to what its token proves, and finds the possible senders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db.models import QuerySet

from pbem.inbox.models import QUESTION_STANDS, Confirmation, InboundMail
from pbem.inbox.recipient import (
    BounceRecipient,
    ConfirmRecipient,
    DoNotContactRecipient,
    InvitationRecipient,
    LetterRecipient,
    LostRecipient,
    MessageRecipient,
    MoveRecipient,
    PlayRecipient,
    Recipient,
    State,
    UnsubscribeRecipient,
)
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.matches.models import Invitation, Match, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.signed_addresses import NEVER_INVITED, sealed_address
from pbem.players import services
from pbem.players.models import Message, Player, player
from pbem.players.subscriptions import numbered
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
from pbem.queue.sql import compiled_query

# How long the reply address of a letter about no match identifies its player.
KNOWS_PLAYER = timedelta(days=LIFETIME_DAYS[Purpose.LETTER] or 0)


def resolve_recipient(address: str, now: datetime) -> Recipient | None:
    """None for a foreign address or a broken seal; both get the same 550."""
    found = parse_address(address, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR)
    if found is None:
        return None
    purpose, text = found
    if purpose == PLAY:
        return PlayRecipient()
    claim = unseal(text)
    if claim is None:
        return None
    found_there = _RESOLVERS[Purpose(purpose)](claim, text, now)
    return found_there or _lost(Purpose(purpose), claim, text, now)


def answer_address(asked: Confirmation) -> str:
    """The reply address of a question; a sender there has read it."""
    token = Token(Purpose.CONFIRM, asked.pk, 0, expiry(Purpose.CONFIRM, asked.asked_at.date()))
    return sealed_address(token, asked.salt)


@compiled_query
def _seats(pk: int, now: datetime) -> QuerySet[Seat]:
    """Both seats of the match, a row for each address of each player."""
    found = Seat.objects.select_related("match", "player").filter(match__seats=pk)
    return found.annotate(epoch=services.at(now), **player.columns("player__"))


def resolve_board(text: str, now: datetime) -> MoveRecipient | None:
    """What the link to a board proves, as the reply address of the same letter does. None for a broken seal."""
    claim = unseal(text)
    return _seat(claim, text, now, Purpose.BOARD) if claim else None


def resolve_calendar(text: str, now: datetime) -> Player | None:
    """The player with this address of a calendar. None for a broken or revoked seal, and a suspended player."""
    claim = unseal(text)
    found = Player.objects.filter(pk=claim.subject, suspended_at=None).first() if claim else None
    known = _sealed(Purpose.CALENDAR, text, found.calendar_salt if found else None, now)
    return found if known else None


def _seat(claim: Claim, text: str, now: datetime, purpose: Purpose = Purpose.MOVE) -> MoveRecipient | None:
    rows = _seats(claim.subject, now)
    seats = {row.pk: row for row in reversed(rows)}
    seat = seats.get(claim.subject)
    if seat:
        player.know([(seats[row.pk].player, row) for row in rows])
        seat.match.seat(seats.values())
    present: int | None = getattr(seat, "epoch", None)  # annotated above
    made = _epoch(purpose, text, seat.salt if seat else None, now, present)
    if seat and made is not None:
        worth = _worth(seat.match, claim.nonce, now)
        restored = made != present
        state: State = "stale" if restored and worth == "current" else worth
        return MoveRecipient(state=state, ply=claim.nonce, seat=seat, restored=restored)
    for old in seat.revoked_salts if seat else ():
        if seat and _epoch(purpose, text, bytes.fromhex(old), now, present) is not None:
            return MoveRecipient(state="revoked", ply=claim.nonce, seat=seat)
    return None


def _worth(match: Match, ply: int, now: datetime) -> State:
    """The state of a turn's reply address: stale once played, absent some weeks later."""
    played = match.turns.filter(ply=ply, undone_by=None).first() if match.ply != ply else None
    over = played.played_at if played else match.ended_at
    if over and now - over > OUTLIVES_PLY:
        return "absent"
    return "current" if match.ply == ply else "stale"


def _confirmation(claim: Claim, text: str, now: datetime) -> ConfirmRecipient | None:
    asked = Confirmation.objects.select_related("match", "letter", "player").filter(pk=claim.subject).first()
    if not _sealed(Purpose.CONFIRM, text, asked.salt if asked else None, now) or asked is None:
        return None
    # The token, which counts days, outlives the question a little.
    over = asked.used_at is not None or now - asked.asked_at > QUESTION_STANDS
    return ConfirmRecipient(state="stale" if over else "current", confirmation=asked)


def _bounce(claim: Claim, text: str, now: datetime) -> BounceRecipient | None:
    letter = OutboundMail.objects.select_related("player").filter(pk=claim.subject).first()
    known = _sealed(Purpose.BOUNCE, text, letter.salt if letter else None, now) and not claim.expired(
        now.date()
    )
    return BounceRecipient(state="current", letter=letter) if letter and known else None


def _letter(claim: Claim, text: str, now: datetime) -> LetterRecipient | None:
    """The reply address of a digest, stale once all its boards are, or of a letter about no match."""
    row = OutboundMail.objects.select_related("player").filter(pk=claim.subject).first()
    made = _epoch(Purpose.LETTER, text, row.salt if row else None, now)
    if row is None or made is None:
        return None
    from pbem.inbox.digests import shown_in  # noqa: PLC0415 - the SMTP listener reads no commands

    shown = shown_in(row)
    state: State = "current" if any(board.current for board in shown) else "stale" if shown else "player"
    if row.revoked_at:
        state = "revoked"
    worth = state if now - row.created_at <= KNOWS_PLAYER else "absent"
    return LetterRecipient(state=worth, answered=row, player=row.player, restored=_is_over(made, now))


def _unsubscribe(claim: Claim, text: str, now: datetime) -> UnsubscribeRecipient | None:
    player = Player.objects.filter(pk=claim.subject).first()
    known = _sealed(Purpose.UNSUBSCRIBE, text, player.salt if player else None, now) and not claim.expired(
        now.date()
    )
    if player is None or not known:
        return None
    return UnsubscribeRecipient(state="current", player=player, subscription=numbered(claim.nonce))


def _message(claim: Claim, text: str, now: datetime) -> MessageRecipient | None:
    message = Message.objects.select_related("sender", "reader").filter(pk=claim.subject).first()
    made = _epoch(Purpose.WRITE, text, message.salt if message else None, now)
    if message is None or made is None or claim.expired(now.date()):
        return None
    state: State = "revoked" if message.revoked_at else "player"
    worth = state if now - message.written_at <= KNOWS_PLAYER else "absent"
    return MessageRecipient(state=worth, message=message, restored=_is_over(made, now))


def _invitation(claim: Claim, text: str, now: datetime) -> InvitationRecipient | None:
    found = Invitation.objects.select_related("challenger").filter(pk=claim.subject).first()
    known = _sealed(Purpose.INVITE, text, found.salt if found else None, now) and not claim.expired(
        now.date()
    )
    return InvitationRecipient(state="current", invitation=found) if found and known else None


def _never(claim: Claim, text: str, now: datetime) -> DoNotContactRecipient | None:
    """The opt-out address of a stranger who was invited or written to."""
    about: Invitation | OutboundMail | None
    if claim.nonce == NEVER_INVITED:
        about = Invitation.objects.select_related("challenger").filter(pk=claim.subject).first()
    else:
        about = OutboundMail.objects.filter(pk=claim.subject).first()
    known = _sealed(Purpose.NEVER, text, about.salt if about else None, now) and not claim.expired(now.date())
    if about is None or not known:
        return None
    language = about.challenger.language if isinstance(about, Invitation) else about.language
    return DoNotContactRecipient(state="current", address=about.address, language=language)


def _lost(purpose: Purpose, claim: Claim, text: str, now: datetime) -> LostRecipient | None:
    """An address of ours about a row newer than the restored backup. None when it is forged."""
    proved = is_proved(_keyring(settings.MAIL_TOKEN_KEYS), purpose, text) and not claim.expired(now.date())
    restored = proved and len(services.known(now)) > 1
    return LostRecipient(purpose=purpose) if restored else None


def _sealed(purpose: Purpose, text: str, salt: bytes | memoryview | None, now: datetime) -> bool:
    """Whether the seal is valid in any epoch, for purposes that a restore does not affect."""
    return _epoch(purpose, text, salt, now) is not None


def _epoch(
    purpose: Purpose,
    text: str,
    salt: bytes | memoryview | None,
    now: datetime,
    present: int | None = None,
) -> int | None:
    """The epoch in which `text` was sealed. None when forged. Tries `present` before it looks up others."""
    keyring, salt = _keyring(settings.MAIL_TOKEN_KEYS), None if salt is None else bytes(salt)
    made = None if present is None else epoch_of(keyring, purpose, text, salt, (present,))
    if made is not None or present == 0:
        return made
    return epoch_of(keyring, purpose, text, salt, services.known(now))


def _is_over(epoch: int, now: datetime) -> bool:
    return epoch != services.known(now)[0]


_keyring = cache(Keyring.parse)


_RESOLVERS: Mapping[Purpose, Callable[[Claim, str, datetime], Recipient | None]] = {
    Purpose.MOVE: _seat,
    Purpose.CONFIRM: _confirmation,
    Purpose.BOUNCE: _bounce,
    Purpose.UNSUBSCRIBE: _unsubscribe,
    Purpose.WRITE: _message,
    Purpose.INVITE: _invitation,
    Purpose.NEVER: _never,
    Purpose.LETTER: _letter,
}


# Possible senders, also of letters that could not be opened


def writers(recipient: Recipient | None, sender: str) -> tuple[Player, ...]:
    """The possible senders: the token's player, else all players with this address."""
    theirs = recipient.possible_writers() if recipient else None
    if theirs is not None:
        return tuple(theirs)
    return tuple(Player.objects.writing_from(sender)) if sender else ()


def possible_writers(row: InboundMail) -> set[int] | None:
    """The keys of all players in the reply address or From. None when there may be others."""
    try:
        mail = ParsedMail(bytes(row.raw), own_domain=settings.MAIL_DOMAIN)
        seen = [each.summary for each in (mail, mail.inside) if each is not None]
    except Exception:  # the letter may be malformed
        return None
    senders = [sender for each in seen for sender in each.senders]
    if not all(each.senders for each in seen):
        return None
    recipient = resolve_recipient(row.recipient, row.received_at)
    players = {player.pk for player in (recipient and recipient.possible_writers()) or ()}
    for sender in senders:
        players.update(Player.objects.writing_from(sender).values_list("pk", flat=True))
    return players
