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

from games import spoken
from pbem.inbox.commands.clocks.grammar import Clock
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.directory.grammar import Players
from pbem.inbox.commands.general.grammar import Games, Help, Standings
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.letters.grammar import Letters
from pbem.inbox.commands.line import IsMove, game_of, plain
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.matchmaking.grammar import Accept, Decline
from pbem.inbox.commands.normalization import bare, of_match, unquoted, without_courtesy
from pbem.inbox.commands.offers.grammar import Open
from pbem.inbox.commands.paraphrases import asked_how, nearly
from pbem.inbox.commands.phrases import written
from pbem.inbox.commands.playing.grammar import Move
from pbem.inbox.commands.preferences.grammar import Preferences, Set
from pbem.inbox.commands.sketches import sketched
from pbem.inbox.commands.talking.grammar import COURTESIES, Say
from pbem.inbox.commands.views.grammar import History, Show
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MOST_LINES = 12  # that are looked at; in a longer letter much is said
_LONGEST_LINE = 160  # characters
_MOST_WORDS = 14  # of a line that is about a move
_FEW_WORDS = 8  # of one about anything else
_LONGEST_MOVE = 6  # words
_MOST_ASKED = 3
_FEW_CLAUSES = 3
_LITTLE = _WORDS.words("little", "words")
_BEFORE, _AFTER = _WORDS.words("little", "before"), _WORDS.words("little", "after")
_BESIDE = re.compile(r"\([^()]*\)|[:;]-?[)(DP]")  # what is said in passing
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?['’]?")
_SIGNS = ".,;:!'\"«»“”()[]"
_NAMES_A_CELL = re.compile(r"[^\W\d_][0-9]")
_LETTERS = re.compile(r"[^\W\d_]+")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|,\s+|\s+[-–—]\s+")
_MOST_SENTENCES = 4
_NAME = 2  # words of a name below
_SURE, _SURE_ANEW = 4, 3  # words that are more than an exclamation; where no match is answered
_PARTS = 2  # of a move that do not stand together
# What is done without a question, for it only reads and is no harm.
_HARMLESS = (Help, Players, Open, Games, Standings, Show, History, Clock, Preferences, Letters)


@dataclass(frozen=True)
class _About:
    """Words of a command, and its line in the grammar."""

    words: frozenset[str]
    line: str


def _said(words: Iterable[str]) -> set[str]:
    return {fold(word) for each in words for word in _WORD.findall(each)}


def _abouts() -> tuple[_About, ...]:
    return tuple(
        _About(frozenset(_said([phrase])), written(line, language))
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

    def near(self, line: str) -> _Near | None:
        text = plain(line)
        if move := _near_move(text, self.legal):
            return _Near(Move(move, line=move))
        if said := self._said(text):
            return said
        few = len(text.split()) <= _FEW_WORDS + _LONGEST_MOVE
        words = (*_without_doubts(text), *_about(text), *_mistyped(text)) if few else ()
        return (
            self._in_a_sentence(text)
            or self._meant(words, text)
            or self._meant(sketched(text, anew=self.own is None), text, letters=True)
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
            if (
                command
                and not _is_never_asked(command, text)
                and (letters or not isinstance(command, Letters))
            ):
                return _Near(replace(command, line=line.upper() if line.isalpha() else line))
        return None

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
    beside: list[str] = []
    reader = _Reader(is_move, own, legal)
    short = sum(1 for line in lines if line.strip()) <= _MOST_LINES
    for line in lines:
        near = reader.near(line) if short and 0 < len(line.strip()) <= _LONGEST_LINE else None
        if near is None:
            beside.append(line)
        else:
            asks.setdefault(near.command, near)
    meant = _most_precise(asks)
    moves = [ask for ask in meant if isinstance(ask, Move)]
    if len(moves) > 1 or len(meant) > _MOST_ASKED or not meant:
        return NearMisses()
    sure = all(near.sure for near in asks.values()) and _is_greeting(beside)
    return NearMisses(tuple(moves or meant), tuple(beside), sure)


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


def _near_move(text: str, legal: LegalMoves | None) -> str:
    """The one legal move that the line has, among words that go with moving; "" where there is none or it is asked."""
    if legal is None or "?" in text:
        return ""
    words = _BESIDE.sub(" ", text).split()
    if not 1 <= len(words) <= _MOST_WORDS or not _NAMES_A_CELL.search(text):
        return ""
    return (
        _among(words, legal)
        or _without_the_rest(words, legal)
        or _clause(text, legal)
        or (legal.nearest(text) if len(words) < 3 else "")
    )


def _clause(text: str, legal: LegalMoves) -> str:
    """A move that is all there is between two commas, in a short line that names no other cell."""
    clauses = [clause for clause in re.split(r"[,.;:!]", text) if clause.strip()]
    with_cells = [clause.strip() for clause in clauses if _NAMES_A_CELL.search(clause)]
    if not 1 < len(clauses) <= _FEW_CLAUSES or len(with_cells) != 1 or len(text.split()) > _FEW_WORDS:
        return ""
    return legal.meant(with_cells[0])


def _among(words: Sequence[str], legal: LegalMoves) -> str:
    """A move that stands together."""
    found = {
        (start, end): move
        for start, end in _spans(words)
        if (move := legal.meant(" ".join(words[start:end]).strip(_SIGNS)))
    }
    longest = {move for (start, end), move in found.items() if not _is_part((start, end), found)}
    if len(longest) != 1:
        return ""
    (start, end), move = max(found.items(), key=lambda one: one[0][1] - one[0][0])
    return move if _said(words[:start]) <= _BEFORE and _said(words[end:]) <= _AFTER else ""


def _without_the_rest(words: Sequence[str], legal: LegalMoves) -> str:
    """A move whose parts stand apart: white on d4, and I remove a1; the piece on b8 goes to b6."""
    said = [" ".join(_said([word])) for word in words]
    pieces = spoken.piece_words()
    kept = [
        word.strip(_SIGNS)
        for word, name in zip(words, said, strict=True)
        if name in pieces or _NAMES_A_CELL.search(word)
    ]
    rest = {name for word, name in zip(words, said, strict=True) if word.strip(_SIGNS) not in kept}
    if len(kept) < _PARTS or not rest - {""} <= _BEFORE | _AFTER:
        return ""
    begins = [word for word in kept if _NAMES_A_CELL.search(word)][:2]
    ways = [" ".join(kept)]
    if kept[: len(begins)] == begins:
        ways.append(" ".join(["-".join(begins), *kept[len(begins) :]]))
    return next(filter(None, map(legal.meant, ways)), "")


def _spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """From a word to another one that names a cell, or has a piece before it."""
    cells = [at for at, word in enumerate(words) if _NAMES_A_CELL.search(word)]
    if not cells or len(cells) > _LONGEST_MOVE:
        return
    for start in range(max(0, cells[0] - 3), cells[-1] + 1):
        for end in (cell + 1 for cell in cells if start < cell + 1 <= start + _LONGEST_MOVE):
            yield start, end


def _is_part(span: tuple[int, int], spans: Iterable[tuple[int, int]]) -> bool:
    return any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)


def _without_doubts(text: str) -> Iterator[str]:
    """HELP! and Draw?, as they would stand alone."""
    if text.endswith(("!", "?", "..")):
        said = of_match(without_courtesy(unquoted(text.rstrip("!?. "))))
        yield said.upper() if said.isalpha() else said
    elif text.isalpha():
        yield text.upper()


def _about(text: str) -> Iterator[str]:
    """The lines whose words it has, beside such as say little."""
    words = [*map(fold, _WORD.findall(text))]
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
