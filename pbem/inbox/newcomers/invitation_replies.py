"""Answers to invitations: yes or no, a name, and a first move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from random import SystemRandom

from games.registry import find
from pbem.inbox import consent
from pbem.inbox.commands.acceptance import written_in
from pbem.inbox.commands.command import Help, Letters, Register, Stop
from pbem.inbox.commands.farewell import beside_farewell, wants_no_letters
from pbem.inbox.commands.guest_answers import (
    asks_about_us,
    asks_for_rules,
    asks_something,
    begins_with_yes,
    states_something,
    thinks_better,
    wants_only_rules,
)
from pbem.inbox.commands.line import game_of
from pbem.inbox.commands.verbs import RULES_IN, language_of
from pbem.inbox.dialogue.acts import Act, State
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK
from pbem.inbox.newcomers import first_moves, goodbye
from pbem.inbox.newcomers.first_moves import Answer
from pbem.inbox.newcomers.invitations import section_of, send
from pbem.inbox.responder import Responder
from pbem.mail.parsing.headers import sent_at
from pbem.matches.matchmaking import invitations
from pbem.matches.models import Invitation
from pbem.outbox.delivery.bounces import may_be_disturbed
from pbem.outbox.notifications.direct_messages import welcome
from pbem.outbox.notifications.kinds import refusal
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.outbox.signed_addresses import invitation_address
from pbem.players.models import Player, fold
from pbem.players.services import capitalised, instead_of, register, suggested_name
from pbem.refusals import Code, Refused


def answer(invitation: Invitation, reading: InterpretedMessage, responder: Responder) -> str:
    """Carries out a guest's answer. The reply address is proof of the mailbox."""
    invitation = Invitation.objects.select_for_update().get(pk=invitation.pk)
    said = _consented(invitation, first_moves.read_answer(invitation, reading.letter.lines), reading)
    _hear_language(invitation, said, reading)
    state = State.OPEN if invitation.stands(responder.letter.received_at) else State.OVER
    act = _act(invitation, said, reading)
    try:
        return ANSWERS[state, act](invitation, said, reading, responder)
    except Refused as refused:
        section = _refusal(invitation, refused.code, **refused.facts)
        if refused.code == Code.NAME_TAKEN:
            section["free"] = instead_of(said.name, invitation.address)
        _tell_reader(invitation, responder, section)
        return refused.code


def _act(invitation: Invitation, said: Answer, reading: InterpretedMessage) -> Act:
    lines = reading.letter.lines
    if _stops(reading):
        return Act.LEAVE
    agreed = None if said.agreed and first_moves.takes_back_yes(invitation, lines) else said.agreed
    if agreed:
        return Act.AFFIRM
    if wants_only_rules(lines):
        return Act.RULES
    if agreed is False:
        return Act.DENY
    return Act.MOVE if first_moves.nearly(invitation, lines) else Act.OTHER


def _consented(invitation: Invitation, said: Answer, reading: InterpretedMessage) -> Answer:
    """Sets `agreed` by the consent policy: YES, a first move, REGISTER, or a sentence that surely accepts."""
    lines, exact = reading.letter.lines, first_moves.moves_in(invitation, reading.letter.lines)
    readers = invitation.readers.values_list("name", flat=True)
    names = (reading.summary.sender_name, invitation.address, *readers)
    asked = consent.PendingQuestion(consent.Stake.SIGNS_UP, vouched=True, names=names, exact=exact)
    found = consent.read(lines, asked, reading.letter.signature)
    if found.agreed:
        return replace(said, agreed=True, name=found.name or said.name)
    if said.agreed is False or exact:  # both a move and a NO are neither
        return said
    registers = any(isinstance(each, Register) for each in reading.understood.commands)
    return replace(said, agreed=True if registers or consent.is_natural(lines) else None)


def _hear_language(invitation: Invitation, said: Answer, reading: InterpretedMessage) -> None:
    """Keeps the language of the answer for a guest who is no player."""
    language = said.language or written_in(reading.letter.lines)
    if language and language != _language(invitation):
        invitation.opening = {**invitation.opening, "language": language}
        invitation.save(update_fields=["opening"])


def _language(invitation: Invitation) -> str:
    return str(invitation.opening.get("language") or invitation.challenger.language)


def _stops(reading: InterpretedMessage) -> bool:
    """Whether the guest opts out of all letters."""
    said = any(isinstance(each, (Letters, Stop)) for each in reading.understood.commands)
    return said or wants_no_letters(reading.letter.lines)


def _over(invitation: Invitation, said: Answer, reading: InterpretedMessage, responder: Responder) -> str:
    """Handles an answered or expired invitation: passes on a change of mind, returns other text."""
    agreed = said.agreed or thinks_better(reading.letter.lines)
    if agreed and first_moves.may_be_heard(invitation):
        return first_moves.pass_on(invitation, reading, responder)
    _tell_reader(invitation, responder, _refusal(invitation, Code.INVITATION_OVER))
    _tell_unsaid(invitation, responder, first_moves.words_for_host(invitation, said))
    return Code.INVITATION_OVER


