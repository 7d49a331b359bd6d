"""The interpreter of free wording: what a line asks for, by its candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pbem.inbox.commands.command import Command, Help, Letters, Set
from pbem.inbox.commands.line import names_cell
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.match_commands import Away, Draw, Move, Pause, Rematch, Resign, Undo
from pbem.inbox.commands.sketches import MatchList, blanks_in
from pbem.inbox.commands.verbs import DEEDS, HARMLESS, OF_MATCHES, RULES, language_of
from pbem.inbox.understanding.candidates import PLAY, Candidate, Context, candidates, level
from pbem.inbox.understanding.policy import (
    ALIKE,
    CLOSE,
    NEARLY,
    READ_AT_ONCE,
)
from pbem.inbox.understanding.slots.dates import hours_in, in_digits
from pbem.inbox.understanding.slots.plans import OF_MOVES
from pbem.inbox.understanding.slots.terms import said_terms
from pbem.inbox.understanding.utterances import utterances
from pbem.wording import fold

_OF_PLANS = (PLAY, "IF")
_LOOKS = tuple(each for each in HARMLESS if each not in (Help, Letters))


def over_threshold(found: Sequence[Candidate]) -> Sequence[Candidate]:
    """Returns the candidates to ask about. When there is none, the best of two that are close and together likely."""
    if enough := [each for each in found if each.margin >= 1]:
        return enough
    for best in (each for each in found[:1] if each.margin >= NEARLY):
        others = [
            each for each in found[1:] if each.utterance == best.utterance and each.command != best.command
        ]
        if others and others[0].margin >= best.margin / CLOSE and best.margin + others[0].margin >= 1:
            return [best]
    return ()


def interpretations(line: str, context: Context) -> Sequence[Candidate]:
    """Returns what the line asks for: the best candidate, and what stands beside it."""
    text = level(line, context)
    ranked = candidates(line, context)
    found = over_threshold(ranked)
    if not found:
        return ()
    best = found[0]
    if context.anew:
        matches = MatchList(partial(_match_of, context), partial(_written, context))
        if several := matches.asked_in(text, best.command):
            return [replace(best, command=with_terms(each, text, context), rest="") for each in several]
    planned = (
        next((each for each in found if each.intent == "IF"), None) if best.intent in _OF_PLANS else None
    )
    if planned:  # the move before the plan, too
        plan = [each for each in found if each.intent == "IF" and each.utterance == planned.utterance]
        moves = [each for each in found if each.intent == PLAY and isinstance(planned.command, Help)]
        return [*(replace(each, rest="") for each in moves[:1]), *plan]
    if best.intent not in OF_MOVES or best.confidence < READ_AT_ONCE:  # a move comes first
        best = next((each for each in found if each.intent == PLAY), best)
    if best.intent == PLAY:
        return _with_wish_beside(best, context)
    best = _narrowed(best, ranked, text, context)
    if not context.anew and isinstance(best.command, Help) and best.is_read_at_once(anew=False):
        return [replace(best, rest=text)]  # the opponent reads it, too
    kept = [best]
    for each in found:
        apart = not any(
            each.utterance.overlaps(other.utterance) or each.command == other.command for other in kept
        )
        if apart and _goes_with(each.command, best.command):
            kept.append(each)
    if len(kept) > 1:
        return [replace(each, rest="") for each in sorted(kept, key=lambda each: each.utterance.start)]
    return [replace(best, command=with_terms(best.command, text, context))]


def _with_wish_beside(move: Candidate, context: Context) -> Sequence[Candidate]:
    """Returns the move, and what the other words of its line ask for."""
    others = over_threshold(candidates(move.rest, context)) if move.rest else ()
    wish = next((each for each in others if _goes_with(each.command, move.command)), None)
    if wish is None:
        return [move]
    command = with_terms(wish.command, move.rest, context)
    rest = "" if names_cell(wish.rest) else wish.rest  # the move is not said again
    return [replace(move, rest=rest), replace(wish, command=command, rest="")]


def _narrowed(best: Candidate, ranked: Sequence[Candidate], line: str, context: Context) -> Candidate:
    """Returns the candidate of the likeliest part that says the same, so that no other word is lost; all of a line
    that ends the match is heard when it is not clear which part says so."""
    same = [each for each in ranked if each.command == best.command and each.margin >= ALIKE]
    narrow, within = best, same
    while within := [each for each in within if each.utterance.is_within(narrow.utterance)]:
        narrow = max(within, key=lambda each: each.margin)
    if not context.anew and isinstance(best.command, (Away, Pause)):
        return replace(best, rest=line)  # the opponent is to know
    ends = not context.anew and isinstance(best.command, (Draw, Resign, Undo))
    if ends and not narrow.rest and len(utterances(line)) > 1:
        return replace(best, rest=line)
    return replace(best, utterance=narrow.utterance, rest=narrow.rest)


def _goes_with(one: Command, other: Command) -> bool:
    """Whether both may be asked for in one line."""
    if isinstance(one, Set) and isinstance(other, Set):
        return dict(one.wishes).keys().isdisjoint(dict(other.wishes))
    if isinstance(other, Move):
        return isinstance(one, (Draw, Set, *_LOOKS, Help))
    return all(isinstance(each, (Set, *_LOOKS)) for each in (one, other)) or all(
        isinstance(each, (Rematch, *DEEDS)) for each in (one, other)
    )


def _match_of(context: Context, part: str) -> Command | None:
    return next((each.command for each in candidates(part, context) if each.margin >= 1), None)


def _written(context: Context, line: str, text: str) -> Command | None:
    return read_line(line, context.is_move, context.match)


def with_terms(command: Command, text: str, context: Context) -> Command:
    """Adds terms to a challenge, an hour to daily letters, or a game to its rules."""
    line = ""
    if isinstance(command, Help) and fold(command.topic) in RULES and context.anew:
        game = blanks_in(text).get("game")
        line = f"{command.line.split()[0]} {game}" if game else ""
    elif isinstance(command, Set) and dict(command.wishes) == {"cadence": "daily"}:
        hour = hours_in(in_digits(text)).get("hour", "")
        line = f"{command.line} {hour}" if hour else ""
    elif isinstance(command, OF_MATCHES) and not command.options:
        terms = said_terms(text, language_of(command.line))
        line = " ".join([command.line, *terms]) if terms else ""
    return (read_line(line, context.is_move, context.match) if line else None) or command
