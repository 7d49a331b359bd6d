"""Carries out a player's letter: runs its commands, passes on its text, asks, or refuses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pbem.inbox import personal
from pbem.inbox.commands import newcomers
from pbem.inbox.commands.command import Command, Help, Report, Set
from pbem.inbox.commands.line import names_cell
from pbem.inbox.commands.match_commands import Accept, Decline, If, Move, Next
from pbem.inbox.commands.parser import Understood
from pbem.inbox.commands.verbs import HARMLESS, OF_MATCHES, help_on
from pbem.inbox.dialogue import bare_answers, confirmations, open_tables, unsure_answers, yes_or_no
from pbem.inbox.dialogue.confirmations import names_impossible_address, talk_waits, waits, why_asked
from pbem.inbox.digests import DIGEST
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import first_refusal, handle_all
from pbem.inbox.handling.talk import may_be_for_others
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK
from pbem.inbox.recipient import (
    LetterRecipient,
    PlayRecipient,
    ply_of,
    seat_of,
)
from pbem.inbox.sketched_wish import game_in
from pbem.inbox.understanding.addressee import asks_to_tell, hinted
from pbem.inbox.understanding.candidates import likeliest
from pbem.inbox.understanding.near_misses import near_misses
from pbem.inbox.understanding.slots.games import absent_in
from pbem.inbox.understanding.slots.moves import tells_move
from pbem.inbox.unnumbered import legal_moves
from pbem.intents import Bar, has_intent, is_rare
from pbem.mail.authentication.policy import Decision
from pbem.matches.models import Match
from pbem.matches.offers import asked_in
from pbem.players.models import Player
from pbem.refusals import Code, Refused
from pbem.wording import fold

# Decisions under which text goes to the opponent, at once or after a YES (`talk_waits`).
_TALK = (Decision.APPLY, Decision.CONFIRM, Decision.STALE_MOVE, Decision.STALE_CONFIRM)
_CLAUSE = re.compile(r"[,.;:!?]+\s*")
_MOST_UNREAD = 400  # characters of an unread letter that are quoted
_LONGEST_SLIP = 6  # words
_LONGEST_MISTYPED = 4  # words of a command
WITHOUT_MOVE = (Code.EMPTY, Code.NO_TEXT, Code.QUOTED_ONLY, Code.NO_MOVE_FOUND)
_LONGEST_QUOTED = 200  # characters of a line that was not understood


def to_organiser(context: CommandContext, reading: InterpretedMessage) -> str:
    """Gives the text of an answer to the organiser, and carries out its commands."""
    commanded = replace(reading, understood=personal.for_the_program(reading))
    if reading.decision is not Decision.HOLD and (
        reading.understood.chat or not commanded.understood.commands
    ):
        taken = personal.take(context, reading)
        if not commanded.understood.commands:
            return taken
    return carry_out(context, commanded)


def in_context(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage:
    """The reading where an open offer, a question, or the robot of the match may be meant."""
    # Without a vouched sender only literal commands count.
    if not reading.surely_theirs:
        reading = replace(reading, understood=as_written(reading))
    else:
        reading = open_tables.meant(context, open_tables.named(context, reading))
        reading = bare_answers.meant(context, reading)
        reading = unsure_answers.meant_by_name(context, unsure_answers.meant(context, reading))
    if reading.decision is Decision.HOLD:  # the sender is not known
        return reading
    return asked_of_us(context, reading)


def ask_about_subject(context: CommandContext, reading: InterpretedMessage) -> str | None:
    """Asks about the only legal move in the Subject of a letter without one."""
    moves = _in_subject(context, reading)
    if moves is None:
        return None
    confirmations.ask_what_is_meant(context, moves, in_subject=True)
    return Code.CONFIRM_NEEDED


def ask_about_all(context: CommandContext, reading: InterpretedMessage) -> None:
    confirmations.ask(context, reading, (), unread=personal.words(reading)[:_MOST_UNREAD])


def ask_what_is_guessed(context: CommandContext, reading: InterpretedMessage) -> str | None:
    guessed = yes_or_no.unclear(context, reading) or _guessed(context, reading)
    if guessed is None:
        return None
    confirmations.ask_what_is_meant(context, guessed)
    return Code.CONFIRM_NEEDED


def as_written(reading: InterpretedMessage) -> Understood:
    """Keeps only commands that are lines of the letter, or of an answer to a digest."""
    said, digest = reading.understood, reading.answered == DIGEST
    below = {fold(line.strip()) for line in reading.letter.lines}  # names are in capitals after reading
    written = below | {fold(reading.summary.subject.strip())}
    joined = " ".join(" ".join(reading.letter.lines).split())
    exact = tuple(
        each
        for each in said.commands
        if digest
        or fold(each.line.strip()) in (below if isinstance(each, (Accept, Decline)) else written)
        or (isinstance(each, Move) and fold(each.text) in written)
        or (isinstance(each, (If, Next)) and " ".join(each.line.split()) in joined)
    )
    return replace(
        said, commands=exact, asks=(), beside="", verdict=said.verdict if exact else Code.NO_MOVE_FOUND
    )


def to_a_person(context: CommandContext, reading: InterpretedMessage) -> str:
    to_opponent = reading.understood.unnumbered  # text to the opponent, with a move
    return personal.take(context, reading) if personal.is_to_a_person(reading) and not to_opponent else ""


def only_thanks(context: CommandContext, reading: InterpretedMessage) -> str:
    """Accepts thanks to us or a robot without an answer; passes thanks to an opponent on."""
    seat = context.token_seat
    to_us = isinstance(reading.recipient, PlayRecipient | LetterRecipient) or bool(
        seat and seat.opponent.player.robot
    )
    names = (context.player.name, seat.opponent.player.name) if seat else (context.player.name,)
    subject = "" if seat or reading.summary.is_reply else reading.summary.subject
    if not talk.only_thanks("\n".join((subject, *reading.letter.lines)), *names):
        return ""
    if to_us:
        return OK
    heard = reading.decision in _TALK and context.says(reading.understood.chat)
    return pass_on(context, reading) if seat and heard and asked_in(seat) is None else ""


def about_games(context: CommandContext, reading: InterpretedMessage) -> str:
    """Answers a letter about no match that asks for an unknown game, or only names a game."""
    if context.token_seat or not isinstance(reading.recipient, PlayRecipient | LetterRecipient):
        return ""
    subject = "" if reading.summary.is_reply else reading.summary.subject
    lines = [subject, *reading.letter.lines]
    absent = absent_in(lines)
    other = any(not isinstance(ask, (Help, *OF_MATCHES)) for ask in reading.understood.asks)
    if absent and (absent.key or (is_rare(absent.name) and not other)):  # not for `my challenge yet`
        context.reply(absent.section() | {"kind": "about"})
    elif newcomers.is_only_game(subject, reading.letter.lines) and (game := game_in(lines)):
        context.reply({"kind": "game", "game": game})
    else:
        return ""
    return OK


def ask_what_is_near(context: CommandContext, reading: InterpretedMessage) -> str:
    if not reading.understood.asks:
        return ""
    if refused := [ask for ask in reading.understood.asks if names_impossible_address(ask)]:
        return first_refusal(handle_all(context, refused, chat=""))
    confirmations.ask_what_is_meant(context, reading)
    return Code.CONFIRM_NEEDED


def pass_on(context: CommandContext, reading: InterpretedMessage) -> str:
    """Passes the text on to the opponent, with help when it mentions something that a command does."""
    verdict = carry_out(context, reading)
    help_lines = hinted(reading.understood.chat, context.player.language) if context.token_seat else None
    if verdict == OK and help_lines:
        context.reply({"kind": "help", "verb": help_lines[1][0][0], "chapters": [help_lines]})
    return verdict


def is_talk(context: CommandContext, reading: InterpretedMessage) -> bool:
    """Whether the letter is text that needs no command: to a player, or to the opponent of its match."""
    return context.says_enough(reading.understood.chat) or _is_for_opponent(context, reading)


def _is_for_opponent(context: CommandContext, reading: InterpretedMessage) -> bool:
    """Whether the text is safe to pass on: no numbers, nothing like a command, no open offer."""
    said, seat = reading.understood, context.token_seat
    if seat is None or reading.decision not in _TALK or not context.says(said.chat):
        return False
    if asked_in(seat) is not None:
        return False
    told = "\n".join(reading.letter.lines)
    unclear = bool(said.suggestions) or any(map(str.isdigit, said.chat))
    return not unclear or asks_to_tell(told, (seat.opponent.player.name,))


def carry_out(context: CommandContext, reading: InterpretedMessage) -> str:
    """Runs the commands that the decision allows, and asks about the others."""
    bare = bare_answers.bare(context, reading)
    commands, chat, verdicts = bare.commands, bare.chat, list(bare.verdicts)
    if bare.unclear:
        asked = Understood(asks=tuple(bare.unclear), beside=chat, verdict=Code.NO_MOVE_FOUND)
        confirmations.ask_what_is_meant(context, replace(reading, understood=asked))
        chat, verdicts = "", [*verdicts, Code.CONFIRM_NEEDED]
    unheard = context.responder.answers_are_used_up(context.player)
    wait = [c for c in commands if unheard or c in bare.ask or waits(c, reading)]
    if wait:  # the text waits with them, and so do commands that carry it
        wait = [command for command in commands if command in wait or command.takes_talk]
    for_others = _may_be_for_others(context, reading, chat)
    chat_waits = bool(wait) or for_others or (talk_waits(reading) and context.says(chat))
    verdicts += handle_all(context, [c for c in commands if c not in wait], chat="" if chat_waits else chat)
    if unsaid := reading.understood.unsaid:
        context.reply({"kind": "unsaid", "text": unsaid})
    read = reading.understood
    more = read.asks if read.commands and reading.decision is not Decision.HOLD else ()
    if wait or (chat_waits and context.says(chat)):
        said = "\n".join(filter(None, (chat, read.beside)))
        waiting = replace(reading, understood=replace(read, chat=said))
        confirmations.ask(context, waiting, [*wait, *more], for_others=for_others)  # one question per letter
        verdicts.append(why_asked(reading, context.player))
    elif more and (_is_report(more) or not _ended(context)):
        confirmations.ask_what_is_meant(context, reading)
        verdicts.append(Code.CONFIRM_NEEDED)
    return first_refusal(verdicts)


def _may_be_for_others(context: CommandContext, reading: InterpretedMessage, chat: str) -> bool:
    seat = context.token_seat
    if seat is None or seat.opponent.player.robot is not None or not context.says(chat):
        return False
    alone = not reading.understood.commands
    return reading.surely_theirs and may_be_for_others(
        chat, seat.opponent.player.name, alone=alone, is_player=lambda name: bool(Player.objects.called(name))
    )


def _is_report(asks: Sequence[Command]) -> bool:
    """Whether one is a report, which goes to the organiser even after the match."""
    return any(isinstance(ask, Report) for ask in asks)


def _ended(context: CommandContext) -> bool:
    """Whether the letter's commands have ended its match."""
    seat = context.token_seat
    return seat is not None and Match.objects.filter(pk=seat.match_id, ended_at__isnull=False).exists()


