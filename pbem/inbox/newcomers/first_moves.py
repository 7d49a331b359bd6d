"""Answers of invited guests: a first move, other terms, and a change of mind after declining."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from games import lenient_parser
from games.protocol import AmbiguousMove, IllegalMove, Notation, Side, UnreadableMove
from pbem.inbox import commands
from pbem.inbox.commands import newcomers
from pbem.inbox.commands.acceptance import YES_AND_A_NAME, named_in, read_acceptance, read_name
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.guest_answers import (
    agreed_in,
    begins_with_yes,
    declines,
    move_told,
    reconsiders,
    speaks_of_terms,
)
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import names_cell, plain
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Accept, Move
from pbem.inbox.commands.parser import Understood, understand
from pbem.inbox.commands.phrases import called
from pbem.inbox.consent import first_yes
from pbem.inbox.dialogue import confirmations
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import handle_all
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK
from pbem.inbox.newcomers import strangers
from pbem.inbox.recipient import LetterRecipient, MoveRecipient, PlayRecipient
from pbem.inbox.responder import Responder
from pbem.inbox.sketched_wish import game_in, wish_in
from pbem.inbox.understanding.answers import agrees, answer_in, begins_with_no, holds_back, is_bare
from pbem.inbox.understanding.slots.moves import NearMove, near_move, talked_move
from pbem.inbox.understanding.slots.terms import said_terms
from pbem.inbox.unnumbered import MoveShapes, legal_moves
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.mail.parsing import reply_text
from pbem.mail.parsing.redact_addresses import relayed_to_stranger, without_secrets
from pbem.matches.matchmaking.invitations import WISHED
from pbem.matches.matchmaking.match_request import Wish, read_wish
from pbem.matches.models import Invitation, Match, Seat
from pbem.outbox.delivery.bounces import may_be_disturbed
from pbem.outbox.notifications.notify import Section, already_notified, write_to_player
from pbem.outbox.signed_addresses import invitation_address
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(commands.__package__)
_LONGEST = 200  # characters of a line that is split
_MOST_BESIDE = 4000  # characters kept for the yes
_ENDS = re.compile(r"[,;:.!]+(?:\s+|$)|\s+[-–—]\s+|\s+(?:and|e)\s+")
_YES_NAMED = re.compile(r"([^\W\d_]+)['’]?[\s,]+([^\W\d_][\w.'-]{1,23})\s+([^\W\d_]\w*)")  # YES Emma Bianchi


@dataclass(frozen=True)
class Answer:
    """`agreed`: None when neither yes nor no was found. `beside`: the other lines, with the first move."""

    agreed: bool | None
    name: str
    language: str
    beside: tuple[str, ...]


def read_answer(invitation: Invitation, lines: Sequence[str]) -> Answer:
    """Reads the guest's answer. A move means yes, and is never read as a name."""
    is_move = _Opening(invitation)
    lines = [piece for line in lines for piece in _pieces(line, is_move, invitation)]
    agreeing = next((line for line in lines if agrees(line)), None)
    said = read_acceptance(line for line in lines if line is agreeing or agrees(line) is None)
    named = read_name(lines)
    name = "" if is_move(said.name) or talk.is_greeting(said.name) else said.name
    answers = {agrees(line) for line in lines} | {said.agreed, answer_in(lines).agreed}
    answers |= {False for line in lines if agreed_in(line, _spoken_to(invitation)) is False}
    moves = any(map(is_move, lines)) or (named is not None and named.agreed)
    said_once = (answers | {True if moves else None}) - {None}
    if not said_once:
        said_once = {declines(lines, _spoken_to(invitation))}
    agreed = said_once.pop() if len(said_once) == 1 else None  # both yes and no is neither
    name = name or (named.name if named else "")
    language = said.language or (named.language if named and named.agreed else "")
    beside = tuple(piece for piece in lines if not is_bare(piece) and not is_yes(piece, name))
    return Answer(agreed, name, language, beside)


def _spoken_to(invitation: Invitation) -> tuple[str, ...]:
    return (invitation.challenger.name,)


def words_for_host(invitation: Invitation, said: Answer) -> str:
    """The guest's text beside yes, no, a move and a name, with text from earlier unclear answers."""
    is_move, before = _Opening(invitation), str(invitation.opening.get("words", "")).splitlines()
    lines = [line for line in (*before, *said.beside) if not is_bare(line) and not is_move(line)]
    words = relayed_to_stranger("\n".join(reply_text.talk(lines)))
    return "" if talk.is_only_courtesy(words, invitation.challenger.name, said.name) else words


