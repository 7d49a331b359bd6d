"""Answers to letters that are in no row any more, since the rows were restored from an older backup."""

from __future__ import annotations

from django.conf import settings

from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Dmarc
from pbem.outbox.delivery.bounces import may_be_disturbed
from pbem.players.tokens import Purpose
from pbem.refusals import Code, Refused

NOT_ANSWERED = {Purpose.BOUNCE, Purpose.UNSUBSCRIBE, Purpose.NEVER}  # they ask for nothing


def answer_lost(purpose: str, reading: Reading, responder: Responder) -> str:
    """The reply address is ours, but nothing that we have says what it was about. Nothing is done; anyone who is a
    player gets the list of their matches, and anyone who signed up in the lost time hears that they have to again."""
    if purpose in NOT_ANSWERED or reading.dmarc is Dmarc.FAIL:
        return Code.LOST
    players = (reading.player,) if reading.player else reading.sharers
    for player in players:
        context = CommandContext(responder, player, reading.recipient)
        context.refuse(Refused(Code.LOST))
        context.reply({"kind": "games"})
    if players:
        return Code.LOST
    section = {"kind": "refused", "code": Code.LOST_SIGN_UP}
    if not may_be_disturbed(reading.sender) or not responder.may_tell_stranger(reading.sender):
        return Code.LOST_SIGN_UP  # anyone who has such an address may write any From
    responder.tell_address(reading.sender, section, language=settings.LANGUAGE_CODE)
    return Code.LOST_SIGN_UP
