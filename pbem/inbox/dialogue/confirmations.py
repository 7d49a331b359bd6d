"""Confirmation questions: asks them, repeats them, and handles NO, late and unclear answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import F

from games.move_numbers import mark
from pbem.inbox import addresses, consent, personal
from pbem.inbox.commands.command import AddAddress, Command, Register, Set, SetAddress, Start
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import (
    Accept,
    Away,
    Challenge,
    Decline,
    Draw,
    If,
    Join,
    Move,
    Next,
    Offer,
    Resign,
)
from pbem.inbox.commands.phrases import spoken_in
from pbem.inbox.commands.verbs import VERBS_OF
from pbem.inbox.dialogue import leaving, meant_for_opponent, open_tables, yes_or_no
from pbem.inbox.dialogue.consequences import done_by_yes
from pbem.inbox.digests import NEVER, shown_in
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import OK, Confirmation
from pbem.inbox.recipient import (
    LetterRecipient,
    MessageRecipient,
    MoveRecipient,
    Recipient,
    answered_by,
    ply_of,
    seat_of,
)
from pbem.inbox.resolver import answer_address, resolve_recipient
from pbem.inbox.responder import Responder
from pbem.inbox.sketched_wish import game_in
from pbem.inbox.unnumbered import only_match
from pbem.mail.authentication.policy import Decision
from pbem.mail.parsing.letter import read_letter
from pbem.mail.parsing.parsed_mail import ParsedMail
from pbem.mail.parsing.redact_addresses import without_secrets
from pbem.matches.models import Match, Seat
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.direct_messages import renew
from pbem.outbox.notifications.kinds import CLOCK_RUNS
from pbem.outbox.notifications.notify import Section
from pbem.players.models import Player, fold
from pbem.players.models.address import is_impossible_address
from pbem.refusals import Code

OF_A_BOARD = (Move, If, Next)
_MOST_QUOTED, _LONGEST_QUOTED = 12, 600  # lines and characters quoted from an email that may be forged


def ask(
    context: CommandContext,
    reading: InterpretedMessage,
    commands: Sequence[Command],
    unread: str = "",
    *,
    for_others: bool = False,
) -> None:
    """Puts the commands and the text aside and asks the player whether they meant them, or what was `unread`.

    `for_others`: the text may be for another reader than the opponent. The question goes to the registered
    address; match and turn are the current ones.
    """
    _ask(context, reading, commands, said=reading.understood.chat, unread=unread, for_others=for_others)


def ask_what_is_meant(
    context: CommandContext, reading: InterpretedMessage, *, in_subject: bool = False
) -> None:
    """Asks about what the letter nearly says. An open offer is proposed in place of a new one."""
    asks = reading.understood.asks
    if key := open_tables.waits_already(context, asks):
        context.reply({"kind": "open", "game": key, "at": context.now.isoformat()})
        return
    commands = open_tables.instead(context, asks)
    _ask(context, reading, commands, said=reading.understood.beside, near=True, in_subject=in_subject)


def _ask(
    context: CommandContext,
    reading: InterpretedMessage,
    commands: Sequence[Command],
    *,
    said: str,
    unread: str = "",
    near: bool = False,
    in_subject: bool = False,
    for_others: bool = False,
) -> None:
    if near:  # not the original wording
        language = context.player.language
        commands = [replace(each, line=spoken_in(each.line, language)) for each in commands]
    match = _match(context, commands)
    if said and match and (seat := _robots_seat(match, context.player)):
        if not talk.is_hardly_meant(context, said):
            talk.nobody_reads(context, seat, said)
        said = ""
    restored = context.recipient is not None and context.recipient.restored
    takes_it = any(command.takes_talk for command in commands)
    kept = context.says(said) or takes_it or (commands and not talk.is_courtesy(context, said))
    section: Section = {
        "kind": "confirm",
        "held": reading.sender,
        "doubted": reading.decision is Decision.HOLD,
    }
    if near:
        section |= {"near": True, "in_subject": in_subject} | _own_offer(commands, reading)
        section |= {"match": match.pk} if match and _is_move(commands) else {}
        section["organiser"] = personal.may_be_for_organiser(reading)
    if for_others:
        section["for_others"] = True
    if restored:  # the player has to see the board
        section["restored"] = True
        section |= {"match": match.pk} if match else {}
    if match and reading.decision is not Decision.HOLD and [type(each) for each in commands] == [Resign]:
        section["resigns"] = match.pk
    if not context.may_reply(section, match=match):
        return
    asked = Confirmation.objects.create(
        letter=context.row,
        address=context.player.email,
        player=context.player,
        match=match,
        ply=match.ply if match and restored else _ply(reading.recipient, match),
        lines=[command.line if match else _of_its_turn(command, context.player) for command in commands],
        has_move=any(isinstance(command, OF_A_BOARD) for command in commands),
        message=said if kept else unread,
        language=context.player.language,
        asked_at=context.now,
        near=near,
        doubted=reading.decision is Decision.HOLD,
        vouched=reading.surely_theirs,
    )
    apart = f"letter:{context.row.pk}:question:{asked.pk}" if _shows_a_turn(context, match) else ""
    context.reply(section | told(asked) | {"reply_to": answer_address(asked)}, match=match, cause=apart)


def _robots_seat(match: Match, player: Player) -> Seat | None:
    """The player's seat in a match against a robot. None in others."""
    seats = (seat for seat in match.seated if seat.player_id == player.pk)
    return next((seat for seat in seats if seat.opponent.player.robot is not None), None)


