"""Carries out what a letter asks, as far as its sender is believed; the caller's transaction, one verdict."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from pbem.inbox import (
    confirmation_replies,
    confirmations,
    goodbye,
    invitation_replies,
    letter_questions,
    open_tables,
    personal,
    robots_wanted,
    sign_up,
)
from pbem.inbox.bounces import take_back
from pbem.inbox.commands import Understood
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.help import help_on
from pbem.inbox.commands.hints import hinted
from pbem.inbox.commands.leaving import means_all, wants_no_letters
from pbem.inbox.commands.legal_moves import named_cells
from pbem.inbox.commands.letters.grammar import Letters, Stop, letters_words
from pbem.inbox.confirmation_policy import talk_waits, waits, why_asked
from pbem.inbox.copies import is_copy
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.handling.dispatch import handle_all
from pbem.inbox.interpretation import Reading
from pbem.inbox.lost import answer_lost
from pbem.inbox.models import OK, RELEASED, InboundMail
from pbem.inbox.new_wishes import drops
from pbem.inbox.reactivation import reactivate, tell_what_was_missed
from pbem.inbox.recipient import (
    ConfirmRecipient,
    InvitationRecipient,
    LetterRecipient,
    LostRecipient,
    MessageRecipient,
    MoveRecipient,
    NeverRecipient,
    PlayRecipient,
    Recipient,
    UnsubscribeRecipient,
    ply_of,
    seat_of,
)
from pbem.inbox.responder import Responder
from pbem.inbox.shapes import legal_moves
from pbem.inbox.shunt import done_with
from pbem.inbox.sketched_wish import game_in
from pbem.inbox.vacation import note_absence
from pbem.inbox.verdicts import not_understood, unanswered, unsearched
from pbem.mail.authentication.policy import Decision, Dmarc
from pbem.matches.models import Match
from pbem.matches.questions import asked_in
from pbem.outbox.notifications.notify import told
from pbem.outbox.notifications.unsubscribe import unsubscribe
from pbem.players.models import Player
from pbem.players.services import leave_in_peace, stop
from pbem.refusals import Code, Refused

_MOST_UNREAD = 400  # characters of what we could make nothing of, for its writer to know it by
_LONGEST_QUOTED = 200  # characters of a line that was not understood


def process(row: InboundMail, reading: Reading, now: datetime) -> None:
    """Do everything, write the verdict. Every path ends in exactly one."""
    row.player = reading.player
    row.match = _match(reading)
    row.reading = reading.facts | {name: row.reading[name] for name in (RELEASED,) if name in row.reading}
    responder = Responder(row, reading.identified, now)
    revived = reactivate(reading, now)
    row.verdict = _verdict(reading, responder)
    responder.last_words()
    note_absence(row, reading, now)
    tell_what_was_missed(row, reading, revived, now)
    row.reading |= responder.facts
    row.complete(player=row.player, match=row.match, reading=row.reading, verdict=row.verdict, opened_at=now)
    done_with(row, now)  # only now: what it asked for was done on a board where nobody's time ran


def _verdict(reading: Reading, responder: Responder) -> str:
    recipient = reading.recipient
    if recipient is None:
        return Code.REVOKED  # the salt changed while the letter waited
    if verdict := take_back(responder.letter, reading, responder.now):
        return verdict
    if isinstance(recipient, UnsubscribeRecipient):  # some mail programs say that they wrote it themselves
        player, now = recipient.player, responder.now
        unsubscribe(player, partial(stop, player, recipient.subscription, now=now), now=now)
        return OK
    if isinstance(recipient, NeverRecipient):
        leave_in_peace(recipient.address, now=responder.now)
        return OK
    if is_copy(responder.letter, reading):
        return Code.DUPLICATE
    silent, code = unanswered(reading.glance, reading.letter), unsearched(reading.letter)
    if silent:
        return code or silent
    if code:
        return _refuse_unsearched(reading, code, responder)
    if isinstance(recipient, LostRecipient) and responder.letter.sender:
        return answer_lost(recipient.purpose, reading, responder)
    if not responder.letter.sender:  # an answer must not go where no bounce may go (RFC 5321, 4.5.5)
        return Code.AUTO_REPLY
    if isinstance(recipient, ConfirmRecipient):
        return _to_question(recipient, reading, responder)
    if isinstance(recipient, InvitationRecipient):
        return invitation_replies.answer(recipient.invitation, reading, responder)
    if isinstance(recipient, LetterRecipient):
        verdict = letter_questions.answer(recipient, reading, responder)
        if verdict is not None:
            return verdict
    if reading.glance.is_spam and not reading.identified and RELEASED not in responder.letter.reading:
        return Code.SPAM_VERDICT
    return _decided(reading, responder)


def _to_question(recipient: ConfirmRecipient, reading: Reading, responder: Responder) -> str:
    """YES or NO, or something else that is done, or asked about, in its place."""
    asked = recipient.confirmation
    if played := confirmation_replies.plays_instead(recipient, reading):
        confirmation_replies.close(asked, responder)
        return _decided(played, responder)
    if wish := confirmation_replies.wishes_instead(recipient, reading):
        if drops(wish):
            confirmation_replies.close(asked, responder)
        return _decided(wish, responder)
    return confirmation_replies.answer(recipient, reading, responder)


def _refuse_unsearched(reading: Reading, code: str, responder: Responder) -> str:
    """Only a player who is known to have written it hears that their letter was too much."""
    unknown = (Decision.HOLD, Decision.NOTICE, Decision.SIGN_UP, Decision.SILENCE)
    if reading.player and reading.decision not in unknown:
        return CommandContext(responder, reading.player, reading.recipient).refuse(Refused(code))
    return code


def _decided(reading: Reading, responder: Responder) -> str:
    """The decision of `pbem.mail.authentication.policy`, before anything that the letter says."""
    player, decision, recipient = reading.player, reading.decision, reading.recipient
    if _is_strangers_goodbye(reading):
        goodbye.leave(
            reading.sender,
            responder,
            language=newcomers.language_of(reading.glance.subject, reading.letter.lines),
        )
        return OK
    if decision is Decision.SILENCE:
        return Code.UNVERIFIED
    if decision is Decision.SIGN_UP or sign_up.another_name(reading):
        return sign_up.answer_stranger(reading, responder)
    if player is None:
        return _ask_who(reading, responder)
    context = CommandContext(responder, player, recipient)
    if decision is Decision.NOTICE:
        if not told(cause := f"revoked:{_which_address(recipient)}", player.email):
            context.reply({"kind": "notice", "message": isinstance(recipient, MessageRecipient)}, cause=cause)
        return Code.REVOKED
    if decision is not Decision.HOLD and _wants_no_letters(reading):
        asked = Understood(asks=(_stop_all(player.language),))
        confirmations.ask_what_is_meant(context, replace(reading, understood=asked))
        return Code.CONFIRM_NEEDED
    if reading.tested and decision is not Decision.HOLD:
        context.reply(reading.tested)
        if not reading.understood.commands:
            return OK
    if personal.answers_organiser(reading) and personal.words(reading):
        return _to_organiser(context, reading)
    return _as_read(context, reading)


def _is_strangers_goodbye(reading: Reading) -> bool:
    """Whether somebody who has not signed up wants us to write to them no more; a forged From says nothing of that."""
    unknown = reading.decision in (Decision.SILENCE, Decision.SIGN_UP) and reading.dmarc is not Dmarc.FAIL
    if not unknown or reading.player or reading.sharers or not reading.sender:
        return False
    subject = () if reading.glance.is_reply else (reading.glance.subject,)
    said = wants_no_letters((*subject, *reading.letter.lines))
    return said and not Player.objects.writing_from(reading.sender).exists()


def _wants_no_letters(reading: Reading) -> bool:
    """Whether the player says in words of their own that they want none at all, or answers so to the list of all."""
    lines = reading.letter.lines
    written = {reading.glance.subject.strip(), *map(str.strip, lines)}
    said = reading.understood.commands
    if any(not isinstance(each, Letters) or each.line in written for each in said):
        return False
    return wants_no_letters(lines) or (reading.answered == "letters" and means_all(lines))


def _stop_all(language: str) -> Stop:
    words = letters_words(language)
    return Stop(None, line=f"{words['stop']} {words['all']}")


def _to_organiser(context: CommandContext, reading: Reading) -> str:
    """The words of an answer to the organiser are for them, its commands for us."""
    commanded = replace(reading, understood=personal.for_the_program(reading))
    if reading.decision is not Decision.HOLD and (
        reading.understood.chat or not commanded.understood.commands
    ):
        taken = personal.take(context, reading)
        if not commanded.understood.commands:
            return taken
    return _carried_out(context, commanded)


def _as_read(context: CommandContext, reading: Reading) -> str:
    """The letter's own verdict: what we can make nothing of is asked about, for the organiser, or refused."""
    held = reading.decision is Decision.HOLD  # then its sender is not known
    if not held:
        reading = robots_wanted.meant(context, open_tables.named(context, reading))
    verdict = not_understood(reading.letter, reading.understood)
    if verdict == Code.NO_MOVE_FOUND and not held and personal.is_to_a_person(reading):
        return personal.take(context, reading)
    if verdict == Code.NO_MOVE_FOUND and not held and (game := _game_alone(context, reading)):
        context.reply({"kind": "game", "game": game})
        return OK
    if verdict == Code.NO_MOVE_FOUND and reading.understood.asks and not held:
        confirmations.ask_what_is_meant(context, reading)
        return Code.CONFIRM_NEEDED
    if not held and personal.is_for_organiser(reading, verdict):
        return personal.take(context, reading)
    if not verdict:
        return _carried_out(context, reading)
    if verdict == Code.NO_MOVE_FOUND and _is_talk(context, reading):
        return _passed_on(context, reading)
    if held:
        return verdict
    if context.responder.answers_are_used_up(context.player) and (words := personal.words(reading)):
        confirmations.ask(context, reading, (), unread=words[:_MOST_UNREAD])
        return verdict
    return _refuse_all(context, verdict, reading)


