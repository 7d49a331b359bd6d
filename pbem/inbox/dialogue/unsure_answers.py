"""Free-text answers to an opponent's offer: their probable meaning, and counter-proposals to a challenge."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from pbem.inbox.commands import match_commands
from pbem.inbox.commands.command import Command, Help
from pbem.inbox.commands.guest_answers import (
    agrees_among_talk,
    asks_something,
    asks_who,
    begins_with_yes,
    declines,
    speaks_of_terms,
    wants_only_rules,
)
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import (
    Accept,
    Away,
    Challenge,
    Decline,
    Draw,
    Give,
    Move,
    Pause,
    Rematch,
    Status,
    Undo,
)
from pbem.inbox.commands.parser import Understood
from pbem.inbox.commands.phrases import called
from pbem.inbox.commands.verbs import RULES_IN, VERBS_OF
from pbem.inbox.handling.context import CommandContext
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.recipient import ply_of
from pbem.inbox.sketched_wish import game_in
from pbem.inbox.understanding.addressee import Deed, deeds
from pbem.inbox.understanding.answers import accepts_explicitly, probable_answer, sets_condition, without_no
from pbem.inbox.understanding.near_misses import near_misses
from pbem.inbox.understanding.slots.terms import said_terms
from pbem.inbox.unnumbered import MoveShapes, legal_moves
from pbem.intents import has_intent
from pbem.mail.authentication.policy import Decision
from pbem.matches.models import Match, Offer, Seat
from pbem.matches.offers import CHALLENGE, DRAW, asked_in, asks
from pbem.refusals import Code
from pbem.wording import fold

_CLAUSE = re.compile(r"(?<=[,.;:!?])\s+")
_OTHER_MATCHES = (Challenge, match_commands.Offer, Rematch)
_OF_TIME = (Away, Give, Pause)
_SAME = (Draw, Undo, Pause, Rematch)  # requests that repeat what is answered


def meant(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage:
    """Adds the probable answer to the opponent's offer."""
    seat = context.token_seat
    if seat is None or reading.understood.commands or reading.decision is Decision.HOLD:
        return reading
    question = asked_in(seat)
    if question is None:
        return reading
    if question.what == CHALLENGE:
        reading = _of_this_match(reading)
    elif question.what == Offer.Kind.UNDO:  # `of course, take it back` is no request
        reading = _without(reading, Undo)
    lines = [line for line in reading.letter.lines if line.strip()]
    if not asks_something(lines):  # `never, I'm winning!`
        reading = _without(reading, *(type(ask) for ask in reading.understood.asks if ask.reading))
    said = reading.understood
    if any(not (isinstance(ask, _SAME) or ask.reading) for ask in said.asks):
        return reading
    begins, language = question.what == CHALLENGE, context.player.language
    names = (seat.opponent.player.name, context.player.name)
    agreed = _agreed(lines, names, begins=begins)
    if begins and agreed is None and asks_who(lines, seat.opponent.player.name):
        line = f"{called('STATUS', language)} {seat.match_id}"
        return _reading(reading, Status(match=seat.match_id, line=line))
    if begins and not agreed and wants_only_rules(lines):
        word = min(RULES_IN[language])
        return _reading(reading, Help(word, line=word))
    plainly = begins and agrees_among_talk(lines, names)
    held = (not plainly and sets_condition(lines)) if agreed is not False else asks_something(lines)
    if begins and (instead := _proposed(seat, lines, language, otherwise=held or not agreed)):
        return _asking(reading, instead)
    explicit = question.what == DRAW and bool(agreed) and accepts_explicitly(lines)
    asks_else = any(not isinstance(ask, _SAME) for ask in said.asks)
    again = bool(said.asks) and all(
        isinstance(ask, Rematch) for ask in said.asks
    )  # `yes, but then a rematch`
    if agreed is None or asks_else or (agreed and said.asks and not (explicit or again)):
        return reading
    if begins and agreed and held:  # the refusal tells how to propose other terms
        return reading
    if not agreed and (move := _move_beside(context, seat, lines)):
        return _asking(reading, [move])
    if not agreed and begins and declines(lines, names) is False and not held:
        return replace(reading, understood=Understood((_command(False, language),), "\n".join(lines)))
    return _asking(reading, [_command(True, language)])  # NO is the other answer


def _without(reading: InterpretedMessage, *kinds: type[Command]) -> InterpretedMessage:
    asks = tuple(ask for ask in reading.understood.asks if not isinstance(ask, kinds))
    return replace(reading, understood=replace(reading.understood, asks=asks))


def _of_this_match(reading: InterpretedMessage) -> InterpretedMessage:
    """Drops requests for a match, which mean the challenge that is answered."""
    lines = reading.letter.lines
    terms = begins_with_yes(lines) and any(map(speaks_of_terms, lines))  # `gladly, but 3 days are too few`
    asks = tuple(
        ask
        for ask in reading.understood.asks
        if not (_is_for_match(ask) or (terms and isinstance(ask, _OF_TIME)))
    )
    return replace(reading, understood=replace(reading.understood, asks=asks))


