"""What the reader of an invitation answers: yes or no, under which name, and with which first move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from random import SystemRandom

from games.registry import find
from pbem.inbox import first_move, goodbye, second_thoughts
from pbem.inbox.commands.farewell import beside_farewell, wants_no_letters
from pbem.inbox.commands.general.grammar import RULES_IN, Help
from pbem.inbox.commands.letters.grammar import Letters, Stop
from pbem.inbox.commands.line import game_of
from pbem.inbox.commands.matchmaking.guest_answers import (
    asks_about_us,
    asks_for_rules,
    asks_something,
    begins_with_yes,
    thinks_better,
)
from pbem.inbox.commands.near_moves import NearMove
from pbem.inbox.commands.words import language_of
from pbem.inbox.first_move import Answer
from pbem.inbox.interpretation import Reading
from pbem.inbox.invitations import section_of, send
from pbem.inbox.models import OK
from pbem.inbox.responder import Responder
from pbem.matches.matchmaking import invitations
from pbem.matches.models import Invitation
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.outbox.rendering.reply import invitation_address
from pbem.players.models import Player, fold
from pbem.players.services import register
from pbem.players.suggested_names import capitalised, suggested_name
from pbem.refusals import Code, Refused


def answer(invitation: Invitation, reading: Reading, responder: Responder) -> str:
    """YES and a name, or a first move, or NO. Holding the address is proof enough: it was mailed to one mailbox."""
    invitation = Invitation.objects.select_for_update().get(pk=invitation.pk)
    said = first_move.read_answer(invitation, reading.letter.lines)
    now = responder.now
    if _stops(reading):
        return _never_again(invitation, said, reading, responder)
    try:
        if not invitation.stands(responder.letter.received_at):
            agreed = said.agreed or thinks_better(reading.letter.lines)
            if agreed and second_thoughts.may_be_heard(invitation):
                return second_thoughts.pass_on(invitation, reading, responder)
            raise Refused(Code.INVITATION_OVER)
        if said.agreed is None:
            if near := first_move.nearly(invitation, reading.letter.lines):
                return _ask_about(near, invitation, said, responder)
            return _explain(invitation, said, reading, responder)
        if not said.agreed:
            words = first_move.words_for_host(invitation, said)
            invitations.decline(invitation, now=now)
            _tell_challenger(invitation, responder, words)
            return OK
        return _accept(invitation, said, reading, responder)
    except Refused as refused:
        again: Section = {"kind": "refused", "code": refused.code, "reply_to": invitation_address(invitation)}
        _tell_reader(invitation, responder, again | refused.facts)
        return refused.code


def _stops(reading: Reading) -> bool:
    """Whether they want no letters at all."""
    said = any(isinstance(each, (Letters, Stop)) for each in reading.understood.commands)
    return said or wants_no_letters(reading.letter.lines)


def _never_again(invitation: Invitation, said: Answer, reading: Reading, responder: Responder) -> str:
    """Whatever has become of the invitation; while it stands, it is declined."""
    if invitation.stands(responder.letter.received_at):
        beside = tuple(beside_farewell(reading.letter.lines))
        words = first_move.words_for_host(invitation, replace(said, beside=beside))
        invitations.decline(invitation, now=responder.now)
        _tell_challenger(invitation, responder, words)
    goodbye.leave(invitation.address, responder, language=invitation.challenger.language)
    return OK


def _accept(invitation: Invitation, said: Answer, reading: Reading, responder: Responder) -> str:
    """Who they are: the only player of this mailbox, the one whose name they write, or somebody new.

    Who is new and writes no name is called as their emails call them.
    """
    said = first_move.with_opening(invitation, said)
    readers = list(Player.objects.writing_from(invitation.address))
    player = next((reader for reader in readers if fold(reader.name) == fold(said.name)), None)
    if player is None and not said.name and len(readers) == 1:
        player = readers[0]
    if player is None and not said.name and not readers:
        own = reading.sender == invitation.address
        name = suggested_name(reading.glance.sender_name if own else "", invitation.address)
        said = replace(said, name=name)
    if player is None and not said.name:
        return _ask_again(invitation, responder)
    if player and player.suspended_at:
        raise Refused(Code.SUSPENDED)
    new = player is None
    if player is None:
        player = _sign_up(invitation, said, responder)
    letter = responder.letter.pk
    match = invitations.accept(invitation, player, now=responder.now, rng=SystemRandom(), letter=letter)
    responder.letter.player = player
    if new:
        _send_what_waited(invitation, responder.now)
    return first_move.play(match, player, said, reading, responder)


def _sign_up(invitation: Invitation, said: Answer, responder: Responder) -> Player:
    language = said.language or invitation.challenger.language
    player = register(
        name=capitalised(said.name), email=invitation.address, language=language, now=responder.now
    )
    cause = f"letter:{responder.letter.pk}"
    write_to_player(player, cause=cause, section={"kind": "welcome"}, now=responder.now, answers=True)
    return player


def _send_what_waited(invitation: Invitation, now: datetime) -> None:
    """The stranger is a player now: the invitations of others, which they were spared, are challenges."""
    waited = Invitation.objects.unanswered().filter(address=invitation.address, told=False)
    for each in waited.exclude(pk=invitation.pk).order_by("pk")[:20]:
        if each.stands(now):
            send(each, now=now)


def _explain(invitation: Invitation, answer: Answer, reading: Reading, responder: Responder) -> str:
    """To a guest who asks before they say yes: the rules, or what this is. Words that are not for us wait with us, and
    go to the host with the answer."""
    lines, said = reading.letter.lines, (*reading.understood.commands, *reading.understood.asks)
    questions = asks_something(lines)
    helps = [
        each
        for each in said
        if isinstance(each, Help) and (each.topic or not questions or asks_for_rules(lines))
    ]
    says_yes = begins_with_yes(lines)  # `Yes, but can I move second?` is about this match: no rules answer it
    if not says_yes and helps:
        return _send_rules(invitation, helps, responder)
    if not says_yes and asks_about_us(lines):
        return _ask_again(invitation, responder, answer.name, explains=True)
    waits = _keep_words(invitation, answer)
    wishes = says_yes and waits and not asks_about_us(lines)
    explains = questions and not wishes
    return _ask_again(invitation, responder, answer.name, explains=explains, waits=waits, wishes=wishes)


def _send_rules(invitation: Invitation, helps: Sequence[Help], responder: Responder) -> str:
    named = (find(each.topic)[0].key for each in helps if game_of(each.topic.split()))
    topic = next(named, invitation.game.key)
    rules: Section = {"kind": "help", "topic": topic, "invitation": invitation.pk}
    rules["reply_to"] = invitation_address(invitation)
    _tell_reader(invitation, responder, rules, language=_language_of(helps[0]))
    return OK


def _keep_words(invitation: Invitation, answer: Answer) -> bool:
    """Whether there are any, beside what was kept before."""
    words = first_move.words_for_host(invitation, answer)
    if not words:
        return False
    invitation.opening = {**invitation.opening, "words": words}
    invitation.save(update_fields=["opening"])
    return True


def _language_of(asked: Help) -> str:
    """In which it was asked for."""
    spoken = (language for language, words in RULES_IN.items() if fold(asked.topic) in words)
    return next(spoken, "") or language_of(asked.line)


def _ask_about(near: NearMove, invitation: Invitation, said: Answer, responder: Responder) -> str:
    """A first move that they nearly say: their YES is for the match and for it."""
    invitation.opening = {**invitation.opening, "move": near.move, "beside": near.rest, "name": said.name}
    invitation.save(update_fields=["opening"])
    section = section_of(invitation) | {"near": near.move, "others": _sharers(invitation)}
    _tell_reader(invitation, responder, section | {"called": said.name})
    return Code.CONFIRM_NEEDED


def _ask_again(
    invitation: Invitation,
    responder: Responder,
    name: str = "",
    *,
    explains: bool = False,
    waits: bool = False,
    wishes: bool = False,
) -> str:
    """`explains` what this is, to a guest who asks; `waits` tells that their words do; to a yes that `wishes` the
    match to be another one, what a bare one does."""
    section = section_of(invitation) | {"unclear": True, "others": _sharers(invitation), "called": name}
    if near := invitation.opening.get("move"):  # the move that was asked about is not forgotten
        section |= {"near": near, "called": name or invitation.opening["name"]}
    _tell_reader(invitation, responder, section | {"explains": explains, "waits": waits, "wishes": wishes})
    return Code.NO_MOVE_FOUND


def _sharers(invitation: Invitation) -> list[str]:
    """Who has to say which of them it is."""
    readers = list(Player.objects.writing_from(invitation.address).values_list("name", flat=True))
    return readers if len(readers) > 1 else []


def _tell_reader(
    invitation: Invitation, responder: Responder, section: Section, *, language: str = ""
) -> None:
    """In answer to their letter, at the address that was invited; in the language of who is no player yet, if known."""
    readers = list(Player.objects.writing_from(invitation.address)[:2])
    player = readers[0] if len(readers) == 1 else None
    language = player.language if player else language or invitation.challenger.language
    responder.tell_address(invitation.address, section, language=language, player=player)


def _tell_challenger(invitation: Invitation, responder: Responder, words: str) -> None:
    section: Section = {"kind": "uninvited", "invitation": invitation.pk, "message": words}
    cause = f"letter:{responder.letter.pk}:invitation"
    write_to_player(invitation.challenger, cause=cause, section=section, now=responder.now)
