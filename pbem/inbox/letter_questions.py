"""YES and NO in answer to letters that ask by themselves: may your name be printed, will you play in this tournament?

Holding the reply address of such a letter is proof enough, as with an invitation: it was mailed to one mailbox, and
says no more than that its reader agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.inbox import address_changes, personal, second_thoughts, tournament_invitation_replies
from pbem.inbox.consent import Answer, Asked, Stake, read
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK
from pbem.inbox.recipient import LetterRecipient
from pbem.inbox.responder import Responder
from pbem.mail.authentication.policy import Decision
from pbem.players import print_names

Answered = Callable[[LetterRecipient, Reading, Responder], str | None]


def answer(recipient: LetterRecipient, reading: Reading, responder: Responder) -> str | None:
    """The verdict; None where the letter asks nothing, or something else was answered."""
    ask = ASKING.get(recipient.answered.kind)
    worthless = recipient.state not in ("player", "current") or recipient.restored
    if ask is None or (worthless and recipient.answered.kind not in UNDOING):
        return None
    return ask(recipient, reading, responder)


def _print_name(recipient: LetterRecipient, reading: Reading, responder: Responder) -> str | None:
    player = recipient.player
    if player is None or reading.decision is Decision.HOLD:
        return None
    asked = Asked(Stake.CHANGES, vouched=True, names=(player.name, reading.glance.sender_name))
    said = read(reading.letter.lines, asked, reading.letter.signature)
    if said.agreed is None:
        return None
    if said.agreed:
        print_names.allow(player, now=responder.now)
    else:
        print_names.withdraw(player)
    context = CommandContext(responder, player, recipient)
    context.reply({"kind": "print_name"})
    _pass_on(context, reading, said)
    return OK


def _pass_on(context: CommandContext, reading: Reading, said: Answer) -> None:
    """What is said beside is for the organiser, who has asked."""
    if not talk.is_only_courtesy(" ".join(said.beside)):
        personal.take(context, reading)


ASKING: Mapping[str, Answered] = {
    "event": tournament_invitation_replies.answer,
    "print_asks": _print_name,
    "after_all": second_thoughts.invite_anew,
    "new_address": address_changes.answer,
}
UNDOING = {
    "new_address"
}  # a NO is heard even where its reply address may have been handed on, or is from before a restore