def _own_offer(commands: Sequence[Command], reading: InterpretedMessage) -> Section:
    """The command for an own offer, beside the proposal to join another one."""
    proposed = any(isinstance(each, Join) for each in commands)
    own = [each.line for each in reading.understood.asks if isinstance(each, Offer)] if proposed else []
    return {"own": own} if own else {}


def _shows_a_turn(context: CommandContext, about: Match | None) -> bool:
    """Whether the answer shows a board to move on, and the question is about something else.

    Such a question gets a letter of its own, as an answer to the board is read as a move.
    """
    answers = OutboundMail.objects.filter(cause=f"letter:{context.row.pk}", player=context.player)
    shown = set(answers.filter(ply__isnull=False).values_list("match", flat=True))
    if None in shown:  # about several matches
        return True
    seats = Seat.objects.filter(player=context.player, side=F("match__to_move"), match__in=shown)
    others = seats.exclude(match=about) if about else seats
    return others.filter(match__status=Match.Status.PLAYING).exists()


def told(asked: Confirmation) -> Section:
    """The facts of a question: the commands, what they do, and the reader of the text."""
    lines: list[str] = list(asked.lines)
    section: Section = {"lines": lines, "said": asked.message} | _how_to_say_yes(asked)
    if asked.message and asked.match and asked.player:
        section["to"] = next(
            (seat.player.name for seat in asked.match.seated if seat.player != asked.player), ""
        )
    if asked.near:
        agreed = _draw_to_agree(asked)
        told_apart = [line for line in lines if line.strip() and not (agreed and _says(Draw, line))]
        if offer := next((each.number for each in map(read_alone, lines) if isinstance(each, Join)), None):
            section |= {"offer": offer, "at": asked.asked_at.isoformat()}
        section |= yes_or_no.section(asked)
        section["does"] = done_by_yes(asked, told_apart)
        if opponent := meant_for_opponent.reader(asked):
            section["reads_no"] = opponent
        section |= {"agrees": agreed} if agreed else {}
    else:  # a bare YES does not say to what
        answers = [line for line in lines if _says(Accept, line) or _says(Decline, line)]
        section |= {"does": done_by_yes(asked, answers)} if answers else {}
    if days := _away(asked):
        section["away"] = days
    return section


def _how_to_say_yes(asked: Confirmation) -> Section:
    """The words that YES needs, and a quotation of the letter when it was not vouched for."""
    words = [str(word) for word in consent.words_to_write(asked)]
    named: Section = {"named": " ".join(words).upper()} if words else {}
    if asked.vouched or asked.player is None:
        return named
    sender: str = next(iter(asked.letter.reading.get("from", [])), "")
    when = asked.letter.received_at.isoformat()
    return named | {"wrote": _quoted(asked), "wrote_at": when, "held": sender}


def _quoted(asked: Confirmation) -> str:
    mail = ParsedMail(bytes(asked.letter.raw), own_domain=settings.MAIL_DOMAIN)
    mail = mail.inside or mail
    letter = read_letter(mail)
    subject = "" if letter.summary.is_reply else letter.summary.subject.strip()
    text = "\n".join(filter(None, (subject, *letter.lines[:_MOST_QUOTED])))
    return without_secrets(text)[:_LONGEST_QUOTED].strip()


