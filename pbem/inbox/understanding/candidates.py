"""Candidates: what an utterance may mean, with a confidence: its intents, and the slots that it fills."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem import intents
from pbem.budget import check
from pbem.inbox.commands.command import Command, Games, Help, Letters, Set, Stop
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import (
    CELL,
    IsMove,
    cells_in,
    cells_of_move,
    is_game,
    named_cells,
    names_cell,
    plain,
    without_trap_staying,
)
from pbem.inbox.commands.line_parser import read_alone, read_line
from pbem.inbox.commands.match_commands import Accept, Decline, If, Move, Next
from pbem.inbox.commands.newcomers import names_machine
from pbem.inbox.commands.phrases import called
from pbem.inbox.commands.sketches import FEW_WORDS, LITTLE
from pbem.inbox.commands.suggestions import mistyped
from pbem.inbox.commands.verbs import DEEDS, HARMLESS, VERBS_OF
from pbem.inbox.understanding.answers import without_no
from pbem.inbox.understanding.intents import filled, lines_of
from pbem.inbox.understanding.policy import (
    ASK,
    ASKED_HOW,
    ENDING,
    ENDING_AS_A_WHOLE,
    MATCH,
    MOVE,
    READ_AT_ONCE,
    READ_BESIDE,
    SLIP,
    UNREAD,
    asks,
    threshold,
    weight,
)
from pbem.inbox.understanding.slots.games import absent_in, with_game_spelled, with_variant_spelled
from pbem.inbox.understanding.slots.moves import LONGEST_MOVE, near_move, unplayable
from pbem.inbox.understanding.slots.plans import OF_MOVES, intended_moves, noted
from pbem.inbox.understanding.utterances import Part, Utterance, utterances
from pbem.intents import TALK, Guess, bar_of
from pbem.wording import fold, wording

PLAY = "PLAY"
# What a text with cells, in a reply about a match, may be
WITH_CELLS = frozenset(
    {
        PLAY,
        TALK,
        "TRY",
        "IF",
        "NOTE",
        "LEGAL",
        "WHYNOT",
        "UNDO",
        "SHOWAT",
        "HINT",
        "ANALYSE",
        "DRAW",
        "RESIGN",
    }
)
_WITH_MOVES = frozenset({TALK, PLAY, "TRY", "IF"})
_LIKELIEST = 4
_OF_TIME = frozenset(map(fold, ("AWAY", "PAUSE", "GIVE", "ASSENTE", "PAUSA", "CONCEDO")))
_HOW = re.compile(rf"\b(?:{wording('pbem.inbox.commands').either('asking_how')})\b", re.IGNORECASE)
_WITH_TEXT = frozenset({"NOTE", "HUMAN", "REPORT"})  # the whole line is their text
_OF_CELLS = frozenset({"LEGAL", "WHYNOT"})  # the refusal tells what the rules say of them
_FOR_ORGANISER = frozenset({"ERASE", "HUMAN"})
_OF_PLAYING = frozenset({"CHALLENGE", "OFFER", "ROBOT", "GAMELIST"})
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST_VERB = 3  # letters
_VERB_AND_WORD = 2
_ONE_WORD = re.compile(rf"(?<![^\W_]){CELL}{CELL}(?![^\W_])", re.IGNORECASE)
FEWEST = 2
_OPPONENTS = frozenset({"ROBOT", "OFFER", "CHALLENGE"})


@dataclass(frozen=True)
class Context:
    """What an interpretation depends on, besides the text.

    `match` is that of the turn letter answered, None for a new letter; `legal` is None when the writer is not to
    move. `instead`: the text stands behind a No to a question, so that another wish is likely.
    """

    is_move: IsMove
    match: int | None = None
    legal: LegalMoves | None = None
    instead: bool = False

    @property
    def anew(self) -> bool:
        return self.match is None


@dataclass(frozen=True)
class Candidate:
    """What an utterance may mean. Its `confidence` is at least its `threshold` if it is to be asked about."""

    intent: str
    command: Command
    confidence: float
    threshold: float
    utterance: Utterance
    rest: str = ""

    @property
    def margin(self) -> float:
        return self.confidence / self.threshold

    def is_read_at_once(self, *, anew: bool) -> bool:
        """Whether it is answered without a question: a wish to read something; in a match, where the opponent reads
        the words as well, a question about the rules or the commands."""
        lines = lines_of(self.intent, anew=anew)
        if isinstance(self.command, Help) and lines and not lines[0].startswith("HELP"):
            return False  # a name, a game or a day is missing
        if isinstance(self.command, Letters):
            return self.margin >= 1  # they are asked how
        told = self.utterance.part is Part.SENTENCE and asks(self.utterance.text)
        sure = self.confidence / (weight(self.utterance) if told else 1)
        if anew:
            return isinstance(self.command, HARMLESS) and sure >= READ_AT_ONCE
        return isinstance(self.command, Help) and asks(self.utterance.text) and sure >= READ_BESIDE


def candidates(line: str, context: Context) -> Sequence[Candidate]:
    """Returns what the line may mean, the best first."""
    check()
    text = level(line, context)
    if context.anew and (_is_for_organiser(text) or is_game(text.rstrip("?! "))):
        return ()  # the organiser reads it; a game alone is answered with all that one can do with it
    found = [each for said in utterances(text) for each in _of_utterance(said, text, context)]
    return sorted(found, key=lambda each: -each.margin)


def level(line: str, context: Context) -> str:
    """Returns the line with keyboard signs; a move that is one word is parted, a game is spelled as we do."""
    text = without_trap_staying(plain(line))
    if context.anew:
        return with_variant_spelled(with_game_spelled(text))
    for word in _ONE_WORD.findall(text) if context.legal and " " in text else ():
        if (parted := "-".join(cells_of_move(word))) and context.is_move(parted, None):
            text = text.replace(word, parted)
    return text


def _is_for_organiser(text: str) -> bool:
    return any(each.intent in _FOR_ORGANISER for each in intents.guesses(text)[:1])


def likeliest(text: str, *, match: int | None) -> Command | None:
    """Returns what a text most probably wants that no other person will read, though not probably enough to be asked
    about otherwise. None when nothing is probable."""
    found = candidates(text, Context(lambda said, number: False, match))
    return next((each.command for each in found if each.confidence >= UNREAD), None)


def _of_utterance(said: Utterance, line: str, context: Context) -> Iterator[Candidate]:
    counts = weight(said)
    if said.part is Part.QUOTED:  # a leaflet told them to write it
        command = read_line(said.text, context.is_move, None) if context.anew else None
        if command:
            yield Candidate("EXACT", command, counts, counts, said, said.rest(line))
        return
    cells = not context.anew and names_cell(said.text)
    if len(said.text.split()) < FEWEST and said.part is not Part.WHOLE and not cells:
        command = read_line(said.text, context.is_move, context.match)
        if isinstance(command, DEEDS):
            yield Candidate("EXACT", command, counts, counts, said, said.rest(line))
        return
    has_all = said.part is Part.WHOLE or set(cells_in(line)) == set(cells_in(said.text))
    if cells and has_all and (near := near_move(said.text, context.legal)):
        rest = " ".join(filter(None, (near.rest, said.rest(line))))
        yield Candidate(PLAY, Move(near.move, line=near.move), counts, ASK[MOVE], said, rest)
    elif (
        cells
        and context.legal
        and said.part is Part.WHOLE
        and (move := unplayable(said.text, context.is_move))
    ):
        yield Candidate(PLAY, Move(move, line=move), counts, ASK[MOVE], said, said.rest(line))
    if command := _asked_how(said.text):
        yield Candidate("HELP", command, counts * ASKED_HOW, ASK[MATCH], said, said.rest(line))
    if said.part is Part.WHOLE and (command := _slip(said.text, context)):
        yield Candidate("SLIP", command, SLIP, SLIP, said)
    for intent, probability in _most_probable(said.text, context):
        doubts = intent in ENDING and said.text.endswith("?")
        if doubts and probabilities(line, context).get(intent, 0) < ENDING_AS_A_WHOLE:
            continue
        told = replace(said, text=line, start=0, end=len(line)) if intent in _WITH_TEXT else said
        for command, fills in _commands(intent, told.text, context):
            least = UNREAD if context.instead else threshold(intent, said, anew=context.anew, fills=fills)
            whole = intent == PLAY and said.part is Part.WHOLE  # the opponent reads all of it
            rest = line if whole else told.rest(line)
            yield Candidate(intent, command, counts * probability, least, told, rest)


def _asked_how(text: str) -> Command | None:
    """Returns HELP on the verb of `how do I resign?`; not on leaving, where the question tells how."""
    found = _HOW.search(text)
    verb = next(iter(_WORD.findall(text[found.end() :])), "") if found else ""
    commands = {each.command for each in VERBS_OF.get(fold(verb), ())} - {Letters, Stop}
    known = len(verb) >= _SHORTEST_VERB and fold(verb) not in LITTLE
    return _help_on(verb.upper(), text) if known and commands else None


def _slip(text: str, context: Context) -> Command | None:
    """Returns the command of a short line with a mistyped verb, or one that is to be in capitals: `say thanks`."""
    words = text.split()
    if len(words) > FEW_WORDS + LONGEST_MOVE or names_cell(text):
        return None
    capitals = [" ".join([words[0].upper(), *words[1:]])] if len(words) == _VERB_AND_WORD else []
    lines = (read_line(line, context.is_move, context.match) for line in (*mistyped(text), *capitals))
    return next((each for each in lines if each and not isinstance(each, (Accept, Decline, Move))), None)


def _most_probable(text: str, context: Context) -> Sequence[tuple[str, float]]:
    return sorted(probabilities(text, context).items(), key=lambda each: -each[1])[:_LIKELIEST]


def probabilities(text: str, context: Context) -> Mapping[str, float]:
    """Returns the probability of each intent that there may be in the context; those with the same line together."""
    found: Sequence[Guess] = intents.guesses(text)
    if not context.anew and names_cell(text):
        found = [each for each in found if each.intent in WITH_CELLS]
    total = sum(each.probability for each in found) or 1
    machine = names_machine(" ".join(without_no([text])))  # `a human opponent, not a computer`
    together: dict[str, float] = {}
    first: dict[str, str] = {}
    for intent, probability in found:
        if intent in _OPPONENTS:
            intent = "ROBOT" if machine else "OFFER" if intent == "ROBOT" else intent
        lines = _lines_for(intent, context)
        key = first.setdefault(lines[0] if lines else intent, intent)
        together[key] = together.get(key, 0) + probability / total
    return together


def _lines_for(intent: str, context: Context) -> Sequence[str]:
    if intent in _WITH_MOVES:
        return ("HELP TRY",) if intent == "TRY" else ("HELP IF",) if intent == "IF" else ()
    return lines_of(intent, anew=context.anew)


def _commands(intent: str, text: str, context: Context) -> Iterator[tuple[Command, bool]]:
    """Yields what the intent comes to, and whether the text fills slots of it."""
    if intent == TALK:
        return
    cells = not context.anew and names_cell(text)
    if cells and intent in OF_MOVES:
        if intent == PLAY and (context.legal is None or "?" in text):
            return
        lines = intended_moves(intent, text, context.is_move, context.legal, bar=bar_of(intent, text))
        for line in lines:
            if command := read_line(line, context.is_move, context.match):
                yield command, True
        return
    if cells and (intent in _OF_CELLS or len(named_cells(text)) > 1):
        return
    lines = _lines_for(intent, context)
    said = noted(text) if intent == "NOTE" else text
    for line in filled(lines, text, text=said):
        command = read_line(line, context.is_move, context.match)
        if command and _HOW.search(text) and not (command.reading or isinstance(command, Set)):
            command = _help_on(line.split()[0], text) or command
        if (
            command is None
            or isinstance(command, (If, Next))
            or _is_out_of_place(command, intent, text, context)
        ):
            continue
        asked = _HOW.search(text) is not None
        yield command, asked if isinstance(command, Help) else "{" in lines[0]


def _help_on(verb: str, text: str) -> Command | None:
    return read_alone(f"{called('HELP', intents.language_of(text))} {verb}")


def _is_out_of_place(command: Command, intent: str, text: str, context: Context) -> bool:
    """Whether it is HELP on something else: on another game, or, in a match, on time that the opponent is asked for."""
    if context.anew:
        return intent in _OF_PLAYING and isinstance(command, (Help, Games)) and absent_in([text]) is not None
    if not isinstance(command, Help):
        return False
    return fold(command.topic) in _OF_TIME and not _HOW.search(text)
