"""Reads all lines of a letter: its commands in order, talk to the opponent, and what is unclear."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pbem.budget import in_time
from pbem.inbox.commands.command import Command, Help, Message, Report, Say
from pbem.inbox.commands.guest_answers import declines
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import LONGEST_LINE, IsMove, plain
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.match_commands import Accept, Decline, If, Move, Next, Note, Try
from pbem.inbox.commands.set_apart import is_open, is_taken_back, is_within
from pbem.inbox.commands.suggestions import nearest_line, suggestions
from pbem.inbox.commands.verbs import ENDS, OF_MATCHES
from pbem.inbox.understanding.answers import Answer, answer_in, leads_with_no
from pbem.inbox.understanding.near_misses import (
    Beside,
    NearMisses,
    below,
    more_matches,
    near_misses,
    signature_in,
    with_unplayable,
    with_what_is_asked,
)
from pbem.inbox.understanding.slots.moves import tells_refused_move
from pbem.inbox.understanding.slots.plans import apart
from pbem.intents import Bar
from pbem.refusals import Code
from pbem.wording import SOURCE, fold, wording

_WORDS = wording(__package__)
BEGINS = ("challenge",)  # a YES to these questions begins a match
TAKEBACK = "undo"  # the question whether a move may be taken back
_MOST_LINES = 400  # of a letter that are searched for commands; later ones are talk
_SENTENCE = 5  # words of talk that make a one-word Subject a headline
_MOST_COMMANDS = 40
_MOST_IFS = 150
_OPEN_ENDED = (If, Message, Move, Next, Note, Report, Say, Try)  # commands that may be broken across lines
_TEXTS = (Message, Note, Report, Say)
_OF_MOVES = (If, Move, Next, Note, Report, Try)  # commands that name moves
_BEGINS = re.compile(
    rf"\W*(?:[\[#]?[0-9]+\]?:?\s+)?(?:{wording('pbem.inbox.commands.conditional').either('if')})\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?;:]\s*$")
_ITEM = re.compile(r"\s*[-–•*]\s")
_MOST_BROKEN = 6  # lines that one broken line may take


@dataclass(frozen=True)
class Understood:
    """What a letter says.

    `verdict` is None, P06 (no command), P07 (two moves for one match: none may be played), or another code.
    `suggestions` are verbs, only when the letter held no command.
    """

    commands: tuple[Command, ...] = ()
    chat: str = ""
    verdict: str | None = None
    suggestions: tuple[str, ...] = ()
    unsaid: str = ""  # talk that is for none of the matches of a letter about several
    unnumbered: bool = False  # the match of its moves was inferred
    asks: tuple[Command, ...] = ()  # what a YES would execute, without a command or beside a match
    beside: str = ""  # the text beside `asks`
    unread: str = ""  # the line nearest to a command


def understand(
    lines: Iterable[str],
    *,
    subject: str | None,
    language: str,
    is_move: IsMove,
    match: int | None = None,
    answers: Callable[[], str] = lambda: "",
    legal: LegalMoves | None = None,
    guess: Bar | None = Bar.USUAL,
) -> Understood:
    """Reads the new lines of a letter; verbs of all languages are understood.

    `subject` is that of a new letter to `play@`: it is read as a command first, and is never chat.
    `match` is the match of the turn letter answered, None for a new letter.
    `is_move(text, match)` tells whether a text has the shape of a move; a match of None is the one answered.
    `language` decides what ends a letter, and which verbs are suggested first.
    `answers` returns what the letter answered asks, "" for nothing; without a command, a free no declines it.
    `legal` reads a move of the match answered; None when the writer is not to move.
    `guess` is the bar for asking about guesses from a whole line; None: never.
    """
    body = list(until_the_end(lines, language))
    if match is not None and legal is not None:
        body = apart(body, is_move=is_move, match=match, legal=legal)
    heading = [subject] if subject is not None else []
    commands: list[Command] = []
    talk: list[str] = []
    held: list[Command] = []  # exact, but not set apart
    spoken: list[str] = []  # the talk, a broken line as one
    found: list[tuple[Command, str, int]] = []  # command, talk above it, index of the talk below it
    lines = [part for line in (*heading, *body) for part in _whole(line, is_move, match)]
    number, above = 0, ""
    while number < len(lines):
        searched = number < _MOST_LINES and _room(commands)
        command, used = _read_from(lines, number, is_move, match) if searched else (None, 1)
        if command and _is_item(lines, number, is_move, match):
            held += [] if command.reading else [command]
            command, used = None, 1
        if command is None and number >= len(heading):
            talk.extend(lines[number].rstrip().split("\n"))
            spoken.append(lines[number].replace("\n", " "))
            held += _within(lines[number], is_move, match) if searched else ()
            above = talk[-1] or above
        elif command is not None and not _repeated(command, commands):
            commands.append(command)
            found += [(command, above, len(spoken))] if number >= len(heading) else []
        if command is not None:
            above = ""
        number += used
    if _verdict(commands, match) is None:
        held += [
            each for each, over, at in found if (over or spoken[at:]) and _is_held(each, over, spoken[at:])
        ]
        commands = [each for each in commands if not any(each is other for other in held)]
    if heading and _is_heading_of(commands):
        commands = commands[1:]
    acting = [] if heading and _is_headline(commands, heading[0], talk) else commands
    exact = Understood(tuple(acting), _paragraphs(talk), _verdict(acting, match))
    if asked := tuple(each for each in held if not _repeated(each, acting)):
        return replace(exact, asks=asked, beside="" if acting else exact.chat, unread=asked[0].line)
    if acting and not any(talk):
        return exact

    def freely() -> Understood:
        if acting and match is not None and all(isinstance(command, Accept) for command in acting):
            return _with_move(exact, talk, is_move, match, legal)
        if acting:
            return _with_more_matches(exact, talk, is_move, match)
        if not commands and (asked := answers()) and (no := _declines(asked, body)):
            return _declined(no, language)
        helps = replace(exact, commands=tuple(commands), verdict=None)
        bar = Bar.SURE if guess and answers() else guess
        return _nearly(helps, body, talk, heading, language, is_move, match, legal, bar)

    return in_time(freely, exact)


def _nearly(
    helps: Understood,
    body: Sequence[str],
    talk: Sequence[str],
    heading: Sequence[str],
    language: str,
    is_move: IsMove,
    match: int | None,
    legal: LegalMoves | None,
    bar: Bar | None,
) -> Understood:
    """Reads a letter without a command; `helps` has the command of a one-word Subject."""
    read = partial(near_misses, is_move=is_move, own=match, legal=legal, guess=bar)
    near = read(body)
    if (
        heading and not near.asks and not _is_one_word_above(heading[0], talk)
    ):  # a subject that says more than the letter
        near = read([*heading, *body])
    near = with_what_is_asked(near, is_move=is_move, match=match)
    if near.refused:
        return Understood(near.asks, _paragraphs(near.beside))
    if match is not None and (beside := with_unplayable(near, is_move=is_move, legal=legal)):
        return _with_beside(Understood(), beside)
    if legal and not near.sure and not any(isinstance(ask, _OF_MOVES) for ask in near.asks):
        near = NearMisses() if any(tells_refused_move(line, legal) for line in body) else near
    if near.sure and near.alone:
        return Understood(near.asks)
    if near.sure and match is not None and all(isinstance(ask, Help) for ask in near.asks):
        return Understood(near.asks, _paragraphs(near.beside))
    if not near.asks and any(isinstance(command, Help) for command in helps.commands):
        return helps  # above sentences that are not understood
    signed = signature_in(body)
    searched_for = [*heading, *(line for number, line in enumerate(body) if number != signed)]
    return Understood(
        chat=_paragraphs(talk),
        verdict=Code.NO_MOVE_FOUND,
        suggestions=suggestions(searched_for, language),
        asks=near.asks,
        beside=_paragraphs(near.beside),
        unread=nearest_line(searched_for, language),
    )


def _declines(asked: str, body: Sequence[str]) -> Answer | None:
    """Returns a no to the opponent's question, alone or leading other words. None when there is none."""
    begins = asked in BEGINS
    answer = answer_in(body, playing=not begins)
    if answer.agreed is None and (declines(body, ()) is False if begins else leads_with_no(body)):
        answer = Answer(False, next(filter(str.strip, body), ""), tuple(body))
    other = asked != TAKEBACK and _is_about_takeback(answer.line)
    return answer if answer.agreed is False and not other else None


