"""What a guest answers to an invitation in words of their own: `Alright mate, I'm in`, `certo, quando si comincia?`,
`is it free?`. Only there; anywhere else the same words are talk.

A line says yes or no if one of its clauses does and the others are such as go with it; else it is neither.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import islice

from pbem.inbox.commands.agreement import agrees, begins_with_no, is_beside
from pbem.inbox.commands.leading_answers import PLAIN_YES, leads_with_no
from pbem.inbox.commands.line import LONGEST_LINE, typed
from pbem.inbox.commands.matchmaking import grammar
from pbem.inbox.commands.moves_in_talk import tells_move
from pbem.inbox.commands.names import KIN
from pbem.inbox.commands.probable_answers import sets_condition
from pbem.inbox.commands.smileys import without_smileys
from pbem.inbox.commands.talking.grammar import COURTESIES
from pbem.wording import fold, wording

_WORDS = wording(grammar.__package__)
_LONGEST = 160  # characters of a line, lines of a message
_MOST_LINES = 12
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+")
_CLAUSE = re.compile(r"[,.;:!?…]+(?:\s+|$)|\s+[-–—]+\s+|\s+(?=(?:but|ma|però)\s)")
_AND = re.compile(r"\s+(?:and|then|e|poi)\s+", re.IGNORECASE)
_WHO = tuple(f"{way} " for way in _WORDS.words("invited", "who_is"))
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?")


def agreed_in(line: str, names: Collection[str] = ()) -> bool | None:
    """Whether the line says yes, or no, and nothing that speaks against it. `names` are of those who are spoken to."""
    said = typed(without_smileys(line[:LONGEST_LINE]))
    if not said or len(said) > _LONGEST or _wonders(said) or _asks_back(line):
        return None
    spoken_to = {*map(fold, names), *KIN, *_WORDS.words("invited", "spoken_to")}
    found = {each for clause, last in _clauses(said) for each in _meanings(clause, spoken_to, last)}
    if found <= {"yes", "along", ""} and "yes" in found:
        return True
    return False if found <= {"no", ""} and "no" in found else None


def _asks_back(line: str) -> bool:
    """`È sicuro?`, which would be a yes without its sign; not `why not?`."""
    asked = (each for each in _SENTENCE.split(line.strip()) if each.endswith("?"))
    return any(agrees(each) is None and _meaning(each.rstrip("?"), (), False) == "yes" for each in asked)


def declines(lines: Sequence[str], names: Collection[str]) -> bool | None:
    """False where a no leads what else they say, or one goes on: `Sorry, I've no time for games these days. Say hi to
    the kids!`; else None."""
    terms = any(map(speaks_of_terms, lines[:_MOST_LINES]))
    leads = not terms and leads_with_no(lines) and not _is_surprised(lines)
    return False if leads or _declines(lines, names) else None


def _is_surprised(lines: Sequence[str]) -> bool:
    """`Ma no, che bella sorpresa!` says no no."""
    clauses = [clause for line in lines[:_MOST_LINES] for clause, _ in _clauses(line[:LONGEST_LINE])]
    first, *others = clauses or [""]
    refuses = any(_says_any(other, "declining") for other in others)
    return _level(first) in _said("surprised") and bool(others) and not refuses


def _declines(lines: Sequence[str], names: Collection[str]) -> bool:
    """Whether the first clause that says anything begins as people decline, or one is a no and another says why; and
    nothing speaks against it."""
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
    """`I have no time`, behind which no `but tomorrow` stands."""
    refusing = [number for number, clause in enumerate(clauses) if _says_any(clause, "declining")]
    return bool(refusing) and not _contrasts(clauses[refusing[-1] + 1 :])


def _is_kind(clause: str) -> bool:
    """`Thank you for asking, but`: with which a no is said kindly."""
    return f"{_level(clause)} ".startswith(tuple(f"{way} " for way in _said("kindly")))


def _contrasts(clauses: Sequence[str]) -> bool:
    return any(
        _level(clause).partition(" ")[0] in _WORDS.words("invited", "contrasting") for clause in clauses
    )


def agrees_among_talk(lines: Sequence[str], names: Collection[str]) -> bool:
    """`What a surprise! Of course I'll play. Are you coming on Sunday?`: a clause is a plain yes, none is a no, and
    nothing else speaks of the match."""
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
    """Whether it has a word for other terms; of days or hours where it counts them: not `we played for hours`."""
    counts = any(map(str.isdigit, clause)) and _says_any(clause, "measures")
    return counts or _says_any(clause, "terms") or sets_condition([clause])


def speaks_of_terms(line: str) -> bool:
    """Whether it has a word of a clock, a day, or a preference."""
    return any(_says_any(line, key) for key in ("terms", "measures", "days"))


def _says_any(line: str, key: str) -> bool:
    return bool(_anywhere(key).search(f" {_level(line[:LONGEST_LINE])} "))


def thinks_better(lines: Iterable[str]) -> bool:
    """Whether somebody who has declined would like to play after all: `on second thought, yes`; not `I have not changed
    my mind`."""
    changed, others = _second_thoughts(lines)
    return "no" not in others and (bool(changed) or "yes" in others) and not _negated(changed)


def reconsiders(lines: Iterable[str]) -> bool:
    """The same of a new email, which has to say that it is a second thought."""
    changed, others = _second_thoughts(lines)
    return bool(changed) and "no" not in others and not _negated(changed)


def _second_thoughts(lines: Iterable[str]) -> tuple[list[str], set[str]]:
    """The clauses that tell of them, and what the others mean."""
    said = [clause for line in islice(lines, _MOST_LINES) for clause, _ in _clauses(line[:LONGEST_LINE])]
    changed = [clause for clause in said if _anywhere("reconsidering").search(f" {_level(clause)} ")]
    return changed, {_meaning(clause, (), False) for clause in said if clause not in changed}


def _negated(clauses: Iterable[str]) -> bool:
    return any(_anywhere("negating").search(f" {_level(clause)} ") for clause in clauses)


def begins_with_yes(lines: Iterable[str]) -> bool:
    """Whether the first clause that says anything is a yes, however they go on, but for another time."""
    lines = list(islice(lines, _MOST_LINES))
    if any(_says_any(line, "another_time") for line in lines):
        return False
    said = (line[:LONGEST_LINE] for line in lines if not _wonders(line))
    clauses = (clause for line in said for clause, _ in _clauses(line))
    first = next((clause for clause in clauses if not is_beside(_level(clause))), "")
    return bool(agrees(first)) or _meaning(first, (), False) == "yes"


def move_told(lines: Iterable[str]) -> str:
    """The first clause in which a guest says what they move."""
    clauses = (clause for line in islice(lines, _MOST_LINES) for clause, _ in _clauses(line[:LONGEST_LINE]))
    pieces = (piece for clause in clauses for piece in _AND.split(clause))
    return next((piece.strip() for piece in pieces if tells_move(piece)), "")


def asks_about_us(lines: Iterable[str]) -> bool:
    """Whether a question is about the service or the game, and not for the player who invites."""
    return _asks("asking", lines) or asks_what_to_do(lines)


def asks_what_to_do(lines: Iterable[str]) -> bool:
    """Whether a question is how it goes on, which a first board says as well."""
    return _asks("asking_how", lines)


def states_something(lines: Iterable[str]) -> bool:
    """Whether a sentence is no question, nor a mere courtesy."""
    said = (sentence for line in islice(lines, _MOST_LINES) for sentence in _SENTENCE.split(line))
    return any("?" not in each and _level(each) and not is_beside(_level(each)) for each in said)


def asks_who(lines: Sequence[str], name: str) -> bool:
    """Whether a question is who that player is, or how good, and nothing else."""
    said = [_level(clause) for line in lines[:_MOST_LINES] for clause, _ in _clauses(line[:LONGEST_LINE])]
    rest = [f" {each} ".replace(f" {fold(name)} ", " ") for each in said]
    asked = [bool(_anywhere("asking_who").search(each)) for each in rest]
    return bool(asked) and all(asked) and (asks_something(lines) or _level(lines[0]).startswith(_WHO))


def asks_for_rules(lines: Iterable[str]) -> bool:
    """Whether a question is how the game is played."""
    return _asks("playing", lines)


def wants_only_rules(lines: Iterable[str]) -> bool:
    """`No, I only asked for the rules`, which declines nothing."""
    return any(_says_any(line, "only_rules") for line in islice(lines, _MOST_LINES))


def _asks(key: str, lines: Iterable[str]) -> bool:
    questions = (line for line in islice(lines, _MOST_LINES) if "?" in line)
    return any(_says_any(line, key) for line in questions)


def asks_something(lines: Iterable[str]) -> bool:
    return any("?" in line for line in islice(lines, _MOST_LINES))


def _wonders(said: str) -> bool:
    """`yes?` asks back; `why not?` is a yes all the same."""
    return "?" in said and PLAIN_YES.issuperset(_level(said).split())


def _clauses(said: str) -> list[tuple[str, bool]]:
    clauses = [clause for clause in _CLAUSE.split(said) if _level(clause)]
    return [(clause, number == len(clauses)) for number, clause in enumerate(clauses, 1)]


def _meanings(clause: str, spoken_to: Collection[str], last: bool) -> set[str]:
    """Of the whole clause, or where it says nothing as a whole, of what it joins, if that tells a move."""
    whole, pieces = _meaning(clause, spoken_to, last), _AND.split(clause)
    joins = whole == "?" and any(map(tells_move, pieces))
    return {_meaning(piece, spoken_to, last) for piece in pieces} if joins else {whole}


def _meaning(clause: str, spoken_to: Collection[str], last: bool) -> str:
    """`yes`, `no`, `along` with either, "" where it says nothing, and "?" for anything else."""
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
    """`be patient with me, as`: a phrase of several words that goes along, and goes on."""
    begun = any(level.startswith(f"{phrase} ") for phrase in _said("along") if phrase.count(" "))
    return begun and not _says_any(level, "terms") and not any(map(str.isdigit, level))


def _assured(level: str) -> str:
    """Without what assures it, and with whom: `certo che gioco con te`, `of course I'll play with you`."""
    said = _anywhere("assuring").match(f" {level} ")
    rest = f" {level[said.end() - 1 :]} " if said else f" {level} "
    return _anywhere("with_host").sub(" ", rest).strip()


def _without(level: str, spoken_to: Collection[str]) -> str:
    """Without those who are spoken to at its end or beginning, and the little words before it."""
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
