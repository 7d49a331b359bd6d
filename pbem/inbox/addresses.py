"""Commands that change addresses, reactivation after bounces, and reply addresses that a restore has lost."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import Q, QuerySet

from pbem.inbox.address_changes import begin, outcome, undo
from pbem.inbox.commands.command import AddAddress, RemoveAddress, SetAddress
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK, Confirmation, InboundMail
from pbem.inbox.recipient import LostRecipient, UnsubscribeRecipient, answered_by
from pbem.inbox.resolver import answer_address
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.outbox.delivery.bounces import (
    PROBE,
    ask_whether_it_works,
    catch_up,
    found,
    may_be_disturbed,
    resume,
)
from pbem.outbox.notifications.kinds import refusal
from pbem.outbox.notifications.notify import Section, already_notified, write_to_player
from pbem.players.models import Address, Player
from pbem.players.services import check_new_address, check_room, put_first, remove_address
from pbem.players.tokens import Purpose
from pbem.queue.sql import compiled_query
from pbem.refusals import Code, Refused


def change(command: AddAddress | SetAddress | RemoveAddress, player: Player, responder: Responder) -> Section:
    """Carries out a confirmed command and returns the section of the answer. Refuses C08 to C10, C23."""
    email, before = command.address, player.email
    if isinstance(command, RemoveAddress):
        coming = player.address_changes.open().filter(email=email.lower()).select_for_update().first()
        if coming:
            undo(coming, cause=f"letter:{responder.letter.pk}", now=responder.now)
            if not player.writes_from(email):
                return outcome(coming, "undone")
        remove_address(player, email)
        section = _section("removed", email, player)
        responder.tell_address(email, section, language=player.language)  # no longer theirs
    elif not player.writes_from(email):
        _ask(command, player, responder)
        section = _section("asked", email, player)
    elif isinstance(command, SetAddress):
        put_first(player, email, now=responder.now)
        section = _section("first", email, player)
        responder.tell_address(before, section, language=player.language, player=player)
    else:
        section = _section("added", email, player)
    return section


def confirmed(asked: Confirmation, responder: Responder) -> str:
    """Begins the change after YES from the new address. A refusal is sent to the player's current address."""
    assert asked.player
    try:
        begin(asked.player, asked.address, puts_first=asked.puts_first, now=responder.now)
    except Refused as refused:
        section = refusal(refused.code, refused.facts)
        responder.tell_player(asked.player, section)
        return refused.code
    return OK


def question(asked: Confirmation) -> Section:
    """The question to the new address, worded alike for known and unknown addresses."""
    assert asked.player
    return {"kind": "address", "name": asked.player.name, "reply_to": answer_address(asked)}


def _ask(command: AddAddress | SetAddress, player: Player, responder: Responder) -> None:
    """Asks the new address, at most once a week. The player's answer does not reveal whether it is known."""
    check_new_address(command.address)
    check_room(player)
    year, week, _ = responder.now.isocalendar()
    cause = f"address:{player.pk}:{year}-{week}"
    if already_notified(cause, command.address) or not _may_be_asked(command.address):
        return
    asked = Confirmation.objects.create(
        letter=responder.letter,
        address=command.address,
        player=player,
        lines=[command.line],
        language=player.language,
        asked_at=responder.now,
        adds_address=True,
        puts_first=isinstance(command, SetAddress),
    )
    responder.tell_address(command.address, question(asked), language=player.language, cause=cause)


def _may_be_asked(address: str) -> bool:
    """Whether the address is a player's, or a stranger's who has not opted out."""
    return Player.objects.writing_from(address).exists() or may_be_disturbed(address)


def _section(done: str, email: str, player: Player) -> Section:
    return {"kind": "addresses", "done": done, "email": email, "name": player.name}


# Reactivation of addresses that bounced

BELIEVED = (
    Decision.APPLY,
    Decision.MEETING,
    Decision.CONFIRM,
    Decision.STALE_MOVE,
    Decision.STALE_CONFIRM,
)


def reactivate(reading: InterpretedMessage, now: datetime) -> list[Player]:
    """Clears the bounces of the address that a person has written from; returns its players.

    When the sender is uncertain, it asks the address whether it works, since an opponent could forge the
    letter to start a clock.
    """
    if not reading.sender or reading.works or reading.summary.automatic or reading.dmarc is Dmarc.FAIL:
        return []
    addresses = _blamed(reading.sender)
    if not _is_certain(reading):
        for address in addresses:
            ask_whether_it_works(address, now=now)
        return []
    for address in addresses:
        if address.paused_at:
            resume(address, now=now)
        else:
            address.forget_bounces()
    return [address.player for address in addresses]


def _is_certain(reading: InterpretedMessage) -> bool:
    """Whether the sender is proved: by a provider, the current reply address, or the answer to our probe."""
    recipient = reading.recipient
    if not reading.identified or recipient is None:
        return False
    answered = answered_by(recipient)
    asked = answered is not None and answered.kind == PROBE
    return reading.dmarc is Dmarc.PASS or recipient.state == "current" or asked


@compiled_query
def _blamed(email: str) -> QuerySet[Address]:
    blamed = Q(paused_at__isnull=False) | Q(bounce_score__gt=0)
    return Address.objects.verified().filter(blamed, email=email).select_related("player")


def tell_what_was_missed(
    row: InboundMail, reading: InterpretedMessage, revived: list[Player], now: datetime
) -> None:
    """Sends the letters that players missed, after the answers to this letter."""
    player = reading.player
    lost = player is not None and player.unreachable_since is not None and player not in revived
    if player and lost and player.addresses.working().exists():
        found(player, now=now)  # the letter has added a new address
        revived = [*revived, player]
    for returned in revived:
        catch_up(returned, now=now)
    goodbye = isinstance(reading.recipient, UnsubscribeRecipient)
    believed = reading.decision in BELIEVED and not reading.summary.automatic and not goodbye
    if player and believed and not player.complaint_mentioned:
        # Not to a player who has just started letters again.
        silent = Player.objects.filter(pk=player.pk, complained_at__isnull=False).exists()
        if silent:
            section: Section = {"kind": "complained"}
            write_to_player(player, cause=f"letter:{row.pk}", section=section, now=now, answers=True)
        Player.objects.filter(pk=player.pk).update(complaint_mentioned=True)


# Answers to reply addresses that a restore has lost

NOT_ANSWERED = {Purpose.BOUNCE, Purpose.UNSUBSCRIBE, Purpose.NEVER}  # these ask for nothing


def answer_lost(reading: InterpretedMessage, responder: Responder) -> str:
    """Answers with the player's matches, or how to sign up again."""
    assert isinstance(reading.recipient, LostRecipient)
    if reading.recipient.purpose in NOT_ANSWERED or reading.dmarc is Dmarc.FAIL:
        return Code.LOST
    players = (reading.player,) if reading.player else reading.sharers
    for player in players:
        context = CommandContext(responder, player, reading.recipient)
        context.refuse(Refused(Code.LOST))
        context.reply({"kind": "games"})
    if players:
        return Code.LOST
    section: Section = {"kind": "refused", "code": Code.LOST_SIGN_UP}
    if not may_be_disturbed(reading.sender) or not responder.may_tell_stranger(reading.sender):
        return Code.LOST_SIGN_UP  # the address permits any From
    responder.tell_address(reading.sender, section, language=settings.LANGUAGE_CODE)
    return Code.LOST_SIGN_UP
