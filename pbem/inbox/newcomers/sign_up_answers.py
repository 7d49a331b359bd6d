"""Reads strangers' answers before their sign-up: yes or no, a name, and a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.inbox import commands, consent
from pbem.inbox.commands import newcomers
from pbem.inbox.commands.acceptance import YES_AND_A_NAME as YES
from pbem.inbox.commands.acceptance import Acceptance, may_be_called, named_in, read_acceptance, read_name
from pbem.inbox.commands.command import Command, Help, Register, SetName
from pbem.inbox.commands.line import game_of, plain
from pbem.inbox.commands.line_parser import read_alone
from pbem.inbox.commands.match_commands import Accept, Challenge, Decline, Offer
from pbem.inbox.commands.phrases import called, spoken_in
from pbem.inbox.handling.talk import is_only_courtesy
from pbem.inbox.interpretation import InterpretedMessage
from pbem.inbox.models import Confirmation
from pbem.inbox.sketched_wish import OF_PLAYING, Wish, game_in, is_clear, wish_in
from pbem.inbox.understanding.addressee import is_to_a_friend, message_along
from pbem.inbox.understanding.answers import agrees, is_beside
from pbem.inbox.understanding.near_misses import NearMisses, near_misses
from pbem.inbox.understanding.normalization import without_courtesy
from pbem.inbox.understanding.slots.names import is_name
from pbem.inbox.understanding.slots.terms import said_terms
from pbem.players.models import Player
from pbem.players.services import NAME, capitalised
from pbem.wording import fold, wording

# Commands that a stranger sends along with signing up, written as commands or in other words.

OF_SIGNING_UP = (Register, Accept, Decline)
MOST = 5  # commands beside REGISTER


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


def commands_in(reading: InterpretedMessage, language: str) -> AtOnce:
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
    found = commands_in(reading, language)
    if found.example:
        return found
    clear = tuple(each for each in found.meant if is_clear(each, reading, _begins_with_game))
    said = (*found.said, *(each.line for each in clear))
    return replace(found, said=said, meant=tuple(each for each in found.meant if each not in clear))


def names_opponent(reading: InterpretedMessage, language: str) -> bool:
    """Whether the wish names an opponent, or accepts any."""
    meant = commands_in(reading, language).meant
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


def _begins_with_game(clause: str) -> bool:
    """Whether it is like `Zèrtz against a robot`."""
    return newcomers.names_machine(clause) and bool(game_in([clause.partition(" ")[0]]))


# A proposed match for a stranger who names a game but no opponent

_WORDS = wording(commands.__package__)


def proposed(reading: InterpretedMessage, language: str, *, signs_up: bool, said: Sequence[str] = ()) -> str:
    """The command that a YES carries out: a challenge to a robot, or an open offer where there is none.

    Empty when no game is named, an opponent or a command is, or no robot is wanted; also without robots when
    the stranger has not asked to sign up.
    """
    if not (signs_up or Player.objects.robots().exists()):
        return ""
    game = wish_in(reading.letter.lines, reading.sender, subject=reading.summary.subject).game
    wants_other = newcomers.denies(reading.letter.lines) or names_opponent(reading, language)
    return "" if said or not game or wants_other else line_for(game, language)


def line_for(game: str, language: str) -> str:
    robot = Player.objects.robots().first()
    if robot is None:
        return f"{called('OFFER', language)} {game}"
    first = _WORDS.of(language, "side_options", "first")
    return f"{called('CHALLENGE', language)} {robot.name} {game} {first}"


def kept(asked: Confirmation, reading: InterpretedMessage) -> list[str]:
    """What the answer leaves of the proposal, with the game it names. Empty when it names an opponent."""
    lines = reading.letter.lines
    if is_denied(asked, reading):
        return []
    named = game_in(lines)
    wish = wish_in(lines, reading.sender)
    own: tuple[type[Command], ...] = OF_PLAYING
    own = own if asked.name else (Register, *own)
    if any(isinstance(command, own) for command in reading.understood.commands):
        return []
    if wish.friend or wish.anybody or (named and names_opponent(reading, asked.language)):
        return []
    return [line_for(named, asked.language)] if named else asked.lines[1:]


def is_denied(asked: Confirmation, reading: InterpretedMessage) -> bool:
    """Whether the answer rejects the proposed matches, as in `yes, but no robot`."""
    named = {word for line in asked.lines[1:] for word in line.split()[1:]}
    return bool(named) and newcomers.denies(reading.letter.lines, *named)


_LONGEST, _MOST_LINES = 400, 8  # characters of a line, lines of an answer
_CLAUSE = re.compile(r"(?<=[,.!?;:])\s+|\s+[-–—]+\s+|\s+(?=(?:but|ma|però)\s)", re.IGNORECASE)


def read(asked: Confirmation, reading: InterpretedMessage) -> Acceptance:
    """Reads a yes and a name, or a name alone. A longer yes counts when all of it is understood."""
    lines = reading.letter.lines
    consents = agrees_to_sign_up(asked, reading)
    if consents.agreed and not consents.name and not read_acceptance(lines).name:  # alone below
        return Acceptance(True, "", read_acceptance(lines).language)
    said, named = read_acceptance(lines), read_name(lines)
    if said.agreed is False:
        return said
    if not said.name and named:
        said = Acceptance(said.agreed or named.agreed, named.name, said.language or named.language)
    if not said.name and said.agreed is None:
        written = [without_courtesy(plain(line)) for line in lines if line.strip()][:1]
        alone = [word for word in written if NAME.fullmatch(word) and agrees(word) is None]
        alone = [word for word in alone if may_be_called(word)]
        said = replace(said, name="".join(alone))
    if not said.name and (name := _name_behind_yes(lines)):
        said = replace(said, name=name)
    agreed = consents.agreed if consents.name or not said.name else None  # a name elsewhere may be a greeting
    said = replace(said, agreed=agreed, name=consents.name or said.name)
    if said.name.islower() and newcomers.holds_back([said.name]):  # `yes, later`
        return Acceptance()
    agreed = None if said.agreed and is_denied(asked, reading) else said.agreed
    return replace(said, agreed=agreed, name=capitalised(said.name))


def agrees_to_sign_up(asked: Confirmation, reading: InterpretedMessage) -> consent.Answer:
    """Reads a YES, with or without a name, or REGISTER with one."""
    lines, commands = reading.letter.lines, reading.understood.commands
    register = next((each for each in commands if isinstance(each, Register) and each.name), None)
    verb = fold(register.line.partition(" ")[0].rstrip(":")) if register else ""
    if register and verb in YES and register.line.strip() in map(str.strip, lines):
        return consent.Answer(True, register.name.split()[0])
    exact = [each.line for each in commands]
    names = (reading.summary.sender_name, asked.name)
    return consent.read(lines, consent.question(asked, *names, exact=exact), reading.letter.signature)


def says_another_name(asked: Confirmation, reading: InterpretedMessage) -> bool:
    """Whether the answer gives another name than we asked about."""
    name = read(asked, reading).name
    return fold(name) not in ("", fold(asked.name))


def says_more(asked: Confirmation, reading: InterpretedMessage) -> bool:
    """Whether the answer gives another name, or a match."""
    return says_another_name(asked, reading) or says_match(asked, reading)


def is_more_than(yes: bool | None, asked: Confirmation, reading: InterpretedMessage) -> bool:
    """Whether the answer says more than yes or no."""
    if is_denied(asked, reading) and yes is not False:
        return True
    if yes is None:
        return says_more(asked, reading)
    return yes and says_another_name(asked, reading)


def says_match(asked: Confirmation, reading: InterpretedMessage) -> bool:
    found = with_yes(reading, asked.language)
    return bool(found.said or found.meant) or still_asked(asked, reading) != asked.lines[1:]


def still_asked(asked: Confirmation, reading: InterpretedMessage) -> list[str]:
    """The commands asked about beside the name that the answer leaves."""
    if asked.near or is_denied(asked, reading):
        return kept(asked, reading)
    return another_game(asked, reading) or asked.lines[1:]


def another_game(asked: Confirmation, reading: InterpretedMessage) -> list[str]:
    """The lines with the game that the answer names, when they have one match. Empty when unchanged."""
    game = game_in(reading.letter.lines)
    read_lines = {line: read_alone(line) for line in asked.lines[1:]}
    matches = [(line, each) for line, each in read_lines.items() if isinstance(each, Challenge)]
    if not game or len(matches) != 1 or matches[0][1].game == game or matches[0][1].options:
        return []
    [(line, challenge)] = matches
    changed = " ".join([line.split()[0], challenge.who, game])
    return [changed if each == line else each for each in asked.lines[1:]]


def unsaid(meant: Sequence[Command], asked: Confirmation) -> tuple[Command, ...]:
    """The commands that are not done already; `yes, but emergo` only changes the game."""
    games = {game_in([line]) for line in asked.lines[1:]}
    return tuple(each for each in meant if not (isinstance(each, Offer) and each.game in games))


def is_answer(line: str) -> bool:
    """Whether the line only says yes, no or a name."""
    agreed = read_acceptance([line]).agreed
    return agreed is not None or agrees(line) is not None or bool(named_in(line))


def _name_behind_yes(lines: Sequence[str]) -> str:
    """The name in a clause behind a yes, as in `Yes, Beatrice please`. Empty when there is none."""
    agreed = False
    for line in lines[:_MOST_LINES]:
        bare_yes = False
        for clause in (clause.strip(" ,;:.!") for clause in _CLAUSE.split(plain(line[:_LONGEST]))):
            word, _, behind = clause.partition(" ")
            is_yes = fold(word.strip(",.!")) in YES
            agreed = agreed or is_yes or bool(agrees(clause))
            rest = newcomers.name_behind_yes(behind if is_yes else clause) if agreed else ""
            if name := _name_in(rest, alone=is_yes or bare_yes):
                return name
            bare_yes = is_yes and not behind
    return ""


def _name_in(text: str, *, alone: bool) -> str:
    """The name in a sentence, or the whole text where a name may stand `alone`. Empty when there is none."""
    said = read_name([text]) if "?" not in text else None
    if said and (said.name[0].isupper() or is_name(said.name)):
        return said.name
    word = without_courtesy(text)
    called = alone and NAME.fullmatch(word) and word[0].isupper() and is_name(word)
    return word if called and agrees(word) is None and not is_beside(word) and not game_in([word]) else ""