def _is_heading_of(commands: Sequence[Command]) -> bool:
    """Whether the first command is only the verb of a later one, as in a Subject: GIOCATORI."""
    if len(commands) < 2 or not commands[0].reading:
        return False
    word = fold(commands[0].line.strip())
    return " " not in word and any(
        type(other) is type(commands[0]) and fold(other.line).startswith(f"{word} ") for other in commands[1:]
    )


def _is_about_takeback(line: str) -> bool:
    """Whether the line is about a takeback, so that it answers no other question: `ok, take it back`."""
    return any(way in fold(line) for way in _WORDS.words("of_takeback"))


def _is_headline(commands: Sequence[Command], subject: str, talk: Sequence[str]) -> bool:
    """Whether the only command is a one-word Subject above sentences ("Draw", "Ok"); a move never is."""
    said = commands[0] if len(commands) == 1 else None
    if said is None or isinstance(said, Move) or said.line != subject.strip():
        return False
    return _is_one_word_above(said.line, talk)


def _is_one_word_above(subject: str, talk: Sequence[str]) -> bool:
    return len(subject.split()) == 1 and len(" ".join(talk).split()) >= _SENTENCE


def _with_move(
    said: Understood, talk: Sequence[str], is_move: IsMove, match: int, legal: LegalMoves | None
) -> Understood:
    """Adds the first move that is stated in a sentence below an acceptance."""
    near = near_misses(talk, is_move=is_move, own=match, legal=legal)
    moves = len(near.asks) == 1 and isinstance(near.asks[0], Move) and not near.refused
    return replace(said, chat=_paragraphs(near.beside), asks=near.asks) if moves else said