def _game_alone(context: CommandContext, reading: Reading) -> str:
    """The game whose name is all that a letter about no match says."""
    if context.token_seat or not isinstance(reading.recipient, PlayRecipient | LetterRecipient):
        return ""
    subject = "" if reading.glance.is_reply else reading.glance.subject
    lines = [subject, *reading.letter.lines]
    return game_in(lines) if newcomers.is_only_game(subject, reading.letter.lines) else ""


def _passed_on(context: CommandContext, reading: Reading) -> str:
    """Words to the opponent; if they ask for something that we do, with the help on that."""
    verdict = _carried_out(context, reading)
    help_lines = hinted(reading.understood.chat, context.player.language) if context.token_seat else None
    if verdict == OK and help_lines:
        context.reply({"kind": "help", "verb": help_lines[1][0][0], "chapters": [help_lines]})
    return verdict


def _is_talk(context: CommandContext, reading: Reading) -> bool:
    """Which wants no command: the answer to a player's message; or words in answer to a match's letter, as it says."""
    return context.says_enough(reading.understood.chat) or _is_for_opponent(context, reading)


def _is_for_opponent(context: CommandContext, reading: Reading) -> bool:
    """Not what has a number or is near to a command, which the opponent is not to know by a slip; nor what may have
    been meant for an answer to something that they ask."""
    said, seat = reading.understood, context.token_seat
    if seat is None or reading.decision is not Decision.APPLY or not context.says(said.chat):
        return False
    return not said.suggestions and not any(map(str.isdigit, said.chat)) and asked_in(seat) is None