def last_words(invitation: Invitation, said: Answer) -> str:
    """The same for a guest who declines, with the text beside a first move that was asked about."""
    before = str(invitation.opening.get("beside", "")).splitlines()
    return words_for_host(invitation, replace(said, beside=(*before, *said.beside)))


def nearly(invitation: Invitation, lines: Sequence[str]) -> NearMove | None:
    """The only legal first move that the lines nearly say, and their other text.

    None when the host begins, a line says no, or there is none or several.
    """
    if invitation.side == Side.FIRST or begins_with_no(lines) or False in map(agrees, lines):
        return None
    is_move = _Opening(invitation)
    near = {line: found for line in lines if (found := _nearly(line, is_move))}
    if len(moves := {found.move for found in near.values()}) != 1:
        return None
    beside = "\n".join(near[line].rest if line in near else line for line in lines)
    return NearMove(moves.pop(), beside.strip()[:_MOST_BESIDE])


def _nearly(line: str, is_move: _Opening) -> NearMove | None:
    said = plain(line[:_LONGEST])
    asked = said.rstrip("? ")
    legal = is_move.legal
    return near_move(asked if is_move(asked) else said, legal) or talked_move(said, legal)


def moves_in(invitation: Invitation, lines: Sequence[str]) -> tuple[str, ...]:
    """The lines that are a first move."""
    return tuple(line.strip() for line in lines if _Opening(invitation)(line))


def with_opening(invitation: Invitation, said: Answer) -> Answer:
    """Adds the first move that was asked about, when the yes brings none, and the name beside it."""
    is_move, asked = _Opening(invitation), invitation.opening
    if words := asked.get("words"):
        said = replace(said, beside=(*words.splitlines(), *said.beside))
    said = replace(said, name=said.name or asked.get("name", ""))
    if not asked.get("move") or any(is_move(line) or _nearly(line, is_move) for line in said.beside):
        return said
    before = (asked["move"], *asked["beside"].splitlines())
    return replace(said, name=said.name or asked["name"], beside=(*before, *said.beside))


def _pieces(line: str, is_move: _Opening, invitation: Invitation) -> list[str]:
    """Splits a line like `Yes, I'm Emma: b8-b6` when each piece is understood. Other lines stay whole."""
    spoken_to = re.compile(rf"\b{re.escape(invitation.challenger.name)}\b", re.IGNORECASE)
    full = _YES_NAMED.fullmatch(plain(line[:_LONGEST]))
    if full and fold(full[1]) in YES_AND_A_NAME and full[2][0].isupper() and full[3][0].isupper():
        return [full[1], full[2]]
    pieces = [spoken_to.sub("", piece).strip() for piece in _ENDS.split(line[:_LONGEST])]

    def is_clear(piece: str) -> bool:
        plainly = agrees(piece) is True or is_move(piece) or bool(named_in(piece))
        return plainly or talk.is_only_courtesy(piece) or read_acceptance([piece]).agreed is True

    answers = not all(map(talk.is_only_courtesy, pieces))  # `Dear Walter,` stays whole
    return list(filter(None, pieces)) if answers and all(map(is_clear, pieces)) else [line]


def play(
    match: Match, player: Player, said: Answer, reading: InterpretedMessage, responder: Responder
) -> str:
    """Plays the move that came with the yes and delivers the text; returns the verdict."""
    seat = next(seat for seat in match.seated if seat.player_id == player.pk)
    context = CommandContext(responder, player, MoveRecipient(state="current", ply=match.ply, seat=seat))
    read = understand(
        said.beside,
        subject=None,
        language=player.language,
        is_move=MoveShapes(player, seat),
        match=match.pk,
        legal=legal_moves(player, seat, match.ply),
    )
    if read.verdict == Code.SEVERAL_MOVES:
        return context.refuse(Refused(Code.SEVERAL_MOVES))
    if any(isinstance(near, Move) for near in read.asks):
        asked = replace(
            reading, understood=read, recipient=context.recipient, player=player, decision=Decision.APPLY
        )
        confirmations.ask_what_is_meant(context, asked)
        return Code.CONFIRM_NEEDED
    moves = [command for command in read.commands if isinstance(command, Move)]
    words = without_secrets("\n".join(reply_text.talk(read.chat.split("\n"))))
    chat = "" if talk.is_only_courtesy(words, player.name, seat.opponent.player.name) else words
    told = "" if moves else move_told(said.beside)
    verdicts = [_explain(told, context, seat)] if told else []
    verdicts += handle_all(context, moves, chat=chat) if moves or chat else []
    return next((verdict for verdict in verdicts if verdict != OK), OK)