def _decline(invitation: Invitation, said: Answer, reading: InterpretedMessage, responder: Responder) -> str:
    words = first_moves.last_words(invitation, said)
    invitations.decline(invitation, now=responder.now)
    _tell_challenger(invitation, responder, words)
    return OK


def _send_only_rules(
    invitation: Invitation, said: Answer, reading: InterpretedMessage, responder: Responder
) -> str:
    word = min(RULES_IN[invitation.challenger.language])
    return _send_rules(invitation, [Help(word, line=word)], responder)


def _refusal(invitation: Invitation, code: str, **facts: object) -> Section:
    return refusal(code, {"reply_to": invitation_address(invitation), **facts})


def _tell_unsaid(invitation: Invitation, responder: Responder, words: str) -> None:
    if words:
        _tell_reader(invitation, responder, {"kind": "unsaid", "text": words, "why": "over"})


def _never_again(
    invitation: Invitation, said: Answer, reading: InterpretedMessage, responder: Responder
) -> str:
    """Opts the guest out; declines a standing invitation and gives the host the text."""
    beside = tuple(beside_farewell(reading.letter.lines))
    words = first_moves.last_words(invitation, replace(said, beside=beside))
    if invitation.stands(responder.letter.received_at):
        invitations.decline(invitation, now=responder.now)
        _tell_challenger(invitation, responder, words)
    elif may_be_disturbed(invitation.address):  # else they have opted out before and had the last answer
        _tell_unsaid(invitation, responder, words)
    return goodbye.leave(invitation.address, reading, responder, language=_language(invitation))


def _accept(invitation: Invitation, said: Answer, reading: InterpretedMessage, responder: Responder) -> str:
    """Begins the match for the only player of the mailbox, the named one, or a new one.

    A new player without a name is called by the letter's sender name.
    """
    said = first_moves.with_opening(invitation, said)
    readers = list(invitation.readers)
    player = next((reader for reader in readers if fold(reader.name) == fold(said.name)), None)
    if player is None and not said.name and len(readers) == 1:
        player = readers[0]
    if player is None and not said.name and not readers:
        own = reading.sender == invitation.address
        name = suggested_name(reading.summary.sender_name if own else "", invitation.address)
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
    return first_moves.play(match, player, said, reading, responder)


def _sign_up(invitation: Invitation, said: Answer, responder: Responder) -> Player:
    sent = sent_at(bytes(responder.letter.raw))
    language = said.language or _language(invitation)
    player = register(
        name=capitalised(said.name), email=invitation.address, language=language, now=responder.now, sent=sent
    )
    welcome(player, f"letter:{responder.letter.pk}", sent, now=responder.now)
    return player


def _send_what_waited(invitation: Invitation, now: datetime) -> None:
    """Sends the new player the invitations of others that were withheld from the stranger."""
    waited = Invitation.objects.unanswered().filter(mailbox=invitation.mailbox, told=False)
    for each in waited.exclude(pk=invitation.pk).order_by("pk")[:20]:
        if each.stands(now):
            send(each, now=now)


def _explain(
    invitation: Invitation, answer: Answer, reading: InterpretedMessage, responder: Responder
) -> str:
    """Answers a guest's questions with the rules or an explanation. Other text is kept for the host."""
    lines, said = reading.letter.lines, (*reading.understood.commands, *reading.understood.asks)
    questions = asks_something(lines)
    helps = [
        each
        for each in said
        if isinstance(each, Help)
        and (each in reading.understood.commands or _is_of_rules(each))
        and (each.topic or not questions or asks_for_rules(lines))
        and (asks_for_rules(lines) or not asks_about_us(lines))
    ]
    if not helps and asks_for_rules(lines) and not asks_about_us(lines):
        word = min(RULES_IN[_language(invitation)])
        helps = [Help(word, line=word)]
    says_yes = begins_with_yes(lines)  # `Yes, but can I move second?` is about this match, not the rules
    if helps and (not says_yes or asks_for_rules(lines)):
        _keep_words(invitation, answer)
        return _send_rules(invitation, helps, responder)
    if not says_yes and asks_about_us(lines) and not states_something(lines):
        return _ask_again(invitation, responder, answer.name, explains=True)
    words = _keep_words(invitation, answer)
    if not says_yes and asks_about_us(lines):
        return _ask_again(invitation, responder, answer.name, explains=True, waits=bool(words))
    wishes = says_yes and bool(words) and not asks_about_us(lines)
    game = first_moves.wished(invitation, lines) if words else ""
    if game or (wishes and first_moves.may_be_said(lines)):
        first_moves.tell_host(invitation, words, game, responder.now)
    wished = "yes" if wishes else "otherwise" if game else ""
    return _ask_again(
        invitation,
        responder,
        answer.name,
        explains=questions and not wished,
        waits=bool(words),
        wishes=wished,
    )


