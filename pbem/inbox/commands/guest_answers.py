"""Reads a guest's free answer to an invitation: `Alright mate, I'm in`, `is it free?`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import islice

from pbem.inbox.commands.line import LONGEST_LINE, typed
from pbem.inbox.commands.verbs import COURTESIES
from pbem.inbox.understanding.answers import (
    PLAIN_YES,
    agrees,
    begins_with_no,
    is_beside,
    leads_with_no,
    sets_condition,
)
from pbem.inbox.understanding.normalization import without_smileys
from pbem.inbox.understanding.slots.moves import tells_move
from pbem.inbox.understanding.slots.names import KIN
from pbem.wording import fold, wording

_WORDS = wording(f"{__package__}.matchmaking")
_LONGEST = 160  # characters of a line
_MOST_LINES = 12
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+")
_CLAUSE = re.compile(r"[,.;:!?…]+(?:\s+|$)|\s+[-–—]+\s+|\s+(?=(?:but|ma|però)\s)")
_AND = re.compile(r"\s+(?:and|then|e|poi)\s+", re.IGNORECASE)
_WHO = tuple(f"{way} " for way in _WORDS.words("invited", "who_is"))
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?")


def agreed_in(line: str, names: Collection[str] = ()) -> bool | None:
    """Whether the line says yes or no; None for neither or both. `names`: the people addressed."""
    said = typed(without_smileys(line[:LONGEST_LINE]))
    if not said or len(said) > _LONGEST or _wonders(said) or _asks_back(line):
        return None
    spoken_to = {*map(fold, names), *KIN, *_WORDS.words("invited", "spoken_to")}
    found = {each for clause, last in _clauses(said) for each in _meanings(clause, spoken_to, last)}
    if found <= {"yes", "along", ""} and "yes" in found:
        return True
    return False if found <= {"no", ""} and "no" in found else None


def _asks_back(line: str) -> bool:
    """Matches `È sicuro?`, a yes without its sign; not `why not?`."""
    asked = (each for each in _SENTENCE.split(line.strip()) if each.endswith("?"))
    return any(agrees(each) is None and _meaning(each.rstrip("?"), (), False) == "yes" for each in asked)


def declines(lines: Sequence[str], names: Collection[str]) -> bool | None:
    """Returns False when the lines decline: `Sorry, I've no time for games these days.`; else None."""
    terms = any(map(speaks_of_terms, lines[:_MOST_LINES]))
    leads = not terms and leads_with_no(lines) and not _is_surprised(lines)
    return False if leads or _declines(lines, names) else None


def _is_surprised(lines: Sequence[str]) -> bool:
    """Matches `Ma no, che bella sorpresa!`, which declines nothing."""
    clauses = [clause for line in lines[:_MOST_LINES] for clause, _ in _clauses(line[:LONGEST_LINE])]
    first, *others = clauses or [""]
    refuses = any(_says_any(other, "declining") for other in others)
    return _level(first) in _said("surprised") and bool(others) and not refuses


def _declines(lines: Sequence[str], names: Collection[str]) -> bool:
    """Whether the first clause declines, or a no has a reason; and nothing speaks against it."""
    said = [typed(without_smileys(line[:LONGEST_LINE])) for line in lines[:_MOST_LINES]]
    spoken_to = {*map(fold, names), *KIN, *_WORDS.words("invited", "spoken_to")}
    clauses = [clause for line in said for clause, _ in _clauses(line)]
    meanings = [_meaning(clause, spoken_to, False) for clause in clauses]
    first = next((clause for clause, meaning in zip(clauses, meanings, strict=True) if meaning), "")
    level = f"{_without(_level(first), spoken_to)} "
    begun = any(level.startswith(f"{way} ") for way in _said("declining") if " " in way)
    others = [clause for clause, meaning in zip(clauses, meanings, strict=True) if meaning != "no"]
    with_reason = len(others) < len(clauses) and any(_says_any(other, "declining") for other in others)
    kindly = any(map(_is_kind, clauses)) and _declines_at_last(clauses)
    against = {"yes", "along"} & set(meanings) or any(map(tells_move, clauses))
    asked = any("?" in line and not _says_any(line, "another_time") for line in lines[:_MOST_LINES])
    if against or asked:
        return False
    return kindly or ((begun or with_reason) and not _contrasts(others))


def _declines_at_last(clauses: Sequence[str]) -> bool:
    """Matches `I have no time` without `but tomorrow` behind it."""
    refusing = [number for number, clause in enumerate(clauses) if _says_any(clause, "declining")]
    return bool(refusing) and not _contrasts(clauses[refusing[-1] + 1 :])


def _is_kind(clause: str) -> bool:
    """Matches `Thank you for asking, but`."""
    return f"{_level(clause)} ".startswith(tuple(f"{way} " for way in _said("kindly")))


def _contrasts(clauses: Sequence[str]) -> bool:
    return any(
        _level(clause).partition(" ")[0] in _WORDS.words("invited", "contrasting") for clause in clauses
    )


def agrees_among_talk(lines: Sequence[str], names: Collection[str]) -> bool:
    """Whether a clause is a plain yes, none is a no, and no other speaks of the match."""
    spoken_to = {*map(fold, names), *KIN, *_WORDS.words("invited", "spoken_to")}
    said = [sentence for line in lines[:_MOST_LINES] for sentence in _SENTENCE.split(line[:LONGEST_LINE])]
    stated = [clause for each in said for clause, last in _clauses(each) if not ("?" in each and last)]
    meanings = {clause: _meaning(clause, spoken_to, False) for clause in stated}
    plainly = any(means == "yes" and _level(each) not in _said("opening") for each, means in meanings.items())
    if not plainly or "no" in meanings.values() or begins_with_no(lines):
        return False
    others = [clause for clause, means in meanings.items() if means == "?"]
    asked = [each for each in said if "?" in each]
    return not any(map(_may_be_condition, others)) and not any(map(_asks_of_match, asked))


def _asks_of_match(question: str) -> bool:
    return _says_any(question, "of_match") or _says_any(question, "terms")


def _may_be_condition(clause: str) -> bool:
    """Whether the clause has a word for terms; days or hours only beside a number."""
    counts = any(map(str.isdigit, clause)) and _says_any(clause, "measures")
    return counts or _says_any(clause, "terms") or sets_condition([clause])


def speaks_of_terms(line: str) -> bool:
    """Whether the line has a word for a clock, a day, or a preference."""
    return any(_says_any(line, key) for key in ("terms", "measures", "days"))


def _says_any(line: str, key: str) -> bool:
    return bool(_anywhere(key).search(f" {_level(line[:LONGEST_LINE])} "))


def thinks_better(lines: Iterable[str]) -> bool:
    """Whether a guest who declined wants to play after all: `on second thought, yes`."""
    changed, others = _second_thoughts(lines)
    return "no" not in others and (bool(changed) or "yes" in others) and not _negated(changed)


def reconsiders(lines: Iterable[str]) -> bool:
    """Like `thinks_better`, for a new email: it has to say that it is a second thought."""
    changed, others = _second_thoughts(lines)
    return bool(changed) and "no" not in others and not _negated(changed)


def _second_thoughts(lines: Iterable[str]) -> tuple[list[str], set[str]]:
    """Returns the clauses with second thoughts, and the meanings of the others."""
    said = [clause for line in islice(lines, _MOST_LINES) for clause, _ in _clauses(line[:LONGEST_LINE])]
    changed = [clause for clause in said if _anywhere("reconsidering").search(f" {_level(clause)} ")]
    return changed, {_meaning(clause, (), False) for clause in said if clause not in changed}


def _negated(clauses: Iterable[str]) -> bool:
    return any(_anywhere("negating").search(f" {_level(clause)} ") for clause in clauses)


def begins_with_yes(lines: Iterable[str]) -> bool:
    """Whether the first clause with content is a yes, and not for another time."""
    lines = list(islice(lines, _MOST_LINES))
    if any(_says_any(line, "another_time") for line in lines):
        return False
    said = (line[:LONGEST_LINE] for line in lines if not _wonders(line))
    clauses = (clause for line in said for clause, _ in _clauses(line))
    first = next((clause for clause in clauses if not is_beside(_level(clause))), "")
    return bool(agrees(first)) or _meaning(first, (), False) == "yes"


def move_told(lines: Iterable[str]) -> str:
    """Returns the first clause that states a move, else ""."""
    clauses = (clause for line in islice(lines, _MOST_LINES) for clause, _ in _clauses(line[:LONGEST_LINE]))
    pieces = (piece for clause in clauses for piece in _AND.split(clause))
    return next((piece.strip() for piece in pieces if tells_move(piece)), "")


def asks_about_us(lines: Iterable[str]) -> bool:
    """Whether a question is about the service or the game."""
    return _asks("asking", lines) or asks_what_to_do(lines)


def asks_what_to_do(lines: Iterable[str]) -> bool:
    """Whether a question is how to go on."""
    return _asks("asking_how", lines)


def states_something(lines: Iterable[str]) -> bool:
    """Whether a sentence is neither a question nor a mere courtesy."""
    said = (sentence for line in islice(lines, _MOST_LINES) for sentence in _SENTENCE.split(line))
    return any("?" not in each and _level(each) and not is_beside(_level(each)) for each in said)


def asks_who(lines: Sequence[str], name: str) -> bool:
    """Whether the questions are only about that player's identity or strength."""
    said = [_level(clause) for line in lines[:_MOST_LINES] for clause, _ in _clauses(line[:LONGEST_LINE])]
    rest = [f" {each} ".replace(f" {fold(name)} ", " ") for each in said]
    asked = [bool(_anywhere("asking_who").search(each)) for each in rest]
    return bool(asked) and all(asked) and (asks_something(lines) or _level(lines[0]).startswith(_WHO))


