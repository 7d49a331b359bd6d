"""Recognises yes and no in free wording: `sure`, `volentieri`. `pbem.inbox.consent` decides on consent."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from pbem.inbox.commands.line import LONGEST_LINE, typed
from pbem.inbox.commands.verbs import CONFIRMING, REFUSING
from pbem.inbox.understanding.normalization import spelled_out, without_smileys
from pbem.inbox.understanding.slots.names import is_name
from pbem.wording import fold, wording

# Shortens lengthened answers: `siii`, `yesss`, `okkk`.

_WORDS = wording("pbem.inbox.commands")
_WORD = re.compile(r"[^\W\d_]{3,}")
_DRAWN_OUT = re.compile(
    r"([^\W\d_])\1+\b|([^\W\d_])\2{2,}"
)  # inside a word three letters or more: `good` is not `god`
_TABLES = ("agreeing", "eager", "declining")


def unemphatic(text: str) -> str:
    """Shortens lengthened answers in a text: `okkk ci sto` becomes `ok ci sto`."""
    return _WORD.sub(lambda found: undrawn(found[0], _answers()), text)


def undrawn(word: str, known: Container[str]) -> str:
    """Returns the `known` word that the word lengthens, else the word itself."""
    short = _DRAWN_OUT.sub(lambda found: found[1] or found[2], word)
    return short if fold(word) not in known and fold(short) in known else word


@cache
def _answers() -> frozenset[str]:
    said = frozenset().union(*map(_WORDS.words, _TABLES), CONFIRMING, REFUSING)
    return frozenset(fold(phrase) for phrase in said if " " not in phrase)


_MOST_LINES = 400
_LONGEST = 60  # characters
_LONGEST_REASON = 160
_BARE_NO = 3  # words
_CLAUSE = re.compile(r"[,.!;:…]+(?:\s+|$)|\s+-+\s+")
_GAP = re.compile(r"[^\w'’]+")


def _level(text: str) -> str:
    """Lower-cases the words, without accents and punctuation."""
    return " ".join(map(fold, filter(None, _GAP.split(text))))


def _typed(line: str) -> str:
    return _line_typed(line[:LONGEST_LINE])


@lru_cache(maxsize=1024)  # called repeatedly for each line
def _line_typed(line: str) -> str:
    return unemphatic(spelled_out(typed(without_smileys(line))))


@dataclass(frozen=True)
class _Run:
    """Matches sequences of one or more of the phrases."""

    # Not a regular expression: phrases contain each other, so a pattern would backtrack exponentially.

    phrases: frozenset[str]
    longest: int  # of their words

    def fits(self, level: str) -> bool:
        """Whether the whole text is such a sequence."""
        words = level.split(" ")
        ends = {0}
        for start in range(len(words)):
            if start in ends:
                last = min(start + self.longest, len(words))
                ends |= {
                    end for end in range(start + 1, last + 1) if " ".join(words[start:end]) in self.phrases
                }
        return len(words) in ends

    def begins(self, level: str) -> str:
        """Returns the longest beginning made of the phrases, up to the next word; "" when there is none."""
        words = level.split(" ")
        start = 0
        while end := self._longest_from(words, start):
            start = end
        return level if start == len(words) else level[: len(" ".join(words[:start])) + bool(start)]

    def _longest_from(self, words: Sequence[str], start: int) -> int:
        """Returns where the longest phrase at `start` ends, or 0."""
        ends = range(min(start + self.longest, len(words)), start, -1)
        return next((end for end in ends if " ".join(words[start:end]) in self.phrases), 0)


@cache
def _run(*tables: frozenset[str]) -> _Run:
    phrases = frozenset(_level(word) for table in tables for word in table)
    return _Run(phrases, max(phrase.count(" ") for phrase in phrases) + 1)


_BESIDE = _WORDS.words("beside_answer")
_ASSENT, _EAGER = _WORDS.words("agreeing") | CONFIRMING, _WORDS.words("eager")
_YES, _NO = _ASSENT | _EAGER, _WORDS.words("declining") | REFUSING
_NO_FIRST = _WORDS.words("no_first")
_GOES_ON = _WORDS.words("no_goes_on")
_SURE, _FRIENDLY = _WORDS.words("surely"), _WORDS.words("friendly")
_GREETING = _WORDS.words("greeting")
_ASSENTING = _WORDS.words("assenting")
_RHETORICAL = frozenset(map(_level, _WORDS.words("rhetorical")))
_CONTRARY = _WORDS.words("contrary")
_PLAY_ON = frozenset(map(_level, _WORDS.words("play_on")))  # `si gioca` is no `sì`


@dataclass(frozen=True)
class Answer:
    """`agreed` is None for neither or both; `line` says it, `rest` is the other text. A reason is in both."""

    agreed: bool | None
    line: str = ""
    rest: tuple[str, ...] = ()


def agrees(line: str, *, playing: bool = False) -> bool | None:
    """Whether the whole line says yes or no. None for neither, and for questions other than `why not?`.

    `playing`: the match goes on, so praise is no yes.
    """
    return _agrees(line, playing)


@lru_cache(maxsize=1024)
def _agrees(line: str, playing: bool) -> bool | None:
    said = _typed(line)
    level = _level(said)
    if "?" in line and level not in _RHETORICAL:
        return None
    if not level or len(said) > _LONGEST or _run(_BESIDE).fits(level):
        return None
    if playing and level in _PLAY_ON:
        return False
    if _run(_ASSENT if playing else _YES, _BESIDE).fits(level):
        return True
    return False if _run(_NO, _BESIDE).fits(level) else None


def answers(line: str, *, playing: bool = False) -> bool | None:
    """Like `agrees`, but a no may have a reason and a yes friendly words beside it."""
    said = _typed(line)
    whole = agrees(line, playing=playing)
    if whole is not None or "?" in said or len(said) > _LONGEST_REASON:
        return whole
    if _refuses(said):
        return False
    return True if _accepts(said, playing=playing) else None


def answer_in(lines: Iterable[str], *, playing: bool = False) -> Answer:
    """Returns the answer that all answering lines share; only the first line may give a reason."""
    written = [line.rstrip() for line in islice(lines, _MOST_LINES)]
    first = next((line for line in written if not _says_nothing(line)), "")
    whole = {line: agrees(line, playing=playing) for line in written}
    said = whole | {first: answers(first, playing=playing)} if first else whole
    found = {agreed for agreed in said.values() if agreed is not None}
    if len(found) != 1:
        return Answer(None)
    line = next(line for line, agreed in said.items() if agreed is not None)
    return Answer(said[line], line, tuple(line for line in written if not is_bare(line)))


def says_contrary(lines: Iterable[str]) -> bool:
    """Whether a line says `No, the opposite!`, which revokes what stands beside it."""
    return any(word in _CONTRARY for line in lines for word in _level(_typed(line)).split())


def is_bare(line: str) -> bool:
    """Whether the line is a yes, or a no of at most three words."""
    agreed = agrees(line)
    return agreed or (agreed is False and len(line.split()) <= _BARE_NO)


def is_friendly(text: str) -> bool:
    """Whether the text consists of friendly words only: `good luck, Ben!`."""
    said = [clause for clause in _CLAUSE.split(_typed(text)) if _level(clause)]
    return "?" not in text and bool(said) and all(_is_friendly(_without_names(clause)) for clause in said)


def begins_with_no(lines: Iterable[str]) -> bool:
    """Whether the first clause with content is a no, however the line goes on."""
    said = (clause for line in islice(lines, _MOST_LINES) for clause in _CLAUSE.split(_typed(line)))
    first = next((_level(clause) for clause in said if not _says_nothing(clause)), "")
    return _run(_NO_FIRST).fits(first)


def without_no(lines: Iterable[str]) -> list[str]:
    """Removes a no at the beginning: `no. JOIN 1` becomes JOIN 1."""
    said = list(islice(lines, _MOST_LINES))
    for number, line in enumerate(said):
        if _says_nothing(line):
            continue
        clause = _CLAUSE.search(line[:LONGEST_LINE])
        first, rest = (line[: clause.start()], line[clause.end() :]) if clause else (line, "")
        if _says_nothing(first):
            return [*said[:number], *without_no([rest]), *said[number + 1 :]]
        return [*said[:number], rest, *said[number + 1 :]] if _run(_NO_FIRST).fits(_level(first)) else said
    return said


def is_beside(line: str) -> bool:
    """Whether the line only has words that accompany an answer."""
    return _says_nothing(line)


def _says_nothing(line: str) -> bool:
    level = _level(line)
    return not level or _run(_BESIDE).fits(level)


def _refuses(said: str) -> bool:
    """Matches `No, I changed my mind`, `no thanks Nora, play on!`; not `no problem`, `no, that's fine`."""
    clauses = [clause for clause in _CLAUSE.split(said) if not _says_nothing(clause)]
    level = _level(clauses[0]) if clauses else ""
    no = _run(_NO_FIRST).begins(level)
    if not no or any(map(str.isdigit, said)) or _ASSENTING.intersection(_level(said).split()):
        return False
    rest = level[len(no) :].split()
    if not rest:
        return len(clauses) > 1
    return rest[0] in _GOES_ON or (len(rest) == 1 and clauses[0].split()[-1].istitle())


def _accepts(said: str, *, playing: bool) -> bool:
    """Matches `I'm in, mate! But I'll win`: a plain yes, with all other clauses friendly."""
    clauses = [clause for clause in _CLAUSE.split(said) if _level(clause)]
    plainly = [_plain_yes(_without_names(clause)) for clause in clauses]
    return any(plainly) and all(
        yes or agrees(clause, playing=playing) or _is_friendly(_without_names(clause))
        for clause, yes in zip(clauses, plainly, strict=True)
    )


def _plain_yes(level: str) -> bool:
    yes = _run(_SURE, _BESIDE).begins(level)
    if not yes or not _is_friendly(level[len(yes) :]):
        return False
    starts = (word.start() for word in re.finditer(r"\S+", yes))
    return any(_run(_SURE).begins(level[start:]) for start in starts)


def _is_friendly(level: str) -> bool:
    return not level or _run(_FRIENDLY, _BESIDE).fits(level)


def _without_names(clause: str) -> str:
    """Removes names: `hi Ben` and a final `hi ben` become `hi`."""
    first, *others = [word for word in re.split(r"[^\w'’]+", clause) if word]
    level = _level(" ".join([first, *(word for word in others if not (word.istitle() and is_name(word)))]))
    greeting, _, called = level.rpartition(" ")
    greets = greeting in _GREETING and is_name(called) and not _run(_YES, _NO).fits(called)
    return greeting if greets else level


# Recognises a no that leads other words: `No, sorry. Perhaps at Christmas`.

_MOST_LINES_OF_ANSWER = 12  # more is a letter of its own
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+")
_ANY_CLAUSE = re.compile(r"[,.!?:;…]+(?:\s+|$)|\s+-+\s+")
_ANSWER_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_HELD = re.compile(r"[?@\d]|://")
_LEADING_NO = _WORDS.words("leading_answers", "no")
PLAIN_YES = _WORDS.words("leading_answers", "yes") | _WORDS.words("leading_answers", "fine")
_JOY = _WORDS.words("leading_answers", "joy")
_SHORT = PLAIN_YES | _LEADING_NO | _JOY
_HOLDING = _WORDS.words("leading_answers", "holding") | _WORDS.words("dates", "weekdays")


def leads_with_no(lines: Iterable[str]) -> bool:
    """Whether a sentence begins with a plain no, and nothing agrees, asks, or has a number or address."""
    written = [line for line in islice(lines, _MOST_LINES_OF_ANSWER + 1) if line.strip()]
    if len(written) > _MOST_LINES_OF_ANSWER or any(
        len(line) > LONGEST_LINE or _HELD.search(line) for line in written
    ):
        return False
    sentences = [_clauses(each) for line in written for each in _sentences(line)]
    first = [next((clause for clause in clauses if not _is_filler(clause)), "") for clauses in sentences]
    around = [clause for clauses in sentences for clause in clauses]
    return any(_says_no(clause) for clause in first if clause) and not any(map(_assents, around))


def holds_back(line: str) -> bool:
    """Whether the line has a word that makes a yes beside it void: but, if, instead."""
    return not _HOLDING.isdisjoint(_levelled(line))


def _sentences(line: str) -> list[str]:
    said = typed(without_smileys(line))
    return [each for each in _SENTENCE.split(said) if _ANSWER_WORD.search(each)]


def _clauses(sentence: str) -> list[str]:
    return [clause.strip() for clause in _ANY_CLAUSE.split(sentence) if _ANSWER_WORD.search(clause)]


def _is_filler(clause: str) -> bool:
    return is_beside(clause) or set(_levelled(clause)) <= _JOY or _calls(clause)


def _calls(clause: str) -> bool:
    """Whether the clause is a name alone."""
    word, *others = _ANSWER_WORD.findall(clause)
    return (
        not others
        and word.istitle()
        and is_name(word)
        and not (PLAIN_YES | _LEADING_NO).intersection(_levelled(word))
    )


def _levelled(clause: str) -> list[str]:
    """Returns the words, with lengthened answers shortened."""
    return [undrawn(fold(word.replace("’", "'")), _SHORT) for word in _ANSWER_WORD.findall(clause)]


def _says_no(clause: str) -> bool:
    first, *others = _ANSWER_WORD.findall(clause)
    words = _levelled(" ".join([first, *(word for word in others if not (word.istitle() and is_name(word)))]))
    return agrees(clause) is False or (
        words[:1] != [] and words[0] in _LEADING_NO and _JOY.issuperset(words[1:])
    )


def _assents(clause: str) -> bool:
    return not is_beside(clause) and not (_ASSENTING | PLAIN_YES).isdisjoint(_levelled(clause))


# Recognises a probable yes or no to an opponent: `Agreed, neither of us is getting anywhere`.

_MOST_LINES_OF_PROBABLE, _MOST_WORDS = 6, 40  # more is a letter of its own
_STATED_CLAUSE = re.compile(r"[,.;:!?…]+(?:\s+|$)|\s+[-–—]+\s+|\s+(?=(?:but|ma|però)\s)")
_STATED_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?")
_CONDITIONS = _WORDS.words("conditions")
_CONCEDING = re.compile(rf"\b(?:{_WORDS.either('conceding')})\b", re.IGNORECASE)
_JOYFUL, _ASSENTING_WORDS = _WORDS.words("leading_answers", "joy"), _WORDS.words("assenting")


def sets_condition(lines: Iterable[str]) -> bool:
    """Whether the lines have a question, or a word that makes a yes conditional."""
    return any("?" in line or not _CONDITIONS.isdisjoint(_words(_CONCEDING.sub(" ", line))) for line in lines)


def accepts_explicitly(lines: Iterable[str]) -> bool:
    """Whether a clause accepts a draw in so many words: `Sì, accetto la patta. Ci sentiamo domenica`."""
    return any(
        " ".join(_words(clause)) in _EXPLICITLY for line in lines for clause in _STATED_CLAUSE.split(line)
    )


def probable_answer(
    lines: Iterable[str], names: Collection[str] = (), *, playing: bool = False
) -> bool | None:
    """Returns the answer, None for neither or both. `names`: those addressed. `playing`: praise is no yes."""
    said = [
        typed(without_smileys(line[:LONGEST_LINE])) for line in islice(lines, _MOST_LINES_OF_PROBABLE + 1)
    ]
    if len(said) > _MOST_LINES_OF_PROBABLE or sum(len(line.split()) for line in said) > _MOST_WORDS:
        return None
    stated = (sentence for line in said for sentence in _SENTENCE.split(line) if "?" not in sentence)
    clauses = (clause for sentence in stated for clause in _STATED_CLAUSE.split(sentence))
    spoken_to = set(map(fold, names))
    found = {meant for clause in clauses if (meant := _meant(clause, spoken_to, playing)) is not None}
    return found.pop() if len(found) == 1 else None


def _meant(clause: str, spoken_to: Collection[str], playing: bool) -> bool | None:
    words = [word for word in _words(unemphatic(clause)) if word not in spoken_to]
    whole = agrees(" ".join(words), playing=playing)
    if whole is not None:
        return whole
    for start, word in enumerate(words):  # `oh well, I'd love to`
        begun = _begun(" ".join(words[start:]))
        if begun is not None or word not in _JOYFUL:
            return begun
    return None


def _words(text: str) -> list[str]:
    return [fold(word.replace("’", "'")) for word in _STATED_WORD.findall(text)]


def _begun(level: str) -> bool | None:
    """Returns the answer at the beginning; the longer phrase counts: `no problem` is not `no`."""
    yes = _begins("surely", "yes_first", "probably_yes").match(level)
    no = _begins("no_first", "probably_no").match(level)
    if not no or (yes and yes.end() >= no.end()):
        return True if yes else None
    return None if level[no.end() :].partition(" ")[0] in _ASSENTING_WORDS else False


_EXPLICITLY = {" ".join(_words(way)) for way in _WORDS.words("explicitly")}


@cache
def _begins(*tables: str) -> re.Pattern[str]:
    ways = {" ".join(map(fold, _STATED_WORD.findall(way))) for table in tables for way in _WORDS.words(table)}
    said = "|".join(map(re.escape, sorted(ways, key=len, reverse=True)))
    return re.compile(rf"(?:{said})(?: |$)")
