"""Commands that a stranger sends along with signing up, written as commands or in other words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from pbem.inbox.commands import Command
from pbem.inbox.commands.acceptance import read_name
from pbem.inbox.commands.account import newcomers
from pbem.inbox.commands.account.grammar import Register, SetName
from pbem.inbox.commands.general.grammar import Help
from pbem.inbox.commands.line import game_of, plain
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.matchmaking.grammar import Accept, Challenge, Decline
from pbem.inbox.commands.messages_along import is_to_a_friend, message_along
from pbem.inbox.commands.near_misses import NearMisses, near_misses
from pbem.inbox.commands.offers.grammar import Join, Offer
from pbem.inbox.commands.phrases import spoken_in
from pbem.inbox.commands.said_terms import said_terms
from pbem.inbox.commands.words import VERBS_OF
from pbem.inbox.handling.talk import is_only_courtesy
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.sketched_wish import Wish, game_in, wish_in
from pbem.wording import fold

OF_SIGNING_UP = (Register, Accept, Decline)
OF_PLAYING = (Challenge, Offer, Join)
MOST = 5  # commands beside REGISTER
_MOST_CLAUSES = 20


@dataclass(frozen=True)
class AtOnce:
    """`said` are commands, `meant` are asked about, `beside` is other text; `example`: the game is ours."""

    said: tuple[str, ...] = ()
    meant: tuple[Command, ...] = ()
    beside: tuple[str, ...] = ()
    example: bool = False

    @property
    def lines(self) -> list[str]:
        return list(dict.fromkeys((*self.said, *(each.line for each in self.meant))))[:MOST]


def read(reading: InterpretedMessage, language: str) -> AtOnce:
    """Reads a stranger's commands, without those of the Subject that the body repeats."""
    subject, chat = reading.summary.subject.strip(), reading.understood.chat.split("\n")
    said = _said(reading)
    below = tuple(line for line in said if line.strip() != subject)
    if newcomers.declines(reading.letter.lines):
        return AtOnce(said, (), tuple(chat))
    near, wish = nearly(reading), wish_in(reading.letter.lines, reading.sender, subject=subject)
    names_opponent = bool(wish.friend or wish.robot)
    if near.asks and not (names_opponent and all(isinstance(ask, Offer) for ask in near.asks)):
        asks = tuple(replace(ask, line=spoken_in(ask.line, language)) for ask in near.asks)
        return AtOnce(below, asks, tuple(near.beside))
    command = None if _has_match(below) else _sketched(reading, wish, language)
    if command is None:
        return AtOnce(said, (), tuple(chat))
    return AtOnce(below, (command,), tuple(_beside(chat, wish)), example=not wish.game)


def _beside(chat: Iterable[str], wish: Wish) -> Iterator[str]:
    """Yields the text without the wish and the greeting before it, which are addressed to us."""
    greeting: list[str] = []
    for line in chat:
        if _tells(line, wish):
            greeting.clear()
            yield message_along(line) if wish.friend else ""
        elif is_only_courtesy(line):
            greeting.append(line)
        else:
            yield from (*greeting, line)
            greeting.clear()
    yield from greeting


def _sketched(reading: InterpretedMessage, wish: Wish, language: str) -> Command | None:
    """The command that the wish amounts to, with its terms. None when there is none."""
    line = wish.line(language)
    if not line:
        return None
    terms = said_terms(" ".join(reading.letter.lines), language) if wish.friend or wish.robot else ()
    lines = (" ".join((line, *terms)), line)
    return next(filter(None, (read_alone(each) for each in lines)), None)


def _has_match(lines: Iterable[str]) -> bool:
    read_lines = (read_alone(line) for line in lines)
    return any(isinstance(each, OF_PLAYING) for each in read_lines)


def with_yes(reading: InterpretedMessage, language: str) -> AtOnce:
    """The same beside a YES, which covers clear wishes: they become commands."""
    found = read(reading, language)
    if found.example:
        return found
    clear = tuple(each for each in found.meant if is_clear(each, reading, _begins_with_game))
    said = (*found.said, *(each.line for each in clear))
    return replace(found, said=said, meant=tuple(each for each in found.meant if each not in clear))


def names_opponent(reading: InterpretedMessage, language: str) -> bool:
    """Whether the wish names an opponent, or accepts any."""
    meant = read(reading, language).meant
    anybody = wish_in(reading.letter.lines, reading.sender, subject=reading.summary.subject).anybody
    return any(not isinstance(each, Offer) or anybody for each in meant)


def nearly(reading: InterpretedMessage) -> NearMisses:
    """The commands that the text nearly asks for. Empty unless all of them propose matches."""
    written = reading.understood.chat.split("\n")
    lines = [line for line in written if not is_to_a_friend(line)]
    near = near_misses(lines, is_move=lambda text, number: False, own=None, legal=None)
    beside = (*near.beside, *(line for line in written if line not in lines))
    asks = tuple(ask for ask in near.asks if not isinstance(ask, SetName))  # the name is read elsewhere
    said = read_name(reading.letter.lines)
    own = fold(said.name) if said else ""
    asks = tuple(ask for ask in asks if not (own and isinstance(ask, Challenge) and fold(ask.who) == own))
    return (
        replace(near, asks=asks, beside=beside)
        if all(isinstance(ask, OF_PLAYING) for ask in asks)
        else NearMisses()
    )


def _said(reading: InterpretedMessage) -> tuple[str, ...]:
    """Command lines to carry out after the sign-up, except those that need a YES of their own."""
    written = set(map(str.strip, (reading.summary.subject, *reading.letter.lines)))
    others = (
        c
        for c in reading.understood.commands
        if not isinstance(c, OF_SIGNING_UP)
        and not c.confirms
        and (c.line in written or not _is_on_a_command(c))
    )
    return tuple(command.line for command in others)[:MOST]


def _is_on_a_command(command: Command) -> bool:
    """Whether it is help on a command, which a sentence like `si può provare lo zertz?` does not ask for."""
    return isinstance(command, Help) and bool(command.topic) and not game_of([command.topic])


def _tells(line: str, wish: Wish) -> bool:
    """Whether the line tells us the opponent or the game, and is not addressed to a friend."""
    if wish.friend and "@" not in line and is_to_a_friend(line):
        return False
    found = wish_in([line], "")
    return bool(found.friend or found.game or (wish.robot and found.robot))


def is_clear(
    command: Command,
    reading: InterpretedMessage,
    begins_otherwise: Callable[[str], bool] = lambda clause: False,
) -> bool:
    """Whether a clause names the opponent and begins like a wish."""
    if not isinstance(command, Challenge):
        return False
    lines = islice(reading.letter.lines, _MOST_CLAUSES)
    clauses = (clause for line in lines for clause in newcomers.clauses(plain(line)))
    return any(
        _names(clause, command.who) and (_begins_wish(clause) or begins_otherwise(clause))
        for clause in clauses
    )


def _names(clause: str, who: str) -> bool:
    if "@" in who:
        return who.lower() in clause.lower()
    named = newcomers.names_machine(clause) or who.casefold() in clause.casefold()
    return bool(game_in([clause])) and named


def _begins_with_game(clause: str) -> bool:
    """Whether it is like `Zèrtz against a robot`."""
    return newcomers.names_machine(clause) and bool(game_in([clause.partition(" ")[0]]))


def _begins_wish(clause: str) -> bool:
    verbs = VERBS_OF.get(fold(clause.partition(" ")[0]), ())
    return newcomers.begins_wish(clause) or any(verb.command in OF_PLAYING for verb in verbs)