def _with_more_matches(
    said: Understood, talk: Sequence[str], is_move: IsMove, match: int | None
) -> Understood:
    """Adds further challenges, or requests beside a move, from sentences."""
    if match is not None and all(isinstance(command, Move) for command in said.commands):
        return _with_beside(said, below(talk, is_move=is_move, match=match))
    if all(command.reading for command in said.commands):
        near = near_misses(talk, is_move=is_move, own=match, legal=None)
        if near.asks and (
            (near.sure and near.alone) or set(near.asks) <= set(said.commands)
        ):  # both are answered at once
            both = tuple(dict.fromkeys((*said.commands, *near.asks)))
            return replace(said, commands=both, chat=_paragraphs(near.beside))
    if match is not None or not any(isinstance(command, OF_MATCHES) for command in said.commands):
        return said
    near = more_matches(talk, is_move=is_move)
    return replace(said, chat=_paragraphs(near.beside), asks=near.asks) if near.asks else said


def _with_beside(said: Understood, beside: Beside) -> Understood:
    """Adds what is requested beside a move."""
    return replace(
        said,
        commands=(*said.commands, *beside.done),
        asks=beside.asks,
        chat=_paragraphs(beside.heard),
        beside=_paragraphs(beside.waits),
    )


def _declined(answer: Answer, language: str) -> Understood:
    """Builds the NO to what the letter answered asks."""
    # What a YES is `pbem.inbox.consent` decides.
    line = answer.line.strip()
    if answer.line in answer.rest:  # the line says more than the grammar can read
        line = str(_WORDS.of(language, "refusing")[0]).upper()
    return Understood((Decline(line=line),), _paragraphs(answer.rest))


def until_the_end(lines: Iterable[str], language: str) -> Iterator[str]:
    """Yields the lines before a signature or END."""
    for line in lines:
        if line.strip() == "--" or fold(plain(line[:LONGEST_LINE])) in ENDS.get(language, ENDS[SOURCE]):
            return
        yield line