def _carried_out(context: CommandContext, reading: Reading) -> str:
    """The commands: those at once that the decision lets be done, the others after a YES."""
    bare = confirmation_replies.bare(context, reading)
    commands, chat, verdicts = bare.commands, bare.chat, list(bare.verdicts)
    unheard = context.responder.answers_are_used_up(context.player)
    wait = [c for c in commands if unheard or c in bare.ask or waits(c, reading)]
    if wait:  # the talk waits with it, and so does what takes the talk
        wait = [command for command in commands if command in wait or command.takes_talk]
    chat_waits = bool(wait) or (talk_waits(reading) and context.says(chat))
    verdicts += handle_all(context, [c for c in commands if c not in wait], chat="" if chat_waits else chat)
    if unsaid := reading.understood.unsaid:
        context.reply({"kind": "unsaid", "text": unsaid})
    read = reading.understood
    more = read.asks if read.commands and reading.decision is not Decision.HOLD else ()
    if wait or (chat_waits and context.says(chat)):
        confirmations.ask(context, reading, [*wait, *more])  # one letter has one question
        verdicts.append(why_asked(reading, context.player))
    elif more and not _ended(context):
        rest = replace(reading, understood=replace(reading.understood, beside=""))
        confirmations.ask_what_is_meant(context, rest)
        verdicts.append(Code.CONFIRM_NEEDED)
    return confirmation_replies.first_refusal(verdicts)