def _explain(told: str, context: CommandContext, seat: Seat) -> str:
    """Refuses the illegal move that came with the yes."""
    legal = legal_moves(context.player, seat, seat.match.ply)
    if legal is None:  # the opponent begins
        return OK
    facts = {"match": seat.match, "begun": True, "cells": legal.with_cells_of(told)}
    facts["objection"] = legal.against_told(told)
    return context.refuse(Refused(Code.NO_MOVE_FOUND, text=told, **facts))


@dataclass(frozen=True)
class _Opening:
    """Whether a line is a move on the board that the letter showed, or has the shape of one."""

    invitation: Invitation

    def __call__(self, line: str) -> bool:
        language = self.invitation.challenger.language
        read = understand([line], subject=None, language=language, is_move=self._has_shape)
        return any(isinstance(command, Move) for command in read.commands)

    @property
    def legal(self) -> LegalMoves:
        match = Match(game_name=self.invitation.game_name, setup=self.invitation.setup)
        notation = Notation(self.invitation.challenger.language)
        return LegalMoves(self.invitation.game, match.start_position(), notation)

    def _has_shape(self, text: str, number: int | None) -> bool:
        game = self.invitation.game
        match = Match(game_name=self.invitation.game_name, setup=self.invitation.setup)
        try:
            lenient_parser.parse(
                game, match.start_position(), text, Notation(self.invitation.challenger.language)
            )
        except UnreadableMove:
            return False
        except (AmbiguousMove, IllegalMove):
            return number is None and names_cell(text)  # `pass` declines an invitation
        return number is None


def is_yes(line: str, name: str) -> bool:
    """Whether the line is only yes or the name."""
    return bool(name and name in (plain(line), named_in(line))) or read_acceptance([line]).agreed is not None


# Other terms: a guest who wants another game, clock or side. The host gets the line that invites anew.

_OTHER = {"first": "second", "second": "first", "black": "white", "white": "black"}


def wished(invitation: Invitation, lines: Sequence[str]) -> str:
    """The game and options that the host would propose. Empty when they do not differ."""
    language = invitation.challenger.language
    sides = _WORDS.of(language, "side_options")
    hosts = {sides[side]: sides[other] for side, other in _OTHER.items()}
    said = dict.fromkeys(term for line in lines for term in said_terms(line, language))
    options = [hosts.get(term, term) for term in said]
    if invitation.side == Side.FIRST and not hosts.keys() & said:
        options.append(sides["first"])
    game = _game(invitation, lines)
    wish = _read(game, options)
    return "" if wish is None or _is_as_proposed(wish, invitation) else " ".join((game, *options))


def may_be_said(lines: Iterable[str]) -> bool:
    """Whether a line beside a yes may be a condition, or asks for one."""
    return any("?" in line or holds_back(line) or speaks_of_terms(line) for line in lines)


def takes_back_yes(invitation: Invitation, lines: Sequence[str]) -> bool:
    """Whether a `but` with another game or clock stands beside a yes on its own line.

    To offer the first move is a courtesy, and does not count.
    """
    held = [line for line in lines if holds_back(line)]
    language = invitation.challenger.language
    sides = frozenset(_WORDS.of(language, "side_options").values())
    timed = any(term not in sides for line in held for term in said_terms(line, language))
    differs = timed or _game(invitation, held) != invitation.game_name
    return differs and bool(wished(invitation, held))


def tell_host(invitation: Invitation, words: str, game: str, now: datetime) -> bool:
    """Tells the host once per invitation; returns whether it did. The answer delivers the text later too."""
    cause = f"invitation:{invitation.pk}:terms"
    if already_notified(cause, invitation.challenger.email):
        return False
    section: Section = {"kind": "after_all", "invitation": invitation.pk, "message": words}
    section |= {"otherwise": True, "game": game}
    write_to_player(invitation.challenger, cause=cause, section=section, now=now)
    invitation.opening = {**invitation.opening, WISHED: True}
    invitation.save(update_fields=["opening"])
    return True


def _game(invitation: Invitation, lines: Sequence[str]) -> str:
    key = game_in(
        line for line in lines if newcomers.speaks_of_play(line) or not newcomers.is_everyday(game_in([line]))
    )
    return key if key not in ("", invitation.game.key) else invitation.game_name


