"""Decides which exact lines of a letter are set apart and act; the others are asked about.

A line is not set apart if it continues or completes the line above, stands below a label (`TRY:`), or is
revoked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pbem.inbox.commands.line import names_cell
from pbem.inbox.commands.match_commands import Move
from pbem.inbox.commands.verbs import CONFIRMING, REFUSING, SALUTATIONS, VERBS_OF
from pbem.inbox.understanding.slots.moves import announces
from pbem.intents import RETRACTED, remarks
from pbem.mail.parsing.letter import Letter
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_ANNOUNCING, _LEADS_ON = _WORDS.words("announcing"), _WORDS.words("leads_on")
_QUESTIONING, _DENYING = _WORDS.words("questioning"), _WORDS.words("denying")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_SENTENCE = re.compile(r"(?<=[.!?;…])\s+|\n+")
_CLAUSE = re.compile(r"[.,;!?…]\s+")
_ENDS = re.compile(r"[^\w\s,]\s*$")
_FEW = 3  # words of a line that says YES or NO
_NEAR = 6  # sentences below a line that may take it back
_TAKEN_BACK = 0.35  # the least probability of a revocation


def with_wrapped(lines: Sequence[str], wrapped: Collection[int]) -> tuple[str, ...]:
    """Joins wrapped lines to the line above, with a newline."""
    joined: list[str] = []
    for number, line in enumerate(lines):
        if number in wrapped and joined:
            joined[-1] = f"{joined[-1]}\n{line}"
        else:
            joined.append(line)
    return tuple(joined)


def with_what_is_answered(letter: Letter) -> Letter:
    """Puts another player's quoted words before a YES or NO right below, so that it is no command."""
    answered = {
        number: f"“{words}” {letter.lines[number].strip()}"
        for number, words in letter.below
        if number < len(letter.lines) and _is_yes_or_no(letter.lines[number])
    }
    return replace(letter, lines=tuple(answered.get(at, line) for at, line in enumerate(letter.lines)))


def _is_yes_or_no(line: str) -> bool:
    said = [fold(word) for word in _WORD.findall(line)]
    return len(said) <= _FEW and not (CONFIRMING | REFUSING).isdisjoint(said)


def is_open(above: str) -> bool:
    """Whether the line is an incomplete sentence, or a label of something that is no move."""
    said = [fold(word) for word in _WORD.findall(above)]
    if not said or said[0] in SALUTATIONS:
        return False
    if above.rstrip().endswith(":"):
        return not _says_move(_CLAUSE.split(above.rstrip(": "))[-1])
    if above.rstrip().endswith((",", ";")) and names_cell(above):
        return True
    asks = said[0] in _QUESTIONING
    follows = not asks and (announces(above) or not _ANNOUNCING.isdisjoint(said))
    return not (follows or _ENDS.search(above)) and (asks or said[-1] in _LEADS_ON)


def _says_move(label: str) -> bool:
    """Whether the label announces a move: `My move is`, `Mossa`; not `for example`."""
    said = [fold(word) for word in _WORD.findall(label)]
    if not said or said[0] in _QUESTIONING or not _DENYING.isdisjoint(said):
        return False
    if len(said) == 1 and any(verb.command is not Move for verb in VERBS_OF.get(said[0], ())):
        return False
    return announces(label) or not _ANNOUNCING.isdisjoint(said)


def is_within(above: str, below: str) -> bool:
    """Whether the line below completes a question: `What if I play` / `b1-b3` / `next?`."""
    rest = below.rstrip().endswith("?") and not below.lstrip()[:1].isupper()
    return rest and bool(above) and not _ENDS.search(above)


def is_taken_back(below: Sequence[str]) -> bool:
    """Whether one of the first sentences below revokes the line: `No, wait: c1-c3`, `please disregard`."""
    return any(map(_takes_back, _first_sentences(below)))


def _first_sentences(lines: Sequence[str]) -> Iterator[str]:
    whole = "\n".join(line.replace("\n", " ") for line in lines)
    said = (text for text in _SENTENCE.split(whole) if any(len(word) > 1 for word in _WORD.findall(text)))
    for text, _ in zip(said, range(_NEAR), strict=False):
        yield text


def _takes_back(text: str) -> bool:
    """Whether the sentence corrects, as `No, wait: c1-c3`, or revokes by the classifier."""
    corrects = ":" in text and fold(next(iter(_WORD.findall(text)), "")) in REFUSING
    return corrects or any(
        guess.intent == RETRACTED and guess.probability >= _TAKEN_BACK for guess in remarks(text)
    )
