"""Challenges to an address: the letter that goes there, if one may, and what its reader answers."""

from __future__ import annotations

from datetime import datetime
from random import SystemRandom

from pbem.inbox.commands.acceptance import Acceptance, read_acceptance
from pbem.inbox.interpretation import Reading
from pbem.inbox.models import OK
from pbem.inbox.responder import Responder
from pbem.matches.matchmaking import invitations
from pbem.matches.matchmaking.eligibility import may_challenge
from pbem.matches.models import Invitation
from pbem.outbox.delivery.bounces import may_be_disturbed
from pbem.outbox.notifications.notify import Section, write_to_address, write_to_player
from pbem.outbox.rendering.reply import invitation_address
from pbem.players.models import Player, fold
from pbem.players.services import register
from pbem.refusals import Code, Refused


def send(invitation: Invitation, *, now: datetime) -> None:
    """Write to the address: to the player whose it is, to a family, or to a stranger who may be asked.

    Whoever made the invitation is told the same whether a letter goes out or not.
    """
    readers = list(Player.objects.reachable().writing_from(invitation.address))
    willing = [reader for reader in readers if _takes(reader, invitation, now)]
    if len(willing) == 1 and len(readers) == 1:
        _write(invitation, now, player=willing[0])
    elif willing:
        _write(invitation, now, others=[reader.name for reader in willing])
    elif not Player.objects.writing_from(invitation.address).exists() and _may_be_asked(invitation.address):
        Invitation.objects.filter(pk=invitation.pk).update(told=True)
        _write(invitation, now)


def answer(invitation: Invitation, reading: Reading, responder: Responder) -> str:
    """YES and a name, or NO. Holding the address is proof enough: it was mailed to one mailbox."""
    invitation = Invitation.objects.select_for_update().get(pk=invitation.pk)
    said = read_acceptance(reading.letter.lines)
    now = responder.now
    try:
        if not invitation.stands(responder.letter.received_at):
            raise Refused(Code.INVITATION_OVER)
        if said.agreed is None:
            return _ask_again(invitation, responder)
        if not said.agreed:
            invitations.decline(invitation, now=now)
            _tell_challenger(invitation, responder)
            return OK
        return _accept(invitation, said, responder)
    except Refused as refused:
        again: Section = {"kind": "refused", "code": refused.code, "reply_to": invitation_address(invitation)}
        _tell_reader(invitation, responder, again | refused.facts)
        return refused.code


def _takes(reader: Player, invitation: Invitation, now: datetime) -> bool:
    return may_challenge(invitation.challenger, reader, invitation.game.key, now)


def _may_be_asked(address: str) -> bool:
    """Once, until they answer; never, if they have said so or called a letter of ours spam."""
    waiting = Invitation.objects.unanswered().filter(address=address, told=True)
    return may_be_disturbed(address) and not waiting.exists()


def _write(
    invitation: Invitation, now: datetime, *, player: Player | None = None, others: list[str] | None = None
) -> None:
    cause = f"invitation:{invitation.pk}"
    section = _section(invitation) | {"others": others or []}
    if player:
        write_to_player(player, cause=cause, section=section, now=now)
    else:
        language = invitation.challenger.language
        write_to_address(invitation.address, language=language, cause=cause, section=section, now=now)


def _section(invitation: Invitation) -> Section:
    return {
        "kind": "invites",
        "invitation": invitation.pk,
        "reply_to": invitation_address(invitation),
    }


def _accept(invitation: Invitation, said: Acceptance, responder: Responder) -> str:
    """Who they are: the only player of this mailbox, the one whose name they write, or somebody new."""
    readers = list(Player.objects.writing_from(invitation.address))
    player = next((reader for reader in readers if fold(reader.name) == fold(said.name)), None)
    if player is None and not said.name and len(readers) == 1:
        player = readers[0]
    if player is None and not said.name:
        return _ask_again(invitation, responder)
    if player and player.suspended_at:
        raise Refused(Code.SUSPENDED)
    new = player is None
    if player is None:
        player = _sign_up(invitation, said, responder)
    letter = responder.letter.pk
    invitations.accept(invitation, player, now=responder.now, rng=SystemRandom(), letter=letter)
    responder.letter.player = player
    if new:
        _send_what_waited(invitation, responder.now)
    return OK


def _sign_up(invitation: Invitation, said: Acceptance, responder: Responder) -> Player:
    language = said.language or invitation.challenger.language
    player = register(name=said.name, email=invitation.address, language=language, now=responder.now)
    cause = f"letter:{responder.letter.pk}"
    write_to_player(player, cause=cause, section={"kind": "welcome"}, now=responder.now, answers=True)
    return player


def _send_what_waited(invitation: Invitation, now: datetime) -> None:
    """The stranger is a player now: the invitations of others, which they were spared, are challenges."""
    waited = Invitation.objects.unanswered().filter(address=invitation.address, told=False)
    for each in waited.exclude(pk=invitation.pk).order_by("pk")[:20]:
        if each.stands(now):
            send(each, now=now)


def _ask_again(invitation: Invitation, responder: Responder) -> str:
    readers = Player.objects.writing_from(invitation.address).values_list("name", flat=True)
    others = list(readers) if len(readers) > 1 else []
    _tell_reader(invitation, responder, _section(invitation) | {"unclear": True, "others": others})
    return Code.NO_MOVE_FOUND


def _tell_reader(invitation: Invitation, responder: Responder, section: Section) -> None:
    """In answer to their letter, at the address that was invited."""
    readers = list(Player.objects.writing_from(invitation.address)[:2])
    player = readers[0] if len(readers) == 1 else None
    language = player.language if player else invitation.challenger.language
    responder.tell_address(invitation.address, section, language=language, player=player)


def _tell_challenger(invitation: Invitation, responder: Responder) -> None:
    section = {"kind": "uninvited", "invitation": invitation.pk}
    cause = f"letter:{responder.letter.pk}:invitation"
    write_to_player(invitation.challenger, cause=cause, section=section, now=responder.now)
