"""Reads what a letter without a command may mean; only the player's YES executes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pbem.budget import in_time
from pbem.inbox.commands.command import Command, Help, Letters, Message, Report, Set, SetName
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import IsMove, game_of, plain
from pbem.inbox.commands.match_commands import Away, Challenge, Draw, Give, If, Move, Next, Note, Pause, Try
from pbem.inbox.commands.newcomers import names_machine
from pbem.inbox.commands.sketches import LITTLE
from pbem.inbox.commands.verbs import COURTESIES, HARMLESS, OF_MATCHES, VERBS_OF
from pbem.inbox.understanding.addressee import is_to_a_friend, message_along
from pbem.inbox.understanding.candidates import Candidate, Context
from pbem.inbox.understanding.interpreter import interpretations, with_terms
from pbem.inbox.understanding.normalization import wishes
from pbem.inbox.understanding.policy import PLAIN, least
from pbem.inbox.understanding.slots.moves import unplayable
from pbem.intents import Bar
from pbem.wording import fold

_MOST_LINES = 12  # of a letter that is read
_LONGEST_LINE = 240  # characters
_MOST_ASKED = 3
_FEW_WORDS = 10  # of a line of terms
_NAME = 2  # words of a name below
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class NearMisses:
    """Commands that may be meant, and other text. `sure`: only reads. `alone`: beside a greeting at most."""

    asks: tuple[Command, ...] = ()
    beside: tuple[str, ...] = ()
    sure: bool = False
    alone: bool = False
    refused: bool = False  # the move is illegal, so no YES would play it


def _is_refused(move: Move, legal: LegalMoves) -> bool:
    return move.match is None and move.number is None and not legal.meant(move.text)


def near_misses(
    lines: Sequence[str],
    *,
    is_move: IsMove,
    own: int | None,
    legal: LegalMoves | None,
    guess: Bar | None = Bar.SURE,
) -> NearMisses:
    """Returns what the lines nearly say. Empty when that takes too long. `guess` is the bar for guesses."""
    if not any(map(str.strip, lines)):
        return NearMisses()
    context = Context(is_move, own, legal, instead=guess is Bar.REFUSED)
    return in_time(partial(_near_misses, lines, context, guess), NearMisses())


def _near_misses(lines: Sequence[str], context: Context, guess: Bar | None) -> NearMisses:
    own, legal = context.match, context.legal
    short = sum(1 for line in lines if line.strip()) <= _MOST_LINES
    signed = signature_in(lines)
    read: list[tuple[str, Sequence[Candidate]]] = []
    for number, line in enumerate(lines):
        looked_at = short and 0 < len(line.strip()) <= _LONGEST_LINE and number != signed
        found = interpretations(line, context) if looked_at else ()
        read.append((line, [each for each in found if each.confidence >= least(guess, each.intent)]))
    if any(isinstance(near.command, OF_MATCHES) for _, nears in read for near in nears):
        read = [(line, [near for near in nears if not _is_told(near.command)]) for line, nears in read]
    if any(_is_plain(near) for _, nears in read for near in nears):
        read = [(line, nears if any(map(_is_plain, nears)) else ()) for line, nears in read]
    asks = _asks(read, context)
    meant = _most_precise(asks)
    moves = [ask for ask in meant if isinstance(ask, Move)]
    if len(moves) > 1 or len(meant) > _MOST_ASKED or not meant:
        return NearMisses()
    with_move = [near.command for _, nears in read if len(nears) > 1 for near in nears]  # `b8-b6, draw?`
    asked = (
        [ask for ask in meant if ask in moves or ask in with_move] if moves else meant
    )  # what stands beside a move and is not asked about is said to the opponent
    beside = [
        _rest(line, near) if near and not (moves and near[0].command not in asked) else line
        for line, near in read
        if not near or _rest(line, near) or (moves and near[0].command not in asked)
    ]
    if legal and len(asked) == 1 and any(_is_refused(move, legal) for move in moves):
        return NearMisses(tuple(asked), tuple(beside), refused=True)
    sure = all(asks[ask].is_read_at_once(anew=own is None) for ask in asked)
    return NearMisses(tuple(asked), tuple(beside), sure, _is_greeting(beside))


def _is_plain(near: Candidate) -> bool:
    return near.confidence >= PLAIN or isinstance(near.command, Move)


def _is_told(command: Command) -> bool:
    """Whether it is HELP MESSAGE: beside a challenge, `tell Bruno that I wait for him` is a message."""
    topic = command.topic if isinstance(command, Help) else ""
    return any(verb.command is Message for verb in VERBS_OF.get(fold(topic), ()))


def _rest(line: str, near: Sequence[Candidate]) -> str:
    """Returns the other words of the line; beside a challenge to a player, the message to them."""
    meant = near[0].command
    somebody = isinstance(meant, Challenge) and not names_machine(meant.who)
    return message_along(line) if somebody else near[0].rest


def more_matches(lines: Sequence[str], *, is_move: IsMove) -> NearMisses:
    """Returns the matches asked for beside a command: `I'd like to play zertz with Bruno too`."""
    wished = [line for line in lines if _is_wish(line)]
    near = near_misses(wished, is_move=is_move, own=None, legal=None)
    if not all(isinstance(ask, OF_MATCHES) for ask in near.asks):
        return NearMisses()
    return replace(near, beside=tuple(line for line in lines if line not in wished or line in near.beside))


def _is_wish(line: str) -> bool:
    """Whether the line begins as a request, and addresses no friend."""
    if is_to_a_friend(line):
        return False
    said = plain(line)
    verbs = VERBS_OF.get(fold(said.partition(" ")[0]), ())
    return any(wishes(said)) or any(verb.command in OF_MATCHES for verb in verbs)


def _asks(read: Sequence[tuple[str, Sequence[Candidate]]], context: Context) -> dict[Command, Candidate]:
    """Returns each command once; an only match takes its terms from the other lines."""
    found = [near for _, nears in read for near in nears]
    if len(found) == 1 and isinstance(found[0].command, OF_MATCHES):
        for line in (line for line, nears in read if not nears and len(line.split()) <= _FEW_WORDS):
            found = [replace(near, command=with_terms(near.command, line, context)) for near in found]
    asks: dict[Command, Candidate] = {}
    for near in found:
        asks.setdefault(near.command, near)
    return asks


def signature_in(lines: Sequence[str]) -> int | None:
    """Returns the number of the line with the name below the letter. None when there is none."""
    # Nora is not NOTA.
    said = [number for number, line in enumerate(lines) if line.strip()]
    if len(said) < 2:
        return None
    words = lines[said[-1]].split()
    return (
        said[-1] if len(words) <= _NAME and all(word.isalpha() and word.istitle() for word in words) else None
    )


def _most_precise(asks: Iterable[Command]) -> list[Command]:
    """Drops general HELP beside specific commands: `how do I play zertz? the rules?`."""
    asks = list(asks)
    if any(isinstance(ask, Help) and ask.topic for ask in asks):  # `I'm confused. How does a man move?`
        asks = [ask for ask in asks if not isinstance(ask, Help) or ask.topic]
    named = {type(ask) for ask in asks if isinstance(ask, Help) and game_of([ask.topic])}
    return [ask for ask in asks if type(ask) not in named or game_of([getattr(ask, "topic", "")])]


def _is_greeting(lines: Iterable[str]) -> bool:
    """Whether the lines hold only greetings, thanks and a name."""
    said = [line for line in lines if line.strip()]
    if said and len(said[-1].split()) <= _NAME and said[-1].strip()[:1].isupper():
        said.pop()
    return all({fold(word) for word in _LETTERS.findall(line)} <= COURTESIES | LITTLE for line in said)


# Reads requests beside a move: they are answered or asked about, and the move is played.

_OF_OPPONENT = (Draw, Give, Away, Pause)
_OWN = (Set, Note, If, Next, Try)  # which the opponent does not read
_ASKED = (*_OF_OPPONENT, SetName, Note, If, Next, Try)  # what a sentence below a move may ask for
_SENTENCE = re.compile(r"(?<=[.!?;:…])\s+")


@dataclass(frozen=True)
class Beside:
    """Commands to execute and to ask about, words the opponent reads now, words that wait for the YES."""

    done: tuple[Command, ...] = ()
    asks: tuple[Command, ...] = ()
    heard: Sequence[str] = ()
    waits: Sequence[str] = ()


def below(talk: Sequence[str], *, is_move: IsMove, match: int) -> Beside:
    """Reads the lines below a move. Words to the organiser wait until the YES."""
    near = near_misses(talk, is_move=is_move, own=match, legal=None, guess=Bar.SURE)
    if _is_put_to_organiser(near):
        return Beside(asks=near.asks, waits=near.beside)
    if near.asks and all(isinstance(ask, _ASKED) for ask in near.asks):
        return Beside(asks=near.asks, heard=near.beside)
    if _only_reads(near) and any(
        "?" in line or any(wishes(line)) for line in talk
    ):  # not `look at the rules, dummy`
        return Beside(done=near.asks, heard=talk)
    if near.asks and all(isinstance(ask, Set) for ask in near.asks):
        return Beside(asks=near.asks, heard=talk)
    return Beside(heard=talk)


def with_what_is_asked(near: NearMisses, *, is_move: IsMove, match: int | None) -> NearMisses:
    """Adds the request beside an uncertain move: `b8-b6. How much time do I have left?`."""
    if match is None or near.refused or [type(ask) for ask in near.asks] != [Move]:
        return near
    more = near_misses(near.beside, is_move=is_move, own=match, legal=None, guess=Bar.SURE)
    if _is_put_to_organiser(more) or (more.asks and all(isinstance(ask, _OWN) for ask in more.asks)):
        return replace(near, asks=(*near.asks, *more.asks), beside=more.beside)
    if more.asks and all(
        isinstance(ask, _OF_OPPONENT) for ask in more.asks
    ):  # the opponent reads the wording
        return replace(near, asks=(*near.asks, *more.asks))
    helps = any(isinstance(ask, Help) for ask in more.asks) and not any("?" in line for line in near.beside)
    return replace(near, asks=(*near.asks, *more.asks)) if _only_reads(more) and not helps else near


def with_unplayable(near: NearMisses, *, is_move: IsMove, legal: LegalMoves | None) -> Beside | None:
    """Pairs an unplayable move with read-only requests: `b8-b7? And the rules?`. None when there is none."""
    if legal is None or near.refused or not _only_reads(near):
        return None
    found = [each for line in near.beside if (each := _unplayable_in(line, is_move, legal))]
    if len(found) != 1:
        return None
    [(sentence, text)] = found
    rest = [line.replace(sentence, "", 1).strip() for line in near.beside]
    move = Move(text, line=text)
    return (
        Beside(done=(move, *near.asks), heard=rest) if near.sure else Beside((move,), near.asks, waits=rest)
    )


def _unplayable_in(line: str, is_move: IsMove, legal: LegalMoves) -> tuple[str, str] | None:
    """Returns the first sentence that only states an unplayable move, and the move; else None."""
    for sentence in _SENTENCE.split(line.strip()):
        move = unplayable(sentence.rstrip(" ?!.;:…"), is_move)
        if move and not legal.meant(move):
            return sentence, move
    return None


def _only_reads(near: NearMisses) -> bool:
    reads = bool(near.asks) and all(isinstance(ask, HARMLESS) for ask in near.asks)
    return reads and not any(isinstance(ask, Letters) for ask in near.asks)


def _is_put_to_organiser(near: NearMisses) -> bool:
    return any(isinstance(ask, Report) for ask in near.asks)