def asks_for_rules(lines: Iterable[str]) -> bool:
    """Whether a question is how the game is played."""
    return _asks("playing", lines)


def wants_only_rules(lines: Iterable[str]) -> bool:
    """Matches `No, I only asked for the rules`, which declines nothing."""
    return any(_says_any(line, "only_rules") for line in islice(lines, _MOST_LINES))


def _asks(key: str, lines: Iterable[str]) -> bool:
    questions = (line for line in islice(lines, _MOST_LINES) if "?" in line)
    return any(_says_any(line, key) for line in questions)


def asks_something(lines: Iterable[str]) -> bool:
    return any("?" in line for line in islice(lines, _MOST_LINES))


def _wonders(said: str) -> bool:
    """Matches `yes?`, which asks back."""
    return "?" in said and PLAIN_YES.issuperset(_level(said).split())


def _clauses(said: str) -> list[tuple[str, bool]]:
    clauses = [clause for clause in _CLAUSE.split(said) if _level(clause)]
    return [(clause, number == len(clauses)) for number, clause in enumerate(clauses, 1)]


def _meanings(clause: str, spoken_to: Collection[str], last: bool) -> set[str]:
    """Returns the meaning of the clause, or of its parts if one tells a move."""
    whole, pieces = _meaning(clause, spoken_to, last), _AND.split(clause)
    joins = whole == "?" and any(map(tells_move, pieces))
    return {_meaning(piece, spoken_to, last) for piece in pieces} if joins else {whole}