def _ended(context: CommandContext) -> bool:
    """Whether the match that the letter is about is over by what it did."""
    seat = context.token_seat
    return seat is not None and Match.objects.filter(pk=seat.match_id, ended_at__isnull=False).exists()


def _refuse_all(context: CommandContext, verdict: str, reading: Reading) -> str:
    """Nothing is done; of what else was written below moves its writer hears that it reached nobody."""
    context.refuse(_not_read(verdict, reading))
    said = reading.understood.chat
    if verdict in (Code.SEVERAL_MOVES, Code.WHICH_MATCH) and not talk.is_courtesy(context, said):
        match = context.token_seat.match if context.token_seat else None
        context.reply({"kind": "unsaid", "text": said}, match=match)
    return verdict


def _not_read(verdict: str, reading: Reading) -> Refused:
    """Where no line is a command, with the one that was nearest and how such a line is written."""
    said, player = reading.understood, reading.player
    if verdict != Code.NO_MOVE_FOUND or not player:
        return Refused(verdict, nearest=said.suggestions)
    usage = [help_on(word, player.language)[1][0][0] for word in said.suggestions[:1]]
    text = said.unread[:_LONGEST_QUOTED]
    legal = legal_moves(player, seat_of(reading.recipient), ply_of(reading.recipient))
    named = named_cells(text)
    cells = [{"cell": cell, "moves": legal.at(cell, named)} for cell in named] if legal else []
    return Refused(verdict, nearest=said.suggestions, text=text, usage="".join(usage), cells=cells)


def _ask_who(reading: Reading, responder: Responder) -> str:
    """Each of the players who share the mailbox gets a letter that they can answer: the answer says who they are."""
    for player in reading.sharers:
        CommandContext(responder, player, reading.recipient).refuse(Refused(Code.SHARED_MAILBOX))
    return Code.SHARED_MAILBOX


def _which_address(recipient: Recipient | None) -> str:
    """Of which there is one notice: the letter's, the message's, or the seat's, until it is renewed again."""
    match recipient:
        case LetterRecipient(answered=letter):
            return f"letter:{letter.pk}"
        case MessageRecipient(message=message):
            return f"message:{message.pk}"
        case MoveRecipient(seat=seat):
            return f"{seat.pk}:{len(seat.revoked_salts)}"
    return ""


def _match(reading: Reading) -> Match | None:
    return reading.recipient.match if reading.recipient else None
