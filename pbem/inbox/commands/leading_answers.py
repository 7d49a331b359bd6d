"""An answer to a question of ours that leads what else is said: `Yesss! Sorry for the late reply`, `No, sorry. Perhaps
at Christmas`.

A sentence, or the clause with which the first begins, is a plain yes or no, in which nothing else stands but joy,
names, and what was asked about. What is around it holds a yes back with a denial, a condition, terms, a number, a game,
an address, a question, or another command. `OK` and its like open talk too (`ok, I see`), so nothing else may be said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from itertools import islice

from pbem.inbox.commands.agreement import agrees, is_beside, is_friendly, only_answers
from pbem.inbox.commands.emphasis import undrawn
from pbem.inbox.commands.line import LONGEST_LINE, typed
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.phrases import game_pattern, matching
from pbem.inbox.commands.smileys import without_smileys
from pbem.inbox.commands.talking.grammar import Say
from pbem.inbox.commands.words import CONFIRMING, REFUSING, VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MOST_LINES = 12  # more is a letter of its own
_STEM = 5  # letters that a word and its forms share: propose, proposing
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+")
_CLAUSE = re.compile(r"[,.!?:;…]+(?:\s+|$)|\s+-+\s+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_HELD = re.compile(r"[?@\d]|://")
_PLAIN, _NO = _WORDS.words("leading_answers", "yes"), _WORDS.words("leading_answers", "no")
_YES = PLAIN_YES = _PLAIN | _WORDS.words("leading_answers", "fine")
_JOY, _ASKED = _WORDS.words("leading_answers", "joy"), _WORDS.words("leading_answers", "asked")
_GRAVE = {
    fold(word)
    for verb in VERBS_OF[fold("RESIGN")]
    for phrase in verb.phrases.values()
    for word in phrase.words
}
_BRIEF = 8  # words
_SHORT = _YES | _NO | _JOY
_HOLDING = _WORDS.words("leading_answers", "holding") | _WORDS.words("dates", "weekdays")
_DENYING = _WORDS.words("leading_answers", "denying")
_GOES_ON, _ASSENTING = _WORDS.words("yes_goes_on"), _WORDS.words("assenting")


def leading_answer(
    lines: Iterable[str], about: Collection[str], *, grave: bool = False, playing: bool = False
) -> bool | None:
    """None where neither leads, both are said, or something holds it back. What is `grave` is done by nothing that says
    more, friendly words apart, as is what gives a match up; `playing`, praise is no yes."""
    written = [line for line in islice(lines, _MOST_LINES + 1) if line.strip()]
    if len(written) > _MOST_LINES or any(len(line) > LONGEST_LINE for line in written):
        return None
    asked = {fold(word) for word in about}
    sentences = [each for line in written for each in _sentences(line)]
    agreed = {answer for answer, is_said in _ANSWERS.items() if _leads(sentences, is_said, asked)}
    if len(agreed) != 1:
        return None
    yes = agreed.pop()
    around = [clause for sentence in sentences for clause in _clauses(sentence)]
    held = _holds_back_yes if yes else _holds_back_no
    if any(map(_HELD.search, written)) or any(held(clause, asked) for clause in around):
        return None
    plainly = any(_PLAIN.intersection(_level(clause)) for clause in around)
    if yes and playing and not plainly:
        return None
    grave = grave or not asked.isdisjoint(_GRAVE)
    free = not yes or (plainly and not grave)
    return yes if free or all(_says_little(clause, asked) for clause in around) else None


def plain_answer(lines: Iterable[str]) -> bool | None:
    """The yes or no that is all they say, with a word for it: praise is none."""
    said = [line for line in islice(lines, _MOST_LINES + 1) if not is_beside(line)]
    agreed = {agrees(line) for line in said}
    words = {word for line in said for word in _level(line)}
    plain = len(said) <= _MOST_LINES and len(agreed) == 1 and words & (_PLAIN | _NO)
    return agreed.pop() if plain else None


def holds_back(line: str) -> bool:
    """Whether a word stands in it that makes a yes beside it none: but, if, instead."""
    return not _HOLDING.isdisjoint(_level(line))


def only_leads(line: str, about: Collection[str]) -> bool:
    """Whether each clause is a plain yes, what was asked about, or neither, so that nobody misses it."""
    if only_answers(line, about):
        return True
    asked = {fold(word) for word in about}
    clauses = [clause for each in _sentences(line) for clause in _clauses(each)]
    yes = any(_says_yes(clause, asked) for clause in clauses)
    return (
        yes
        and len(line) <= LONGEST_LINE
        and all(_says_nothing(clause) or _repeats(clause, asked) for clause in clauses)
    )


def agrees_briefly(line: str) -> bool:
    """Whether its first sentence is a short one that begins with yes and names nobody: it is said to whoever asks."""
    first = next(iter(_sentences(line)), "")
    words = _level(first)
    if any(word.istitle() for word in first.split()[1:]):
        return False
    return 1 < len(words) <= _BRIEF and words[0] in _YES and not is_friendly(" ".join(words[1:]))


def without_first_sentence(line: str) -> str:
    return "".join(_SENTENCE.split(line.strip(), maxsplit=1)[1:])


def behind_yes(line: str) -> str:
    """What stands behind a first sentence that is a plain yes: `Yes, thank you. But what is a group?`."""
    first, *behind = _SENTENCE.split(line.strip(), maxsplit=1)
    return behind[0] if behind and agrees(first) and "?" not in first else ""


def _sentences(line: str) -> list[str]:
    said = typed(without_smileys(line))
    return [each for each in _SENTENCE.split(said) if _WORD.search(each)]


def _clauses(sentence: str) -> list[str]:
    return [clause.strip() for clause in _CLAUSE.split(sentence) if _WORD.search(clause)]


def _leads(sentences: list[str], is_said: Callable[[str, Collection[str]], bool], asked: set[str]) -> bool:
    """The first clause of the first sentence that says anything, or of one behind it."""
    said = (clauses for sentence in sentences if "?" not in sentence and (clauses := _clauses(sentence)))
    first = (next((c for c in clauses if not _says_nothing(c)), "") for clauses in said)
    return any(is_said(clause, asked) for clause in first if clause)


def _says_nothing(clause: str) -> bool:
    return is_beside(clause) or set(_level(clause)) <= _JOY or _calls(clause)


def _calls(clause: str) -> bool:
    """A name alone."""
    word, *others = _WORD.findall(clause)
    return not others and word.istitle() and is_name(word) and not (_YES | _NO).intersection(_level(word))


def _level(clause: str) -> list[str]:
    """Its words, each as short as the answer that it drags out."""
    return [undrawn(fold(word.replace("’", "'")), _SHORT) for word in _WORD.findall(clause)]


def _says_yes(clause: str, asked: Collection[str]) -> bool:
    words = _level(_without_names(clause))
    if not _YES.intersection(words):
        return agrees(clause) is True
    before = words[: min(words.index(yes) for yes in _YES.intersection(words))]
    return _JOY.issuperset(before) and all(_is_of_yes(word, asked) for word in words[len(before) :])


def _is_of_yes(word: str, asked: Collection[str]) -> bool:
    own = any(len(each) >= _STEM and word.startswith(each[:_STEM]) for each in asked)
    return word in _YES | _JOY | _GOES_ON | _ASKED or word in asked or own


def _says_no(clause: str, asked: Collection[str]) -> bool:
    words = _level(_without_names(clause))
    return agrees(clause) is False or (words[:1] != [] and words[0] in _NO and _JOY.issuperset(words[1:]))


_ANSWERS = {True: _says_yes, False: _says_no}


def _without_names(clause: str) -> str:
    first, *others = _WORD.findall(clause)
    return " ".join([first, *(word for word in others if not (word.istitle() and is_name(word)))])


def _says_little(clause: str, asked: Collection[str]) -> bool:
    agreed = agrees(clause) is not None
    return agreed or _repeats(clause, asked) or _says_nothing(clause) or is_friendly(clause)


def _repeats(clause: str, asked: Collection[str]) -> bool:
    return all(_is_of_yes(word, asked) for word in _level(_without_names(clause)))


def _holds_back_yes(clause: str, asked: Collection[str]) -> bool:
    words = _level(clause)
    if _says_another(clause, words, asked):
        return True
    agreed = agrees(clause)
    if _JOY.issuperset(words) or is_beside(clause) or is_friendly(clause) or agreed:
        return False
    denies = agreed is False or any(
        word in _HOLDING | _DENYING or word.endswith(("n't", "n’t")) for word in words
    )
    return denies or bool(game_pattern().search(bare(f" {clause} ")))


def _says_another(clause: str, words: list[str], asked: Collection[str]) -> bool:
    """A command that was not asked about."""
    if is_beside(clause):
        return False
    said = {fold(line.partition(" ")[0]) for table in ("said", "nearly") for line in matching(table, clause)}
    first = next((word for word in words if not _is_of_yes(word, asked)), "")
    others = [verb for verb in VERBS_OF.get(first, ()) if not issubclass(verb.command, Say)]
    ours = {*asked, *CONFIRMING, *REFUSING}
    return bool((said and not said & ours) or (others and first not in ours))


def _holds_back_no(clause: str, asked: Collection[str]) -> bool:
    words = set(_level(clause))
    return not is_beside(clause) and bool(words & (_ASSENTING | _YES))
