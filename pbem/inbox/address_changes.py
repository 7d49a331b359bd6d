"""Address changes: a new address becomes a player's after three days in which each mailbox can object."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from pbem.inbox import personal
from pbem.inbox.consent import PendingQuestion, Stake, read
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK
from pbem.inbox.recipient import LetterRecipient
from pbem.inbox.responder import Responder
from pbem.inbox.time_forfeits import opened_until
from pbem.matches.clock.deadlines import run_again, stand_still_until
from pbem.matches.clock.outages import up_until
from pbem.matches.models import ExemptInterval
from pbem.outbox.delivery.bounces import catch_up, found
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.kinds import refusal
from pbem.outbox.notifications.notify import Section, write_to_address
from pbem.players.models import TAKES, AddressChange, Player
from pbem.players.services import add_address, check_address, check_room, put_first
from pbem.refusals import Code, Refused

log = logging.getLogger(__name__)
SWEPT = 100  # changes at a time


@transaction.atomic
def begin(
    player: Player, email: str, *, puts_first: bool, now: datetime, by_organiser: bool = False
) -> AddressChange:
    """Starts an address change and announces it to all mailboxes of the player and the new one. Refuses C10,
    C23.

    A pending change to the same address stays as announced, unless `puts_first` is new. With `by_organiser`
    the new mailbox has to confirm first.
    """
    check_address(email)
    check_room(player)
    player = Player.objects.select_for_update().get(pk=player.pk)
    known = player.address_changes.open().filter(email=email.lower()).first()
    if known and known.puts_first >= puts_first:
        if not (by_organiser or known.confirmed_at):
            _confirm(known, now)
        return known
    if known:
        _close(known, now, cancelled=True)
    change = player.address_changes.create(
        email=email.lower(),
        puts_first=puts_first,
        by_organiser=by_organiser,
        begun_at=now,
        due_at=now + TAKES,
        confirmed_at=None if by_organiser else now,
    )
    if by_organiser:
        stand_still_until(player, now, change.due_at)
    section, cause = announced(change), _cause(change)
    for address in player.addresses.verified():
        _write(address.email, section, change, cause=cause, now=now, player=player)
    _write(change.email, section | {"asks": by_organiser}, change, cause=cause, now=now)
    return change


def announced(change: AddressChange) -> Section:
    return {
        "kind": "new_address",
        "change": change.pk,
        "email": change.email,
        "name": change.player.name,
        "first": change.puts_first,
        "due": change.due_at.isoformat(),
        "rests": change.by_organiser,
    }


def answer(recipient: LetterRecipient, reading: InterpretedMessage, responder: Responder) -> str | None:
    """Reads the answer to an announcement: NO cancels the change, YES from the new mailbox confirms it.

    None when the letter holds other commands of the player.
    """
    told = next((each["change"] for each in recipient.answered.sections if "change" in each), 0)
    change = AddressChange.objects.select_for_update().filter(pk=told).first()
    if change is None:
        return Code.OFFER_GONE
    # The letter went to one mailbox, so that its address is proof enough.
    asked = PendingQuestion(
        Stake.CHANGES, vouched=False, names=(change.player.name, reading.summary.sender_name)
    )
    agreed = read(reading.letter.lines, asked, reading.letter.signature).agreed
    lines = {line.strip() for line in reading.letter.lines}
    exact = not lines.isdisjoint(command.line for command in reading.understood.commands)
    if agreed is None and recipient.player and exact:
        return None
    if change.closed_at:
        return _too_late(change, recipient, reading, responder, refuses=agreed is False)
    if agreed is False:
        undo(change, cause=f"letter:{responder.letter.pk}", now=responder.now)
        return OK
    if agreed and recipient.player is None and change.confirmed_at is None:
        _confirm(change, responder.now)
        _answer(announced(change), recipient, responder)
        return OK
    asks = recipient.player is None and change.confirmed_at is None
    _answer(announced(change) | {"asks": asks, "unclear": True}, recipient, responder)
    return Code.NO_MOVE_FOUND


def undo(change: AddressChange, *, cause: str, now: datetime) -> None:
    """Cancels the change and tells both mailboxes. The caller has locked the row."""
    _close(change, now, cancelled=True)
    player = change.player
    section = outcome(change, "undone")
    if player.email:
        _write(player.email, section, change, cause=cause, now=now, player=player)
    _write(change.email, section, change, cause=cause, now=now)


def outcome(change: AddressChange, done: str) -> Section:
    section: Section = {"kind": "addresses", "done": done, "email": change.email, "name": change.player.name}
    return section | ({"ran": True} if change.by_organiser else {})


def carry_out_due(*, now: datetime) -> None:
    """Carries out the changes that are due, any number of times; one failure does not hold up others."""
    # After an outage a NO that was sent in time may still be waiting, here or at a mail server.
    alive = up_until(now)
    away = ExemptInterval.objects.filter(match=None, since__lte=now).after(now)
    if alive is None or away.exists():
        return
    for pk in _due(opened_until(alive)):
        try:
            carry_out(pk, now=now)
        except Exception:
            log.exception("change of address %s", pk)


def _due(before: datetime) -> Iterable[int]:
    due = AddressChange.objects.due(before).order_by("due_at")
    return list(due.values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def carry_out(pk: int, *, now: datetime) -> None:
    """Carries out one change, once: a concurrent call waits for the lock and finds it closed."""
    change = AddressChange.objects.due(now).filter(pk=pk).select_for_update().first()
    if change is None or _is_on_its_way(change, now):
        return
    player, before = change.player, change.player.email
    try:
        done = _done(change, player, now)
        section = outcome(change, done)
    except Refused as refused:
        done, section = "undone", refusal(refused.code, refused.facts)
    _close(change, now, cancelled=done == "undone")
    cause = f"{_cause(change)}:over"
    if before and before != change.email:
        _write(before, section, change, cause=cause, now=now, player=player)
    if done != "undone":
        _write(change.email, section, change, cause=cause, now=now, player=player)
        if player.unreachable_since:
            found(player, now=now)
            catch_up(player, now=now)
    elif change.confirmed_at:  # else it is a stranger without an answer, who gets no letter
        _write(change.email, outcome(change, done), change, cause=cause, now=now)


def _done(change: AddressChange, player: Player, now: datetime) -> str:
    """Adds the address and returns the outcome. Refuses A07, C10."""
    if change.confirmed_at is None:
        return "undone"
    if player.suspended_at:
        raise Refused(Code.SUSPENDED)
    if not player.writes_from(change.email):
        add_address(player, change.email, now=now)
    if change.puts_first:
        put_first(player, change.email, now=now)
    return "first" if change.puts_first else "added"


def _is_on_its_way(change: AddressChange, now: datetime) -> bool:
    """Whether an announcement is unsent or less than three days old, as after an outage of our relay."""
    letters = OutboundMail.objects.filter(cause=_cause(change), player=change.player_id)
    return letters.filter(Q(status=OutboundMail.Status.WAITING) | Q(sent_at__gt=now - TAKES)).exists()


def _too_late(
    change: AddressChange,
    recipient: LetterRecipient,
    reading: InterpretedMessage,
    responder: Responder,
    *,
    refuses: bool,
) -> str:
    """Passes a NO after the change on to the organiser, as the account may be stolen."""
    done = "undone" if change.cancelled else "late" if refuses else "first" if change.puts_first else "added"
    if done == "late":
        context = CommandContext(responder, change.player, recipient)
        text = "\n".join(reading.letter.lines).strip()
        try:
            personal.keep(context, subject=f"NO: {change.email}", text=text, doubted=not reading.vouched)
        except Refused:
            responder.silenced.add("organiser")
    _answer(outcome(change, done), recipient, responder)
    return Code.CONFIRM_EXPIRED if done == "late" else OK


def _confirm(change: AddressChange, now: datetime) -> None:
    change.confirmed_at = now
    change.save(update_fields=["confirmed_at"])


def _close(change: AddressChange, now: datetime, *, cancelled: bool) -> None:
    change.closed_at, change.cancelled = now, cancelled
    change.save(update_fields=["closed_at", "cancelled"])
    if change.by_organiser:
        run_again(change.player, change.begun_at, now)


def _answer(section: Section, recipient: LetterRecipient, responder: Responder) -> None:
    letter, player = recipient.answered, recipient.player
    own = (
        player if player and player.writes_from(letter.address) else None
    )  # the address may have been removed since
    responder.tell_address(letter.address, section, language=letter.language, player=own)


def _write(
    address: str,
    section: Section,
    change: AddressChange,
    *,
    cause: str,
    now: datetime,
    player: Player | None = None,
) -> None:
    """Writes without the limits on answers, which an attacker could have used up."""
    language = change.player.language
    write_to_address(address, language=language, cause=cause, section=section, player=player, now=now)


def _cause(change: AddressChange) -> str:
    return f"address_change:{change.pk}"
