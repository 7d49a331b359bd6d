"""Slots of a sentence: the game, the player, the address, the number and the robot; several matches in one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.match_commands import Challenge, Offer
from pbem.inbox.commands.phrases import called, game_pattern
from pbem.inbox.commands.verbs import language_of
from pbem.inbox.understanding.normalization import bare, without_courtesy
from pbem.inbox.understanding.slots.names import is_name
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_EMAIL = re.compile(r"(?<![\w.+@-])[^\W_][\w.+'-]{0,63}@[\w.-]{1,190}\w")
_NUMBER = re.compile(r"(?<![\w.])#?([0-9]{1,9})(?![\w.:])")
_COUNTED, _HOURS = _WORDS.words("counted"), _WORDS.words("at_the_hour")
_YEARS, _YEAR = _WORDS.words("in_the_year"), 4  # digits
_NAME = re.compile(r"(?<=(?:[^\W_]|['’]) )[A-ZÀ-Þ][\w.'-]{1,23}(?<![.'-])|(?<=, )[A-ZÀ-Þ][\w'-]{1,23}")
_MILD = re.compile(rf"\b(?:{'|'.join(re.escape(bare(words)) for words in _WORDS.words('mild'))})\b")
TAKES_OFFER = _WORDS.words("takes_offer")  # beside the offering player's name
_ROBOT = re.compile(r"\brobot[ -]?(?:n[ °.]*)?([1-3])\b", re.IGNORECASE)
_SIGNS = ",.;:!?() "
_STRONG, _MIDDLE = (
    re.compile(rf"\b(?:{'|'.join(re.escape(bare(word)) for word in _WORDS.words('robots', key))})")
    for key in ("strong", "middle")
)


def robot_in(text: str) -> str:
    """Returns the robot of the strength that the text asks for, by default the first."""
    if named := _ROBOT.search(text):
        return f"Robot-{named[1]}"
    level = _MILD.sub(" ", bare(text))
    number = next((n for n, form in ((3, _STRONG), (2, _MIDDLE)) if form.search(level)), 1)
    return f"Robot-{number}"


def blanks_in(text: str) -> dict[str, str]:
    """Returns the game, the player, the address and the number that the text names."""
    found = {
        "game": game_pattern().search(bare(text)),
        "email": _EMAIL.search(text),
        "number": _number(text),
    }
    filled = {name: text[slice(*hit.span())] for name, hit in found.items() if hit}
    names = (
        [filled["email"]] if "email" in filled else [name for name in _NAME.findall(text) if is_name(name)]
    )
    return filled | ({"who": names[0]} if len(names) == 1 else {})


def _number(text: str) -> re.Match[str] | None:
    """Finds the number of a match or an offer; no hour, year or count."""
    kind = without_courtesy(text.rstrip("!?. "))
    for found in _NUMBER.finditer(kind):
        before = fold(" ".join(kind[: found.start()].split()[-1:]))
        last = not kind[found.end() :].strip(_SIGNS)
        if before in _YEARS and found[1][:2] in ("19", "20") and len(found[1]) == _YEAR:
            continue
        if before and (before in _COUNTED or (last and before not in _HOURS)):
            return _NUMBER.search(text, found.start())
    return None


# Several matches: `challenge Bruno to loa and Carla to emergo`

LITTLE = _WORDS.words("little", "words")
FEW_WORDS = 8  # of a line about anything but a move
_AND = re.compile(rf"(?:,\s*|\s+)(?:{_WORDS.either('joining')})\s+|(?<=[.!;])\s+")
_SMALL_NAME = re.compile(r"([^\W\d_][\w.'-]{1,23})\s+(?:" + _WORDS.either("before_game") + r")\s*$")
_MOST_PARTS = 5
_MOST_MATCHES = 3


@dataclass(frozen=True)
class MatchList:
    """`near` reads a part in free words; `written` a grammar line, if the writer may give it there."""

    near: Callable[[str], Command | None]
    written: Callable[[str, str], Command | None]

    def asked_in(self, text: str, whole: Command | None) -> Sequence[Challenge | Offer]:
        """Returns all matches asked for. Empty when there is only one."""
        # What a part lacks comes from the part before it, or from the `whole` line.
        if len(game_pattern().findall(bare(text))) < 2:
            return ()
        parts = _AND.split(text)
        found: list[Challenge | Offer] = []
        for part in parts[:_MOST_PARTS]:
            match = self._like(found[-1], part) if found else None
            if match := match or _of_match(self.near(part)):
                found.append(match)
        alone = {part for part in parts if part.istitle() and part.isalpha() and is_name(part)}
        who = {each.who for each in (*found, whole) if isinstance(each, Challenge)} or alone
        if len(who) == 1:
            found = [self._against(each, *who) for each in found]
        return found if 1 < len(set(found)) == len(found) <= _MOST_MATCHES else ()

    def _like(self, last: Challenge | Offer, part: str) -> Challenge | Offer | None:
        """Reads `Carla to emergo`, or `emergo` behind a challenge."""
        said, verb = blanks_in(f"a {part}"), last.line.split()[0]
        if "game" not in said or len(part.split()) > FEW_WORDS:
            return None
        small = _small_name(part.partition(said["game"])[0])
        who = [said.get("who", small or last.who)] if isinstance(last, Challenge) else []
        return _of_match(self.written(" ".join([verb, *who, said["game"]]), part))

    def _against(self, match: Challenge | Offer, who: str) -> Challenge | Offer:
        line = f"{called('CHALLENGE', language_of(match.line))} {who} {match.game}"
        challenge = _of_match(self.written(line, line)) if isinstance(match, Offer) else None
        return challenge or match


def _of_match(command: Command | None) -> Challenge | Offer | None:
    return command if isinstance(command, (Challenge, Offer)) else None


def _small_name(text: str) -> str:
    """Finds the name of `and anna to`, before a game."""
    named = _SMALL_NAME.search(text)
    return named[1] if named and fold(named[1]) not in LITTLE and is_name(named[1]) else ""
