"""What a letter without any command may mean all the same: its player is asked, and nothing is done before their YES.

A line is near to a command if it says the same as one in other words, has its words and beside them only such as say
little, or mistypes its verb; near to a move if it has one legal move among words that go with moving.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice

from pbem.inbox.commands.clocks.grammar import Clock
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.commands.general.grammar import Games, Help
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.line import IsMove, game_of, plain
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.near_moves import LONGEST_MOVE, WORD, near_move, words_in
from pbem.inbox.commands.normalization import bare, of_match, unquoted, without_courtesy
from pbem.inbox.commands.offers.grammar import Open
from pbem.inbox.commands.paraphrases import asked_how, nearly
from pbem.inbox.commands.phrases import written
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.preferences.grammar import Preferences, Set
from pbem.inbox.commands.ratings.grammar import Rating, Ratings
from pbem.inbox.commands.sketches import sketched
from pbem.inbox.commands.talking.grammar import COURTESIES, Say
from pbem.inbox.commands.views.grammar import History, Show
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MOST_LINES = 12  # that are looked at; in a longer letter much is said
_LONGEST_LINE = 160  # characters
_FEW_WORDS = 8  # of one about anything else
_MOST_ASKED = 3
_BRIEF = 40  # words
_LITTLE = _WORDS.words("little", "words")
_LETTERS = re.compile(r"[^\W\d_]+")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|,\s+|\s+[-–—]\s+")
_MOST_SENTENCES = 4
_NAME = 2  # words of a name below
_SURE, _SURE_ANEW = 4, 3  # words that are more than an exclamation; where no match is answered
# What is done without a question, for it only reads and is no harm.
_HARMLESS = (Help, Players, Open, Games, Rating, Ratings, Show, History, Clock, Preferences, Letters)


@dataclass(frozen=True)
class _About:
    """Words of a command, and its line in the grammar."""

    words: frozenset[str]
    line: str


def _abouts() -> tuple[_About, ...]:
    return tuple(
        _About(frozenset(words_in([phrase])), written(line, language))
        for language, lines in _WORDS.each("about").items()
        for line, phrases in lines.items()
        for phrase in phrases
    )


_ABOUT = sorted(_abouts(), key=lambda about: -len(about.words))


@dataclass(frozen=True)
class NearMisses:
    """The commands that may be meant, and what else the letter says. `sure`: each only reads, is said in words that
    ask for nothing else, and beside it stands at most a greeting; then there is nothing to ask about."""

    asks: tuple[Command, ...] = ()
    beside: tuple[str, ...] = ()
    sure: bool = False


@dataclass(frozen=True)
class _Near:
    command: Command
    sure: bool = False


@dataclass(frozen=True)
class _Reader:
    """`legal` is None where the writer is not to move: then no move is asked about."""

    is_move: IsMove
    own: int | None
    legal: LegalMoves | None
    brief: bool  # whether the letter says little: of a longer one no word tells what it is about

    def near(self, line: str) -> _Near | None:
        text = plain(line)
        if move := near_move(text, self.legal):
            return _Near(Move(move, line=move))
        if said := self._said(text):
            return said
        few = len(text.split()) <= _FEW_WORDS + LONGEST_MOVE
        words = (*_without_doubts(text), *_about(text), *_mistyped(text)) if few else ()
        return (
            self._in_a_sentence(text)
            or self._meant(words, text)
            or self._meant(sketched(text, anew=self.own is None) if self.brief else (), text, letters=True)
        )

    def _said(self, text: str) -> _Near | None:
        """What a sentence says in words that ask for nothing else."""
        lines = (*nearly(text, anew=self.own is None), *_helps(text))
        near = self._meant(lines, text, letters=True)
        enough = _SURE if self.own is not None else _SURE_ANEW
        if near is None or len(text.split()) < enough or text.endswith(("!", "..")):
            return near
        return replace(near, sure=isinstance(near.command, _HARMLESS))

    def _meant(self, lines: Iterable[str], text: str, *, letters: bool = False) -> _Near | None:
        """The first of the lines that is a command. `letters`: it may be STOP, which is said to people too."""
        for line in lines:
            command = read_line(line, self.is_move, self.own)
            if command is None or _is_never_asked(command, text):
                continue
            if (letters or not isinstance(command, Letters)) and self._is_to_move(command):
                return _Near(replace(command, line=line.upper() if line.isalpha() else line))
        return None

    def _is_to_move(self, command: Command) -> bool:
        return not isinstance(command, Move) or command.match is not None or self.legal is not None

    def _in_a_sentence(self, text: str) -> _Near | None:
        """What the only sentence says that says anything, of a few: "I'm new here. How do I begin?"."""
        sentences = [each.strip() for each in _SENTENCE.split(text) if len(each.split()) > 1]
        if self.own is not None:  # there talk is the rule
            sentences = [each for each in sentences if each.endswith("?") and len(each.split()) >= _SURE]
        near = [self._said(each) for each in sentences if each != text][:_MOST_SENTENCES]
        found = {each.command: each for each in near if each}
        if len(found) != 1:
            return None
        [only] = found.values()
        return replace(only, sure=only.sure and self.own is None and "," not in text)


def near_misses(
    lines: Sequence[str], *, is_move: IsMove, own: int | None, legal: LegalMoves | None
) -> NearMisses:
    """What the lines nearly say."""
    asks: dict[Command, _Near] = {}
    read: list[tuple[str, _Near | None]] = []
    brief = sum(len(line.split()) for line in lines) <= _BRIEF
    reader = _Reader(is_move, own, legal, brief)
    short = sum(1 for line in lines if line.strip()) <= _MOST_LINES
    signed = _signature(lines)
    for number, line in enumerate(lines):
        looked_at = short and 0 < len(line.strip()) <= _LONGEST_LINE and number != signed
        near = reader.near(line) if looked_at else None
        read.append((line, near))
        if near:
            asks.setdefault(near.command, near)
    meant = _most_precise(asks)
    moves = [ask for ask in meant if isinstance(ask, Move)]
    if len(moves) > 1 or len(meant) > _MOST_ASKED or not meant:
        return NearMisses()
    asked = moves or meant  # what stands beside a move and is not asked about is said to the opponent
    beside = [line for line, near in read if near is None or (moves and near.command not in asked)]
    sure = all(near.sure for near in asks.values()) and _is_greeting(beside)
    return NearMisses(tuple(asked), tuple(beside), sure)


def _signature(lines: Sequence[str]) -> int | None:
    """Which line is the name below a letter: Nora is no NOTA."""
    said = [number for number, line in enumerate(lines) if line.strip()]
    if len(said) < 2:
        return None
    words = lines[said[-1]].split()
    return (
        said[-1] if len(words) <= _NAME and all(word.isalpha() and word.istitle() for word in words) else None
    )


def _most_precise(asks: Iterable[Command]) -> list[Command]:
    """Without HELP and its like where the same is asked about something: `how do I play zertz? the rules?`."""
    asks = list(asks)
    named = {type(ask) for ask in asks if isinstance(ask, Help) and game_of([ask.topic])}
    return [ask for ask in asks if type(ask) not in named or game_of([getattr(ask, "topic", "")])]


def _is_greeting(lines: Iterable[str]) -> bool:
    """Whether the lines say nothing: hello, thanks, and a name below."""
    said = [line for line in lines if line.strip()]
    if said and len(said[-1].split()) <= _NAME and said[-1].strip()[:1].isupper():
        said.pop()
    return all({fold(word) for word in _LETTERS.findall(line)} <= COURTESIES | _LITTLE for line in said)


def _helps(text: str) -> Iterator[str]:
    """HELP RESIGN for `how do I resign?`."""
    for asked in asked_how(text):
        word, _, how = asked.partition(" ")
        lines = (*nearly(how, anew=True), *_about(how), how)
        verbs = [verb for line in lines if fold(verb := line.partition(" ")[0]) in VERBS_OF and len(verb) > 2]
        yield from (f"{word} {verb.upper()}" for verb in verbs if fold(verb) != fold(word))


def _is_never_asked(command: Command, text: str) -> bool:
    """What only an answer to a question can mean, what nobody can answer with YES, and what is itself in doubt."""
    if isinstance(command, Set):
        return not command.wishes
    if isinstance(command, (Move, Say)) and "?" in text:
        return True
    return isinstance(command, (Accept, Decline)) or _says_more(command)


def _says_more(command: Command) -> bool:
    """Whether free text goes with it: then a sentence may be one by chance. `say thanks` is meant."""
    if isinstance(command, Say):
        return not set(map(fold, _LETTERS.findall(command.text))) <= COURTESIES
    return not isinstance(command, Move) and bool(
        getattr(command, "text", "") or getattr(command, "reason", "")
    )


def _without_doubts(text: str) -> Iterator[str]:
    """HELP! and Draw?, as they would stand alone."""
    if text.endswith(("!", "?", "..")):
        said = of_match(without_courtesy(unquoted(text.rstrip("!?. "))))
        yield said.upper() if said.isalpha() else said
    elif text.isalpha():
        yield text.upper()


def _about(text: str) -> Iterator[str]:
    """The lines whose words it has, beside such as say little."""
    words = [*map(fold, WORD.findall(text))]
    if not 0 < len(words) <= _FEW_WORDS:
        return
    for about in _ABOUT:
        rest = [word for word in words if word not in about.words]
        if len(words) - len(rest) == len(about.words) and _LITTLE.issuperset(rest):
            yield about.line


def _mistyped(text: str) -> Iterator[str]:
    """With the verb that its first word nearly is. Few mistype a first letter, and every short word is near to many."""
    first, _, rest = text.partition(" ")
    word = bare("".join(filter(str.isalpha, first)))
    if not 3 < len(word) < 20 or word in VERBS_OF:
        return
    possible = [verb for verb in VERBS_OF if verb[:1] == word[:1] and len(verb) > 3]
    for verb in islice(get_close_matches(word, possible, n=2, cutoff=0.75), 2):
        yield f"{verb} {rest}".rstrip()