def _is_for_match(command: Command) -> bool:
    verbs = VERBS_OF.get(fold(command.topic), ()) if isinstance(command, Help) else ()
    return isinstance(command, _OTHER_MATCHES) or any(verb.command in _OTHER_MATCHES for verb in verbs)


def _agreed(lines: Sequence[str], names: Sequence[str], *, begins: bool) -> bool | None:
    """Whether the lines agree; to a challenge also as to an invitation. None when unclear."""
    if begins and declines(lines, names) is False:
        return False
    if begins and agrees_among_talk(lines, names):
        return True
    return probable_answer(lines, names, playing=not begins)


def _proposed(seat: Seat, lines: Sequence[str], language: str, *, otherwise: bool) -> Sequence[Command]:
    """DECLINE and a new challenge with the terms, or the game, that the lines name. Empty without those."""
    terms = [term for line in lines for term in said_terms(line, language)]
    clauses = [clause for line in lines for clause in _CLAUSE.split(line)] if otherwise else []
    games = [game for clause in clauses if (game := game_in([clause]))]
    other = next((game for game in games if game != seat.match.game.key), "")
    if not terms and not other:
        return ()
    wish = (seat.opponent.player.name, other or seat.match.game_name, *terms)
    challenge = read_alone(" ".join((called("CHALLENGE", language), *wish)))
    return (_command(False, language), challenge) if challenge else ()


def _move_beside(context: CommandContext, seat: Seat, lines: Sequence[str]) -> Command | None:
    """The move beside a no. None when there is none, or several."""
    legal = legal_moves(context.player, seat, ply_of(context.recipient))
    said = [clause for line in without_no(lines) for clause in _CLAUSE.split(line)]
    near = near_misses(said, is_move=MoveShapes(context.player, seat), own=seat.match_id, legal=legal)
    moves = [ask for ask in near.asks if isinstance(ask, Move)]
    return moves[0] if len(moves) == 1 and not near.refused else None


def _reading(reading: InterpretedMessage, command: Command) -> InterpretedMessage:
    return replace(reading, understood=Understood((command,)))


def _command(agreed: bool, language: str) -> Command:
    line = called("ACCEPT" if agreed else "DECLINE", language)
    return Accept(line=line) if agreed else Decline(line=line)


def _asking(reading: InterpretedMessage, commands: Sequence[Command]) -> InterpretedMessage:
    beside = "\n".join(line for line in reading.letter.lines if line.strip())
    return replace(
        reading, understood=Understood(asks=tuple(commands), beside=beside, verdict=Code.NO_MOVE_FOUND)
    )


# Challenges named by their player, as in `accetto la sfida di Bruno`


def meant_by_name(context: CommandContext, reading: InterpretedMessage) -> InterpretedMessage:
    """Adds ACCEPT or DECLINE of the challenge that the letter names, or of the one that it takes back."""
    said, lines = reading.understood, reading.letter.lines
    if said.commands or reading.decision is Decision.HOLD:
        return reading
    if seat := context.token_seat:
        withdraws = asks(seat) and has_intent("WITHDRAW", " ".join(filter(None, map(str.strip, lines))))
        return replace(reading, understood=_taken_back(context, said.chat)) if withdraws else reading
    words, wanted = deeds(lines)
    for deed in wanted:
        if seat := _only(context, words, own=deed is Deed.WITHDRAW):
            command = _named_command(context, Accept if deed is Deed.ACCEPT else Decline, seat)
            beside = "\n".join(filter(str.strip, lines)) if deed is Deed.DECLINE else ""
            understood = Understood(asks=(command,), beside=beside, verdict=Code.NO_MOVE_FOUND)
            return replace(reading, understood=understood)
    return reading


def _taken_back(context: CommandContext, words: str) -> Understood:
    """The withdrawal of the player's own offer in the match of the letter."""
    decline = Decline(line=called("DECLINE", context.player.language))
    return Understood(asks=(decline,), beside=words, verdict=Code.NO_MOVE_FOUND)


def _only(context: CommandContext, words: Collection[str], *, own: bool) -> Seat | None:
    """The seat in the named player's challenge, or in the only one; `own`: challenges by this player."""
    proposed = Match.objects.of(context.player).filter(status=Match.Status.PROPOSED)
    waiting = [match for match in proposed if (match.proposer_id == context.player.pk) is own]
    seats = [seat for match in waiting for seat in match.seated if seat.player_id == context.player.pk]
    found = [seat for seat in seats if seat.opponent.player.folded in words] or seats
    return found[0] if len(found) == 1 else None


def _named_command(context: CommandContext, kind: type[Accept] | type[Decline], seat: Seat) -> Command:
    word = called("ACCEPT" if kind is Accept else "DECLINE", context.player.language)
    return kind(match=seat.match_id, line=f"{word} {seat.match_id}")
