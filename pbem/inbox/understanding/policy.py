"""How sure an interpretation has to be, by what it would do and where it is said.

The numbers keep questions about everyday talk (tests/pbem/inbox/everyday.*.txt) at about an eighth of its lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.inbox.understanding.intents import SAID_TO_PEOPLE
from pbem.inbox.understanding.normalization import wishes
from pbem.inbox.understanding.utterances import Part, Utterance
from pbem.intents import Bar

NEW, MATCH, SHORT, GRAVE, MOVE, PEOPLE = "new", "match", "short", "grave", "move", "people"
FILLED = "filled"
ASK: Mapping[str, float] = {
    NEW: 0.53,  # no opponent reads it
    MATCH: 0.39,
    PEOPLE: 0.70,  # in a match, what people say to each other, too
    FILLED: 0.50,  # the same, with a day, a name or a game in it
    SHORT: 0.78,  # fewer words than FEW
    GRAVE: 0.70,  # ends a match, or all letters
    MOVE: 0.50,
}
PLAN = 0.95  # a plan below a move, which may be said to the opponent: `if you play b8-b6`
PLAIN = 0.9  # a line beside which others are believed to be talk
NEVER = 2.0
LEAST: Mapping[Bar | None, float] = {None: NEVER, Bar.SURE: 0.5}  # of what is no wish by itself
UNREAD = 0.35  # of a letter that no other person will read
READ_AT_ONCE = 0.98  # a new letter's wish to read something
READ_BESIDE = 0.85  # in a match, of help: the opponent reads the words, too
# How much an utterance counts
COUNTS: Mapping[Part, float] = {Part.WHOLE: 1.0, Part.SENTENCE: 0.8, Part.CLAUSE: 0.7, Part.QUOTED: 0.9}
TOLD = 0.9  # a sentence that asks or begins as a request
FEW = 4
ASKED_HOW = 0.9  # `how do I`, before a verb of ours
SLIP = 0.8  # a line with a typing error in its verb
ALIKE = 0.6  # of its threshold, for a part that says the same as the whole
CLOSE = 2.0  # two candidates within this factor
NEARLY = 0.7  # of its threshold, for the better of two that are close
_MOVES_ALONG = frozenset({"IF", "TRY"})  # beside a move, cells are talked of
ENDING = frozenset({"STOP", "RESIGN"})
ENDING_AS_A_WHOLE = 0.5  # of the whole line: `I resign? No, not yet`
_WORD = re.compile(r"[^\W\d_]+")


def threshold(intent: str, said: Utterance, *, anew: bool, fills: bool = False) -> float:
    """Returns the least confidence for a question about it."""
    if intent == "PLAY":
        return ASK[MOVE]
    if intent in ENDING:
        return ASK[GRAVE]
    if len(_WORD.findall(said.text)) < FEW:
        return ASK[SHORT] * (1 if said.part is Part.CLAUSE else weight(said))
    if anew:
        return ASK[NEW]
    if intent in SAID_TO_PEOPLE:
        return ASK[FILLED] if fills else ASK[PEOPLE]
    return ASK[MATCH]


def weight(said: Utterance) -> float:
    """Returns how much the meaning of a part counts for its line."""
    return TOLD if said.part is Part.SENTENCE and asks(said.text) else COUNTS[said.part]


def asks(text: str) -> bool:
    """Whether the text is a question, or begins as a request."""
    return text.endswith("?") or any(wishes(text))


def least(bar: Bar | None, intent: str = "") -> float:
    """Returns the least confidence for a question at a bar; NEVER where nothing may be guessed."""
    if bar is Bar.SURE and intent in _MOVES_ALONG:
        return PLAN
    return LEAST.get(bar, 0.0)