def _read_from(
    lines: Sequence[str], number: int, is_move: IsMove, match: int | None
) -> tuple[Command | None, int]:
    """Returns the command that begins in a line, and how many lines it takes."""
    # Mail programs break long lines.
    line = lines[number].replace("\n", " ")
    command = read_line(line, is_move, match)
    if "\n" in lines[number] and not isinstance(command, _OPEN_ENDED):
        return None, 1
    goes_on = line.rstrip().endswith((";", ","))
    is_list = goes_on and (isinstance(command, Try | Next | If) or _begins_if(line))
    if (command is None and _begins_if(lines[number])) or is_list:
        for end in range(number + 2, min(number + _MOST_BROKEN, len(lines)) + 1):
            whole = read_line(" ".join(map(str.strip, lines[number:end])), is_move, match)
            if whole and (command is None or type(whole) is type(command)):
                return whole, end - number
    if isinstance(command, _TEXTS) and (used := _goes_on(lines, number, is_move, match)) > 1:
        text = " ".join(" ".join(each.split()) for each in lines[number : number + used] if each.strip())
        return read_line(text, is_move, match) or command, used
    return command, 1


def _begins_if(text: str) -> bool:
    """Whether a broken line may be the beginning of a line of IF."""
    return _BEGINS.match(text) is not None


def _goes_on(lines: Sequence[str], number: int, is_move: IsMove, match: int | None) -> int:
    """Returns the length of a sentence in lines; continuations begin in small letters and are no commands."""
    # Some programs double line ends.
    above, used = lines[number], 1
    for at in range(number + 1, min(number + _MOST_BROKEN * 2, len(lines))):
        below = lines[at]
        if not below.strip() and above.rstrip().endswith(","):
            continue
        if not below.lstrip()[:1].islower() or _ENDED.search(above) or read_line(below, is_move, match):
            break
        above, used = below, at + 1 - number
    return used


def _is_held(command: Command, above: str, below: Sequence[str]) -> bool:
    """Whether an exact line is asked about, since it is not set apart."""
    if command.reading:
        return False
    after = next(filter(str.strip, below), "")
    return is_open(above) or is_within(above, after) or is_taken_back(below)


def _is_item(lines: Sequence[str], number: int, is_move: IsMove, match: int | None) -> bool:
    """Whether the line is in a list with items that are no commands."""
    beside = (*lines[max(number - 1, 0) : number], *lines[number + 1 : number + 2])
    items = (line for line in beside if _ITEM.match(line))
    return bool(_ITEM.match(lines[number])) and any(not read_line(line, is_move, match) for line in items)


def _whole(line: str, is_move: IsMove, match: int | None) -> list[str]:
    """Returns the line; split at its breaks if the first piece is a complete command."""
    first, *more = line.split("\n")
    command = read_line(first, is_move, match) if more else None
    return [first, *more] if command and not isinstance(command, _OPEN_ENDED) else [line]


def _within(line: str, is_move: IsMove, match: int | None) -> Iterator[Command]:
    """Yields the commands in the continuations of a line, without read-only ones."""
    for each in line.split("\n")[1:]:
        command = read_line(each, is_move, match)
        if command and not command.reading:
            yield command


def _room(commands: Sequence[Command]) -> bool:
    """Whether the letter may hold more commands; the limit for IF is higher."""
    lines = sum(isinstance(command, If) for command in commands)
    return lines < _MOST_IFS and len(commands) - lines < _MOST_COMMANDS


def _repeated(command: Command, earlier: Sequence[Command]) -> bool:
    """Whether the command was given before, as in the Subject and again in the letter."""
    return any(type(command) is type(other) and _said(command) == _said(other) for other in earlier)


def _said(command: Command) -> tuple[object, ...]:
    if isinstance(command, Move):
        return (_squeezed(command), command.match, command.number)
    return (command,)


def _squeezed(move: Move) -> str:
    return "".join(move.text.casefold().split())


def _verdict(commands: Sequence[Command], own: int | None) -> str | None:
    if not commands:
        return Code.NO_MOVE_FOUND
    moves: dict[int | None, set[str]] = {}
    for command in commands:
        if isinstance(command, Move):
            match = own if command.match is None else command.match
            moves.setdefault(match, set()).add(_squeezed(command))
    return Code.SEVERAL_MOVES if any(len(texts) > 1 for texts in moves.values()) else None


def _paragraphs(lines: Iterable[str]) -> str:
    """Joins lines, with at most one blank line in a row and none at the ends."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).strip("\n")