def _read(game: str, options: Sequence[str]) -> Wish | None:
    try:
        return read_wish(game, options)
    except Refused:
        return None


def _is_as_proposed(wish: Wish, invitation: Invitation) -> bool:
    side = Side.SECOND if wish.side is None else wish.side
    clock = wish.terms.clock == invitation.agreed.clock
    return clock and (wish.game, side) == (invitation.game_name, invitation.side)


# Change of mind: a guest who has declined would play after all. The host may invite anew.


def may_be_heard(invitation: Invitation) -> bool:
    """Whether the invitation was declined, and the address accepts another one."""
    declined = invitation.answered_at is not None and invitation.match_id is None
    return declined and may_be_disturbed(invitation.address)


def pass_on(invitation: Invitation, reading: InterpretedMessage, responder: Responder) -> str:
    """Tells the host once per invitation. The invitation stays declined."""
    said = Answer(True, "", "", tuple(reading.letter.lines))
    words = words_for_host(invitation, said)
    cause = f"invitation:{invitation.pk}:after_all"
    if already_notified(cause, invitation.challenger.email):
        _tell_guest(invitation, responder, {"heard": True, "lost": words})
        return Code.INVITATION_OVER
    section: Section = {"kind": "after_all", "invitation": invitation.pk, "message": words}
    write_to_player(invitation.challenger, cause=cause, section=section, now=responder.now)
    _tell_guest(invitation, responder, {"heard": True})
    return Code.INVITATION_OVER


def invite_anew(recipient: LetterRecipient, reading: InterpretedMessage, responder: Responder) -> str | None:
    """Asks the host, after a yes in any words, whether to invite anew. None for other answers."""
    player, said = recipient.player, reading.understood.commands
    heard = next((each for each in recipient.answered.sections if each["kind"] == "after_all"), None)
    if player is None or heard is None or reading.decision is Decision.HOLD:
        return None
    if any(not isinstance(each, Accept) for each in said) or not _agrees(reading.letter.lines):
        return None
    command = _challenge(heard, player.language)
    if command is None:
        return None
    meant = Understood(asks=(command,))
    context = CommandContext(responder, player, PlayRecipient())
    confirmations.ask_what_is_meant(context, replace(reading, player=player, understood=meant))
    return Code.CONFIRM_NEEDED


def _agrees(lines: Sequence[str]) -> bool:
    return begins_with_yes(lines) or bool(first_yes(lines))


def _challenge(heard: Mapping[str, Any], language: str) -> Command | None:
    invitation = Invitation.objects.get(pk=heard["invitation"])
    game = heard.get("game") or invitation.game_name
    return read_alone(f"{called('CHALLENGE', language)} {invitation.address} {game}")


def regretted(reading: InterpretedMessage) -> Invitation | None:
    """The declined invitation that a stranger's new letter comes back to. None when there is none."""
    if not isinstance(reading.recipient, PlayRecipient) or reading.player or reading.sharers:
        return None
    lines = reading.letter.lines
    wish = wish_in(lines, reading.sender, subject=reading.summary.subject)
    if reading.understood.commands or wish.friend or wish.robot or not reconsiders(lines):
        return None
    if reading.dmarc is Dmarc.FAIL:
        return None
    declined = Invitation.objects.filter(address=reading.sender.lower(), match=None)
    invitation = declined.filter(answered_at__isnull=False).order_by("-answered_at").first()
    return invitation if invitation and may_be_heard(invitation) else None


def answer(invitation: Invitation, reading: InterpretedMessage, responder: Responder) -> str:
    """Passes the letter on, or asks the mailbox first where its sender is not vouched for."""
    if reading.dmarc is Dmarc.PASS:
        return pass_on(invitation, reading, responder)
    cause = f"invitation:{invitation.pk}:asked:{responder.now:%Y-%m}"
    if already_notified(cause, invitation.address):
        return strangers.tell_before(reading, responder)
    if responder.may_tell_stranger(invitation.address):
        _tell_guest(invitation, responder, {"reply_to": invitation_address(invitation)}, cause=cause)
    return Code.CONFIRM_NEEDED


def _tell_guest(invitation: Invitation, responder: Responder, section: Section, cause: str = "") -> None:
    said = {"kind": "reconsidered", "invitation": invitation.pk} | section
    language = invitation.challenger.language
    responder.tell_address(invitation.address, said, language=language, cause=cause)
