"""A player's addresses, as their letters change them: a new one is asked itself, then three days pass."""

from __future__ import annotations

from pbem.inbox.address_changes import begin, outcome, undo
from pbem.inbox.commands.account.grammar import AddAddress, RemoveAddress, SetAddress
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.resolver import answer_address
from pbem.inbox.responder import Responder
from pbem.outbox.delivery.bounces import may_be_disturbed
from pbem.outbox.notifications.notify import Section, told
from pbem.players.models import Player
from pbem.players.services import check_new_address, check_room, put_first, remove_address
from pbem.refusals import Refused


def change(command: AddAddress | SetAddress | RemoveAddress, player: Player, responder: Responder) -> Section:
    """What the player confirmed; the section that answers them. Raises Refused, C08 to C10, C23."""
    email, before = command.address, player.email
    if isinstance(command, RemoveAddress):
        coming = player.address_changes.open().filter(email=email.lower()).select_for_update().first()
        if coming:
            undo(coming, cause=f"letter:{responder.letter.pk}", now=responder.now)
            if not player.writes_from(email):
                return outcome(coming, "undone")
        remove_address(player, email)
        section = _section("removed", email, player)
        responder.tell_address(email, section, language=player.language)  # it no longer stands for them
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
    """YES from the new address itself: from now on every mailbox of the player has three days to say NO. Refused, the
    player hears so where letters went so far."""
    assert asked.player
    try:
        begin(asked.player, asked.address, puts_first=asked.puts_first, now=responder.now)
    except Refused as refused:
        section: Section = {"kind": "refused", "code": refused.code} | refused.facts
        responder.tell_player(asked.player, section)
        return refused.code
    return OK


def question(asked: Confirmation) -> Section:
    """What the new address is asked: the same words whether it is known here or not."""
    assert asked.player
    return {"kind": "address", "name": asked.player.name, "reply_to": answer_address(asked)}


def _ask(command: AddAddress | SetAddress, player: Player, responder: Responder) -> None:
    """Once a week. The player is told the same in any case, so that nobody learns whose address it is."""
    check_new_address(command.address)
    check_room(player)
    year, week, _ = responder.now.isocalendar()
    cause = f"address:{player.pk}:{year}-{week}"
    if told(cause, command.address) or not _may_be_asked(command.address):
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
    """A stranger may have said that nobody is to have us write to them."""
    return Player.objects.writing_from(address).exists() or may_be_disturbed(address)


def _section(done: str, email: str, player: Player) -> Section:
    return {"kind": "addresses", "done": done, "email": email, "name": player.name}