def _is_of_rules(asked: Help) -> bool:
    """Whether the help is on the rules, which the invitation does not explain."""
    rules = any(fold(asked.topic) in words for words in RULES_IN.values())
    return not asked.topic or rules or bool(game_of(asked.topic.split()))


def _send_rules(invitation: Invitation, helps: Sequence[Help], responder: Responder) -> str:
    named = (find(each.topic)[0].key for each in helps if game_of(each.topic.split()))
    topic = next(named, invitation.game.key)
    rules: Section = {"kind": "help", "topic": topic, "invitation": invitation.pk}
    rules["reply_to"] = invitation_address(invitation)
    _tell_reader(invitation, responder, rules, language=_language_of(helps[0]))
    return OK


def _keep_words(invitation: Invitation, answer: Answer) -> str:
    """Keeps the text for the host, with earlier text."""
    words = first_moves.words_for_host(invitation, answer)
    if words:
        invitation.opening = {**invitation.opening, "words": words}
        invitation.save(update_fields=["opening"])
    return words


def _language_of(asked: Help) -> str:
    """The language of the request."""
    spoken = (language for language, words in RULES_IN.items() if fold(asked.topic) in words)
    return next(spoken, "") or language_of(asked.line)


def _ask_about_move(
    invitation: Invitation, said: Answer, reading: InterpretedMessage, responder: Responder
) -> str:
    """Asks about a first move that is nearly said; YES begins the match with it."""
    near = first_moves.nearly(invitation, reading.letter.lines)
    assert near
    invitation.opening = {**invitation.opening, "move": near.move, "beside": near.rest, "name": said.name}
    invitation.save(update_fields=["opening"])
    section = section_of(invitation) | {"near": near.move, "others": _sharers(invitation)}
    section["said"] = first_moves.words_for_host(invitation, replace(said, beside=(near.rest,)))
    _tell_reader(invitation, responder, section | {"called": said.name})
    return Code.CONFIRM_NEEDED


def _ask_again(
    invitation: Invitation,
    responder: Responder,
    name: str = "",
    *,
    explains: bool = False,
    waits: bool = False,
    wishes: str = "",
) -> str:
    """Asks again. `explains` the service; `waits`: the text is kept; `wishes`: other terms are wanted."""
    if name:
        invitation.opening = {**invitation.opening, "name": name}
        invitation.save(update_fields=["opening"])
    section = section_of(invitation) | {"unclear": True, "others": _sharers(invitation), "called": name}
    if near := invitation.opening.get("move"):  # the move that was asked about
        section |= {"near": near, "called": name or invitation.opening["name"]}
    _tell_reader(invitation, responder, section | {"explains": explains, "waits": waits, "wishes": wishes})
    return Code.NO_MOVE_FOUND


def _sharers(invitation: Invitation) -> list[str]:
    """The players of the mailbox, when there are several to choose from."""
    readers = list(invitation.readers.values_list("name", flat=True))
    return readers if len(readers) > 1 else []


def _tell_reader(
    invitation: Invitation, responder: Responder, section: Section, *, language: str = ""
) -> None:
    """Answers the guest's letter at the invited address."""
    readers = list(invitation.readers[:2])
    player = readers[0] if len(readers) == 1 else None
    language = player.language if player else language or _language(invitation)
    responder.tell_address(invitation.address, section, language=language, player=player)


def _tell_challenger(invitation: Invitation, responder: Responder, words: str) -> None:
    section: Section = {"kind": "uninvited", "invitation": invitation.pk, "message": words}
    cause = f"letter:{responder.letter.pk}:invitation"
    write_to_player(invitation.challenger, cause=cause, section=section, now=responder.now)


ANSWERS: Mapping[tuple[State, Act], Callable[[Invitation, Answer, InterpretedMessage, Responder], str]] = {
    (State.OPEN, Act.AFFIRM): _accept,
    (State.OPEN, Act.DENY): _decline,
    (State.OPEN, Act.MOVE): _ask_about_move,
    (State.OPEN, Act.RULES): _send_only_rules,
    (State.OPEN, Act.OTHER): _explain,
    (State.OPEN, Act.LEAVE): _never_again,
    (State.OVER, Act.AFFIRM): _over,
    (State.OVER, Act.DENY): _over,
    (State.OVER, Act.MOVE): _over,
    (State.OVER, Act.RULES): _over,
    (State.OVER, Act.OTHER): _over,
    (State.OVER, Act.LEAVE): _never_again,
}