def _away(asked: Confirmation) -> list[list[str]]:
    """The first and last days (ISO 8601) of each absence that would be announced."""
    if asked.player is None:
        return []
    today = asked.letter.received_at.astimezone(ZoneInfo(asked.player.zone)).date()
    spans = (each.between(today) for each in map(read_alone, asked.lines) if isinstance(each, Away))
    return [[day.isoformat() for day in span] for span in spans if span]


def _draw_to_agree(asked: Confirmation) -> str:
    """The name of the opponent with an open draw offer that DRAW would accept. Empty when there is none."""
    match = asked.match if any(_says(Draw, line) for line in asked.lines) else None
    if match is None or match.draw_offered_by is None:
        return ""
    offered = next((seat.player for seat in match.seated if seat.side == match.draw_offered_by), asked.player)
    return offered.name if offered and offered != asked.player else ""


def denied(asked: Confirmation, now: datetime) -> str:
    """Handles NO: revokes the reply address of a doubted letter and sends the boards of its matches anew."""
    came_to = resolve_recipient(asked.letter.recipient, asked.letter.received_at) if asked.doubted else None
    if came_to is None or came_to.state == "revoked":
        return OK
    match came_to:
        case MoveRecipient(seat=seat):
            renew(seat, now=now)
        case MessageRecipient(message=message):
            message.revoke(now)
        case LetterRecipient(answered=letter):
            letter.revoke(now)
            shown = [board.match for board in shown_in(letter)]
            seats = Seat.objects.filter(player=letter.player_id, match__in=shown, side=F("match__to_move"))
            for seat in seats.select_related("match", "player"):
                renew(seat, now=now)
    return OK


def expired(asked: Confirmation, reading: InterpretedMessage, responder: Responder) -> str:
    """Replies that the question is over or already answered, also to a move in its place."""
    unplayed = any(isinstance(each, Move) for each in reading.understood.commands)
    code = Code.EXPIRED if asked.used_at else Code.CONFIRM_EXPIRED
    section: Section = {"kind": "refused", "code": code, "lines": asked.lines}
    player = None if asked.adds_address else asked.player  # the address does not belong to a player yet
    if asked.used_at and not asked.is_orphaned:
        player = player or _signed_up(asked)
        section = {"kind": "answered", "agreed": asked.agreed, "lines": asked.lines, "unplayed": unplayed}
        section |= {"name": player.name} if player and not asked.player else {}
    language = player.language if player else asked.language
    responder.tell_address(asked.address, section, language=language, player=player)
    return code


def _signed_up(asked: Confirmation) -> Player | None:
    """The player that this question signed up. None when there is none."""
    if asked.player or not asked.agreed or not asked.name:
        return None
    player = Player.objects.called(asked.name)
    return player if player and player.writes_from(asked.address) else None


def ask_again(
    asked: Confirmation,
    responder: Responder,
    *,
    explains: bool = False,
    organiser: bool = False,
    unclear: bool = True,
) -> str:
    """Asks again: after an `unclear` answer, or about changed terms. Returns the verdict.

    `explains` the service to a stranger; `organiser`: other text went to the organiser. After the second
    unclear answer a line says that nothing was done, and the organiser sees the question.
    """
    if unclear:
        asked.unclear += 1
        asked.save(update_fields=["unclear"])
    section: Section = {"reply_to": answer_address(asked), "unclear": unclear, "again": asked.unclear > 1}
    if asked.adds_address:
        section |= addresses.question(asked)
    elif leaving.asks_how(asked):
        section |= leaving.section(asked)
    elif asked.player:
        section |= {"kind": "confirm"} | told(asked)
        if asked.near:
            section |= {"match": asked.match.pk} if asked.match and asked.has_move else {}
            section |= {"near": True, "organiser": bool(personal.words_asked_about(asked))}
        if asked.match_id and not asked.doubted and _resigns(asked.lines):
            section["resigns"] = asked.match_id
    else:
        section |= {"kind": "signup", "name": asked.name, "lines": asked.lines[1:], "explains": explains}
        section["organiser"] = organiser
        section |= {"proposed": asked.near, "game": game_in(asked.lines[1:])}
    if asked.player and not asked.adds_address:  # else the address does not belong to a player yet
        responder.tell_player(asked.player, section, match=asked.match)
    else:
        responder.tell_address(asked.address, section, language=asked.language)
    if organiser:
        return OK
    return Code.NO_MOVE_FOUND if unclear else Code.CONFIRM_NEEDED


