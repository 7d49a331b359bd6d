"""Runs the commands of one letter in order, each by its handler."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q, QuerySet

from pbem.inbox.commands.command import AddAddress, Command, Message, Report, Say, SetAddress, Start, Stop
from pbem.inbox.commands.match_commands import (
    Accept,
    Away,
    Challenge,
    Decline,
    Draw,
    Join,
    Move,
    Offer,
    Rematch,
    Unwatch,
    Watch,
)
from pbem.inbox.commands.verbs import modules
from pbem.inbox.handling import talk
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.inbox.models import OK
from pbem.matches.models import Match
from pbem.outbox.notifications.notify import batch
from pbem.players.services import speak_again
from pbem.queue.sql import compiled_query
from pbem.refusals import Code, Refused

# Commands that a suspended player cannot give; running matches continue.
TAKEN_AWAY = (Challenge, Rematch, Offer, Join, Say, Message, AddAddress, SetAddress)


def check(context: CommandContext, command: Command) -> None:
    """Refuses A07: a suspended player's command that begins a match or carries text."""
    if context.player.suspended_at is None:
        return
    begins = isinstance(command, Accept) and _begins(context, command)
    if isinstance(command, TAKEN_AWAY) or begins or _has_words(command):
        raise Refused(Code.SUSPENDED)


def _has_words(command: Command) -> bool:
    match command:
        case Away(text=words) | Decline(reason=words):
            return bool(words)
    return False


def _begins(context: CommandContext, accept: Accept) -> bool:
    return context.seat(accept.match).match.status == Match.Status.PROPOSED


HANDLERS: Mapping[type[Command], Handler] = {
    command: handle for family in modules() for command, (_, handle) in family.VERBS.items()
}


def handle_all(context: CommandContext, commands: Sequence[Command], *, chat: str) -> list[str]:
    """Runs every command in order and returns their verdicts. `chat` goes with the first move, else alone."""
    _lock(context, commands)
    # Reports come first, so that a move does not carry their text to the opponent.
    commands = sorted(commands, key=lambda command: not isinstance(command, Report))
    silenced = context.player.suspended_at is not None and context.says(chat)
    context.chat, context.commands = "" if silenced else chat, commands
    done = [(command, _handle(context, command)) for command in commands]
    verdicts = [verdict for command, verdict in done if command not in context.waiting]
    verdicts += [_handle(context, command) for command in context.waiting]
    if silenced:
        verdicts.append(context.refuse(Refused(Code.SUSPENDED)))
    if context.chat:
        _say_the_rest(context, done, verdicts)
    if context.player.silent_since and any(map(_plays_on, commands)):
        speak_again(context.player)
    return verdicts


def _handle(context: CommandContext, command: Command) -> str:
    if isinstance(command, Draw) and (unplayed := context.unplayed.get(command.match or context.own)):
        context.chat = f"{command.line}\n{context.chat}".strip()  # both belong to the refused move
        return unplayed
    try:
        check(context, command)
        HANDLERS[type(command)](context, command)
    except Refused as refused:
        if isinstance(command, Move):
            context.unplayed[command.match or context.own] = refused.code
        if "limit" in refused.facts:
            refused.facts.setdefault("text", command.line)
        return context.refuse(refused)
    return OK


def _say_the_rest(
    context: CommandContext, done: Sequence[tuple[Command, str]], verdicts: Sequence[str]
) -> None:
    """Delivers the text that no command took along, or replies that it was not delivered.

    In a letter that answers no match it goes to the only opponent that the commands are about.
    """
    well = [command for command, verdict in done if verdict == OK]
    if done and talk.greets_a_robot(context):
        return
    try:
        if context.says(context.chat) and (OK in verdicts or not done):
            talk.rest(context)
        elif context.says(context.chat):
            match = context.token_seat.match if context.token_seat else None
            context.reply({"kind": "unsaid", "text": context.chat}, match=match)
        elif context.met:
            talk.along(context)
        elif context.invited:
            return  # the text is in the invitation
        elif about := {number for command in well if not command.reading and (number := _named(command))}:
            _say_in(context, about)
        elif not (talk.is_hardly_meant if len(well) == len(done) else talk.is_courtesy)(
            context, context.chat
        ):
            context.reply({"kind": "unsaid", "text": context.chat, "why": _why_unsaid(done, well)})
    except Refused as refused:
        context.refuse(refused)
        context.reply({"kind": "unsaid", "text": context.chat, "why": "refused"})


def _named(command: Command) -> int | None:
    match: int | None = getattr(command, "match", None)
    return match


def _say_in(context: CommandContext, about: set[int]) -> None:
    if context.player.suspended_at:
        raise Refused(Code.SUSPENDED)
    if len(about) == 1:
        talk.tell_opponent(context, context.seat(*about), context.chat)
    else:
        context.reply({"kind": "unsaid", "text": context.chat, "why": "nobody"})


def _why_unsaid(done: Sequence[tuple[Command, str]], well: Sequence[Command]) -> str:
    return "nobody" if len(well) == len(done) else "refused"


def _lock(context: CommandContext, commands: Sequence[Command]) -> None:
    """Locks all matches that the letter may touch, in one order; followed ones are not the player's."""
    named = [getattr(command, "match", None) for command in commands]
    numbers: set[int] = {number for number in named if number is not None}
    if context.token_seat:
        numbers.add(context.token_seat.match_id)
    if len(numbers) == 1 and batch():  # only moves
        (number,) = numbers
        context.locked |= {match.pk: match for match in _locked(number, context.player.pk)}
        for match in context.locked.values():
            match.know_addresses()
        return
    touched = Q(pk__in=numbers)
    if any(command.all_matches for command in commands):
        touched |= Q(status=Match.Status.PLAYING)
    mine = Match.objects.filter(touched, seats__player=context.player)
    if followed := [command.number for command in commands if isinstance(command, (Watch, Unwatch))]:
        both = Match.objects.filter(Q(pk__in=mine.values("pk")) | Q(pk__in=followed))
        list(both.locked().values_list("pk"))
    context.locked |= {match.pk: match for match in mine.locked()}


@compiled_query
def _locked(match: int, player: int) -> QuerySet[Match]:
    return Match.objects.filter(pk=match, seats__player=player).locked()


def _plays_on(command: Command) -> bool:
    return not command.reading and not isinstance(command, (Stop, Start))


def first_refusal(verdicts: Iterable[str]) -> str:
    """Returns the first verdict that is not OK, else OK."""
    return next((verdict for verdict in verdicts if verdict != OK), OK)
