"""Wishes for a match, reasons for declining, and conditions of offers, read from the words of players."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from games.protocol import Side, UnknownName
from games.registry import AnyGame, canonical, find
from pbem.matches.terms import Terms, read_terms
from pbem.players.names import LANGUAGES, all_names
from pbem.refusals import Code, Refused
from pbem.wording import wording

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


@dataclass(frozen=True)
class Wish:
    """A wish for a match: `game` is a canonical name, `key` its game; `side` None draws lots."""

    game: str
    key: str
    side: Side | None
    terms: Terms


def read_wish(name: str, options: Sequence[str] = ()) -> Wish:
    """Reads a wish. Refuses C02.

    `options` are terms, the player's side (`first`, `white`, `nero`) or parts of the game's name.
    """
    words = _side_words(found(name)[0])
    terms, wishes = read_terms(option.casefold() for option in options)
    sides = [words[wish] for wish in wishes if wish in words]
    game, rules = found(_named(name, [wish for wish in wishes if wish not in words]))
    return Wish(canonical(game, rules), game.key, sides[-1] if sides else None, terms.clocked)


def found(name: str) -> tuple[AnyGame, Any]:
    """Returns game and rules of the name. Refuses C02."""
    try:
        return find(name)
    except UnknownName as unknown:
        raise Refused(Code.NO_SUCH_GAME, text=name, nearest=unknown.nearest) from None


def _side_words(game: AnyGame) -> dict[str, Side]:
    """Returns the words for sides: by turn, and by their names in the game in every language."""
    said = wording("pbem.matches")
    words = {word: side for side in Side for word in said.words("sides", side.name.lower())}
    for language in LANGUAGES:
        spoken = game.phrases(language)["sides"]
        words |= {spoken[key].casefold(): side for key, side in zip(game.sides, Side, strict=True)}
    return words


def _named(game: str, parts: Sequence[str]) -> str:
    """Returns `game` with further parts, whether `zertz` or `zertz:blitz`."""
    if not parts:
        return game
    return f"{game}{',' if re.search('[:+]', game) else ':'}{','.join(parts)}"


# Reasons for declining

# Texts by stored reason.
REASONS: Mapping[str, StrPromise] = {
    "later": _("Not now, but gladly later."),
    "clock": _("I would gladly play with another clock."),
    "variant": _("I would gladly play with other rules."),
    "game": _("I would gladly play another game."),
    "side": _("I would gladly play with sides swapped."),
    "busy": _("I have too many matches already."),
    "rated": _("I would gladly play a rated match."),
    "casual": _("I would gladly play an unrated match."),
}
# Words for reasons in all languages.
REASON_WORDS: Mapping[str, str] = {
    word: reason
    for reason in REASONS
    for words in wording("pbem.matches").each("reasons", reason).values()
    for word in words
}


def why(text: str) -> str:
    """Returns the reason that `text` names; "" for other texts."""
    letters = unicodedata.normalize("NFC", text).casefold().strip(" .!")
    return REASON_WORDS.get(letters, "")


def facts(text: str) -> dict[str, str]:
    """Returns the event's facts: the reason, or the text."""
    reason = why(text)
    return {"why": reason} if reason else {"reason": text}


# Conditions of open offers


@dataclass(frozen=True)
class Conditions:
    """`on_time` is the least percentage of turns in time, `language` a code, `least` and `most` ratings.

    None and "" are no condition.
    """

    on_time: int | None = None
    language: str = ""
    least: int | None = None
    most: int | None = None

    def admit(self, *, language: str, on_time: int | None) -> bool:
        """Returns whether language and reliability suffice; newcomers, with `on_time` None, are admitted."""
        reliable = self.on_time is None or on_time is None or on_time >= self.on_time
        return reliable and self.language in ("", language)

    @property
    def has_band(self) -> bool:
        """Returns whether it limits the rating."""
        return self.least is not None or self.most is not None

    def holds(self, rating: float) -> bool:
        """Returns whether the rounded rating is within the limits."""
        figure = round(rating)
        return (self.least is None or self.least <= figure) and (self.most is None or figure <= self.most)


_WORDS = wording("pbem.matches")
_ON_TIME = _WORDS.either("conditions", "on_time").replace(r"\-", "-?")
_LANGUAGE = _WORDS.either("conditions", "language")
_RATING = _WORDS.either("conditions", "rating")


def _writes(code: str) -> tuple[str, Callable[[Conditions, str], Conditions]]:
    names = "|".join(map(re.escape, all_names(code)))
    return rf"(?:{_LANGUAGE})=(?:{names})", lambda asked, value: replace(asked, language=code)


# Patterns of conditions in all languages, case-insensitive.
FILTER_WORDS: tuple[tuple[str, Callable[[Conditions, str], Conditions]], ...] = (
    (rf"(?:{_ON_TIME})=(\d{{1,2}}|100)%?", lambda asked, value: replace(asked, on_time=int(value))),
    *map(_writes, LANGUAGES),
)
_BAND = re.compile(rf"(?:{_RATING})=(\d{{1,4}})?(?:-(\d{{1,4}})|[+-])?", re.IGNORECASE)


def read_conditions(words: Iterable[str]) -> tuple[Conditions, list[str]]:
    """Returns the conditions and the other words."""
    asked, rest = Conditions(), []
    for word in words:
        if band := _band(word):
            asked = replace(asked, least=band[0], most=band[1])
            continue
        for pattern, put in FILTER_WORDS:
            if said := re.fullmatch(pattern, word, re.IGNORECASE):
                asked = put(asked, said[1] if said.re.groups else "")
                break
        else:
            rest.append(word)
    return asked, rest


def _band(word: str) -> tuple[int | None, int | None] | None:
    """Reads `rating=1400-1800`, `rating=1400+` or `rating=-1800`. None for other words."""
    said = _BAND.fullmatch(word)
    if said is None or (said[1] is None and said[2] is None):
        return None
    least, most = (int(figure) if figure else None for figure in said.groups())
    if least is not None and most is not None and most < least:
        least, most = most, least
    return least, most