def _resigns(lines: Sequence[str]) -> bool:
    return len(lines) == 1 and _says(Resign, lines[0])


def _says(command: type[Command], line: str) -> bool:
    verbs = VERBS_OF.get(fold(line.split()[0]), ()) if line.strip() else ()
    return any(verb.command is command for verb in verbs)


def _is_move(commands: Sequence[Command]) -> bool:
    return any(isinstance(command, Move) for command in commands)


def _match(context: CommandContext, commands: Sequence[Command]) -> Match | None:
    """The only match that the commands are about. None when there is none, or several."""
    if seat := seat_of(context.recipient):
        return seat.match
    about = [command for command in commands if hasattr(command, "match")]
    numbers = {getattr(command, "match") for command in about}  # noqa: B009 - only some commands have it
    if len(numbers) != 1:
        return None
    number = numbers.pop()
    mine = Match.objects.of(context.player)
    return only_match(context.player) if number is None else mine.filter(pk=number).first()


def _of_its_turn(command: Command, player: Player) -> str:
    """The command line, with the turn number added to a move that names its match."""
    if not isinstance(command, Move) or command.match is None or command.number is not None:
        return command.line
    ply = Match.objects.of(player).filter(pk=command.match).values_list("ply", flat=True).first()
    return command.line if ply is None else f"{command.match} {command.text}#{mark(ply)}"


def _ply(recipient: Recipient | None, match: Match | None) -> int | None:
    shown = ply_of(recipient)
    return match.ply if shown is None and match else shown


# Which commands and text wait for a YES. Under these decisions only reading commands are done at once.
_CAREFUL = {Decision.MEETING, Decision.CONFIRM, Decision.STALE_CONFIRM, Decision.READING, Decision.HOLD}
_MEETS = (Challenge, Offer, Join)
# Settings of appearance, which do no harm.
_LOOKS = {"text_only", "theme", "picture_size", "own_side", "status_subject"}


def waits(command: Command, reading: InterpretedMessage) -> bool:
    """Whether the command needs a YES first. REGISTER changes nothing for a registered player."""
    decision = reading.decision
    if decision is Decision.HOLD:
        return True
    if names_impossible_address(command):
        return False
    if decision is Decision.MEETING and _is_enough_for(command, reading):
        return False
    if decision is Decision.STALE_CONFIRM and _is_too_late(command, reading):
        return False
    changes = not command.reading and not isinstance(command, Register)
    private = command.private and not reading.vouched
    return command.confirms or private or (decision in _CAREFUL and changes)


def names_impossible_address(command: Command) -> bool:
    """Whether the command names an impossible address and is refused anyway."""
    match command:
        case Challenge(who=address) | AddAddress(address) | SetAddress(address):
            return is_impossible_address(address)
    return False


def _is_enough_for(command: Command, reading: InterpretedMessage) -> bool:
    """Whether the reply address of a letter about no match suffices for the command."""
    if isinstance(command, Start):
        answered = answered_by(reading.recipient)
        return answered is not None and answered.kind == CLOCK_RUNS
    if isinstance(command, Set):
        return {column for column, _ in command.wishes} <= _LOOKS
    return isinstance(command, _MEETS)


def talk_waits(reading: InterpretedMessage) -> bool:
    """Whether the text waits for a YES. Below refused moves it is dropped."""
    commands = reading.understood.commands
    refused = bool(commands) and all(_is_too_late(command, reading) for command in commands)
    return reading.decision in _CAREFUL and reading.decision is not Decision.MEETING and not refused


def _is_too_late(command: Command, reading: InterpretedMessage) -> bool:
    """Whether it is a move for an older board, which is refused with the current one."""
    if not isinstance(command, Move):
        return False
    seat = seat_of(reading.recipient)
    of_seat = seat is not None and command.match in (None, seat.match_id) and command.number is None
    return of_seat or command.number == NEVER


def why_asked(reading: InterpretedMessage, player: Player) -> str:
    """The code for the question: why a held letter was not believed, or CONFIRM_NEEDED."""
    if reading.decision is not Decision.HOLD:
        return Code.CONFIRM_NEEDED
    if reading.summary.several_from:
        return Code.SEVERAL_FROM
    return Code.DMARC_FAIL if player.writes_from(reading.sender) else Code.FROM_MISMATCH