def _guessed(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage | None:
    """The reading with the most probable command, never a move. None when there is none."""
    text = " ".join(filter(None, map(str.strip, reading.letter.lines)))
    mistyped = bool(reading.understood.suggestions)
    if names_cell(text) or (mistyped and len(text.split()) <= _LONGEST_MISTYPED):
        return None
    command = likeliest(text, match=context.token_seat.match_id if context.token_seat else None)
    if command is None:
        return None
    return replace(reading, understood=Understood(asks=(command,), verdict=Code.NO_MOVE_FOUND))


def _in_subject(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage | None:
    """The reading with the only legal move in the Subject. None when there is none, or several."""
    said, recipient = reading.understood, reading.recipient
    legal = legal_moves(context.player, seat_of(recipient), ply_of(recipient))
    if legal is None or said.asks:
        return None
    moves = {
        move for word in reading.summary.subject.split() if names_cell(word) and (move := legal.meant(word))
    }
    if len(moves) != 1:
        return None
    [move] = moves
    asked = Understood(asks=(Move(line=move, text=move),), beside=said.chat, verdict=Code.NO_MOVE_FOUND)
    return replace(reading, understood=asked)


def refuse_all(context: CommandContext, verdict: str, reading: InterpretedMessage) -> str:
    """Refuses the letter, and replies that its text was not delivered."""
    context.refuse(_not_read(verdict, reading))
    said = reading.understood.chat
    if verdict in (Code.SEVERAL_MOVES, Code.WHICH_MATCH) and not talk.is_courtesy(context, said):
        match = context.token_seat.match if context.token_seat else None
        context.reply({"kind": "unsaid", "text": said}, match=match)
    return verdict


def _not_read(verdict: str, reading: InterpretedMessage) -> Refused:
    """The refusal, with the nearest command and its usage, or the reason why a move is illegal."""
    said, player = reading.understood, reading.player
    if verdict != Code.NO_MOVE_FOUND or not player:
        return Refused(verdict, nearest=said.suggestions)
    usage = [help_on(word, player.language)[1][0][0] for word in said.suggestions[:1]]
    text = said.unread[:_LONGEST_QUOTED]
    legal = legal_moves(player, seat_of(reading.recipient), ply_of(reading.recipient))
    cells = legal.with_cells_of(text) if legal else []
    slip = len(said.chat.split()) <= _LONGEST_SLIP and (
        usage or cells
    )  # a typing error in a command or a move, not text
    facts = {"text": text, "usage": "".join(usage), "cells": cells, "unheard": bool(text) and not slip}
    if cells and has_intent("LEGAL", text):  # the legal cells answer the question
        facts |= {"text": "", "unheard": False, "answers": True}
    asks_why = cells and has_intent("WHYNOT", text, bar=Bar.REFUSED)
    told = next(filter(tells_move, _CLAUSE.split(text)), text if asks_why else "")
    why = legal.against_told(told) if legal else None
    if why:
        seat = seat_of(reading.recipient)
        facts |= {"text": told, "objection": why, "match": seat.match if seat else None, "usage": ""}
        rest = "\n".join(line for line in said.chat.splitlines() if told not in line).strip()
        if not talk.is_only_courtesy(rest, player.name):
            facts["rest"] = rest
        return Refused(Code.ILLEGAL_MOVE, **facts)
    return Refused(verdict, nearest=said.suggestions, **facts)


# Text to robots


def asked_of_us(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage:
    """Carries out requests to a robot that only read, without a question."""
    said, seat = reading.understood, context.token_seat
    of_robot = seat is not None and seat.opponent.player.robot is not None
    only_reads = bool(said.asks) and all(isinstance(ask, HARMLESS) for ask in said.asks)
    if not of_robot or said.commands or not only_reads:
        return reading
    return replace(reading, understood=Understood(said.asks, said.beside))


def words_to_robot(context: CommandContext, reading: InterpretedMessage) -> str:
    """The text to the robot of the match. Empty when it may be a command or a move."""
    said, seat = reading.understood, context.token_seat
    if seat is None or seat.opponent.player.robot is None or reading.decision is Decision.HOLD:
        return ""
    if said.commands or said.asks:
        return said.chat if said.commands else said.beside
    mistyped = bool(said.suggestions) and "?" not in said.chat
    unclear = mistyped or any(map(str.isdigit, said.chat))
    return said.chat if said.verdict == Code.NO_MOVE_FOUND and not unclear else ""


def is_answered(reading: InterpretedMessage) -> bool:
    """Whether a request below a move has an answer or a question of its own."""
    said = reading.understood
    return any(isinstance(each, (*HARMLESS, Set)) for each in (*said.commands, *said.asks))


def without(reading: InterpretedMessage) -> InterpretedMessage:
    return replace(reading, understood=replace(reading.understood, chat="", beside=""))


def answer_words_to_robot(context: CommandContext, said: str, *, alone: bool) -> None:
    """Answers a question with the rules or a command, other text with a notice; `alone`: no command."""
    hardly_meant = talk.is_missed_by_nobody if alone else talk.is_hardly_meant
    seat = context.token_seat
    if seat and "?" in said:
        if asked := _only_reads(said, seat.match_id) or _only_reads(said, None):
            handle_all(context, asked, chat="")
        else:
            context.reply({"kind": "game", "game": seat.match.game.key, "played": True})
    elif not hardly_meant(context, said):
        context.reply({"kind": "unsaid", "text": said, "why": "robot"})


def _only_reads(said: str, match: int | None) -> Sequence[Command]:
    """The reading commands that answer a question, such as `how long have I got?`. Empty for the rules."""
    lines = said.split("\n")
    near = near_misses(lines, is_move=lambda text, number: False, own=match, legal=None)
    return near.asks if near.asks and all(isinstance(ask, HARMLESS) for ask in near.asks) else ()