def _meaning(clause: str, spoken_to: Collection[str], last: bool) -> str:
    """Returns `yes`, `no`, `along` (goes with either), "" (says nothing) or "?" (anything else)."""
    level = _without(_level(clause), spoken_to)
    if is_beside(level) or set(level.split()) <= COURTESIES:
        return ""
    if agrees(level) is not None or level in _said("declining"):
        return "yes" if agrees(level) else "no"
    if _assured(level) in _said("accepting"):
        return "yes"
    if level in _said("along") or _goes_along(level):
        return "along"
    signs = last and len(clause.split()) == 1 and clause.strip().istitle()
    return "" if signs or tells_move(clause) else "?"


def _goes_along(level: str) -> bool:
    """Matches `be patient with me, as`: a phrase that goes along, and goes on."""
    begun = any(level.startswith(f"{phrase} ") for phrase in _said("along") if phrase.count(" "))
    return begun and not _says_any(level, "terms") and not any(map(str.isdigit, level))


def _assured(level: str) -> str:
    """Removes assurances and the host: `of course I'll play with you` becomes `I'll play`."""
    said = _anywhere("assuring").match(f" {level} ")
    rest = f" {level[said.end() - 1 :]} " if said else f" {level} "
    return _anywhere("with_host").sub(" ", rest).strip()


def _without(level: str, spoken_to: Collection[str]) -> str:
    """Removes the people addressed at both ends, and little words before them."""
    words = level.split()
    if len(words) > 2 and words[0] in PLAIN_YES and words[1] in spoken_to:  # yes Nora, I'll play
        del words[1]
    little = _said("little")
    while words and words[-1] in spoken_to:
        words.pop()
    while words and (words[0] in spoken_to or (words[0] in little and " ".join(words) not in _all())):
        words.pop(0)
    return " ".join(words)


def _level(text: str) -> str:
    return " ".join(fold(word.replace("’", "'")) for word in _WORD.findall(text))


@cache
def _said(key: str) -> frozenset[str]:
    return frozenset(map(_level, _WORDS.words("invited", key)))


@cache
def _all() -> frozenset[str]:
    return _said("accepting") | _said("along") | _said("declining")


@cache
def _anywhere(key: str) -> re.Pattern[str]:
    return re.compile(rf" (?:{'|'.join(map(re.escape, sorted(_said(key), key=len, reverse=True)))})(?= )")
