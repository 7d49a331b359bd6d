"""Builds our addresses in letters, with sealed tokens: to reply, for bounces, to unsubscribe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse

from pbem.matches.models import Invitation, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import Trait, kinds, number_of
from pbem.players import services
from pbem.players.models import Player
from pbem.players.tokens import Keyring, Purpose, Token, address, expiry, mint

if TYPE_CHECKING:
    from pbem.outbox.rendering.recipient import Reader  # which loads Pillow, and the SMTP listener does not

# The subject of a Purpose.NEVER token: an invitation or a letter.
NEVER_INVITED, NEVER_WRITTEN = 0, 1


def play_address() -> str:
    return f"play@{settings.MAIL_DOMAIN}"


def sealed_address(token: Token, salt: bytes | memoryview) -> str:
    """Returns an address of ours that only the letter's reader can know."""
    return address_with(token, sealed(token, salt))


def address_with(token: Token, text: str) -> str:
    return address(token.purpose, text, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR)


def sealed(token: Token, salt: bytes | memoryview) -> str:
    return mint(_keyring(settings.MAIL_TOKEN_KEYS), token, bytes(salt), services.to_write_with())


_keyring = cache(Keyring.parse)


# Addresses of a letter: to reply, for bounces, to unsubscribe

WAYS_OUT = "pbem.inbox.urls"  # only the unsubscribe URLs, without those of the desk
ASKS_STRANGERS = {"event", "new_address"}  # letters that ask strangers to reply
ANSWERED_AS_A_WHOLE = kinds(Trait.WHOLE)


@dataclass(frozen=True)
class UnsubscribeLink:
    """An unsubscribe page and address. `shown` is False for invitations, which have their own text about it."""

    url: str
    mailto: str
    shown: bool


def reply_to(row: OutboundMail, reader: Reader) -> str:
    """Returns the reply address: of the seat, the letter, or play@ for strangers."""
    # A section may name its own, such as a confirmation's. Letters about one match, or requested by one, use
    # the seat's.
    asked = next((section["reply_to"] for section in row.sections if section.get("reply_to")), None)
    if asked:
        return str(asked)
    seat = reader.seat_in(row.match) if row.match and row.kind not in ANSWERED_AS_A_WHOLE else None
    if seat is not None and row.ply is not None:
        return sealed_address(Token(Purpose.MOVE, seat.pk, row.ply), seat.salt)
    if kept := _kept_seat(row):
        return kept
    if reader.player is None and row.kind not in ASKS_STRANGERS:
        return play_address()
    return letter_address(row)


def letter_address(row: OutboundMail) -> str:
    """Returns the letter's own reply address."""
    expires = expiry(Purpose.LETTER, row.created_at.date())
    return sealed_address(Token(Purpose.LETTER, row.pk, 0, expires), row.salt)


def _kept_seat(row: OutboundMail) -> str:
    """Returns the seat address of the match letter that requested this one. Empty when not applicable."""
    kept = next((section["seat"] for section in row.sections if "seat" in section), None)
    if kept is None or row.match or row.ply is not None or row.kind in ANSWERED_AS_A_WHOLE:
        return ""
    seat = Seat.objects.filter(pk=kept[0], player=row.player_id).first()
    return sealed_address(Token(Purpose.MOVE, seat.pk, kept[1]), seat.salt) if seat else ""


def board_url(seat: Seat, ply: int) -> str:
    """Returns the page of the board after `ply` turns, as the player of the seat sees it."""
    return f"{settings.SITE_URL}/b/{sealed(Token(Purpose.BOARD, seat.pk, ply), seat.salt)}/"


def calendar_url(player: Player) -> str:
    """Returns the address of the player's deadlines as a calendar. Empty while there is none."""
    salt = player.calendar_salt
    return f"{settings.SITE_URL}/c/{sealed(Token(Purpose.CALENDAR, player.pk), salt)}.ics" if salt else ""


def envelope_sender(row: OutboundMail) -> str:
    """Returns the bounce address, which identifies the letter."""
    expires = expiry(Purpose.BOUNCE, row.created_at.date())
    return sealed_address(Token(Purpose.BOUNCE, row.pk, 0, expires), row.salt)


def invitation_address(invitation: Invitation) -> str:
    """Returns the reply address of an invitation."""
    expires = expiry(Purpose.INVITE, invitation.asked_at.date())
    return sealed_address(Token(Purpose.INVITE, invitation.pk, 0, expires), invitation.salt)


def never_again_url(about: Invitation | OutboundMail) -> str:
    """Returns the page where a stranger forbids all further letters."""
    text = sealed(_never_token(about), about.salt)
    return settings.SITE_URL + reverse("never-again", WAYS_OUT, [text])


def unsubscribe_link(row: OutboundMail, reader: Reader) -> UnsubscribeLink:
    if reader.player:
        token, salt, page = _unsubscribe_token(reader.player, row), reader.player.salt, "unsubscribe"
        about = None
    else:
        about = _invitation_in(row)
        token, salt, page = _never_token(about or row), (about or row).salt, "never-again"
    text = sealed(token, salt)
    return UnsubscribeLink(
        url=settings.SITE_URL + reverse(page, WAYS_OUT, [text]),
        mailto=f"{address_with(token, text)}?subject={'unsubscribe' if reader.player else 'never'}",
        shown=about is None,
    )


def list_headers(row: OutboundMail, leave: UnsubscribeLink) -> dict[str, str]:
    """Returns List-Id and the one-click unsubscription of RFC 8058, by web and by mail."""
    family = row.match.game.key if row.match else "play"
    return {
        "List-Id": f"PBeM <{family}.{settings.MAIL_DOMAIN}>",
        "List-Unsubscribe": f"<{leave.url}>, <mailto:{leave.mailto}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _invitation_in(row: OutboundMail) -> Invitation | None:
    """Returns the invitation in a letter to a stranger. None when there is none."""
    pk = next((section["invitation"] for section in row.sections if "invitation" in section), None)
    return None if pk is None else Invitation.objects.get(pk=pk)


def _never_token(about: Invitation | OutboundMail) -> Token:
    """Returns the token of the invitation, which several letters may share, else of the letter."""
    if isinstance(about, Invitation):
        return Token(Purpose.NEVER, about.pk, NEVER_INVITED, expiry(Purpose.NEVER, about.asked_at.date()))
    return Token(Purpose.NEVER, about.pk, NEVER_WRITTEN, expiry(Purpose.NEVER, about.created_at.date()))


def _unsubscribe_token(player: Player, row: OutboundMail) -> Token:
    """Returns a token with the letter's subscription, so that one click stops only that."""
    expires = expiry(Purpose.UNSUBSCRIBE, row.created_at.date())
    return Token(Purpose.UNSUBSCRIBE, player.pk, number_of(row.kind), expires)
