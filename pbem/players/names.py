"""Names that nobody may take: what the service is called, what it reads as a command, what looks like another name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from django.conf import settings

from pbem.wording import wording

# What we call ourselves, or somebody who has gone, or nobody in particular.
_SERVICE = wording(__package__).words("service")
# Who has gone is erased-7, and Robot-1 is none of us.
_NUMBERED = re.compile(r"(?:erased|robot)[\W\d_]")
_ACCENTS = re.compile(r"[\u0300-\u036f]")  # of the letters of Europe: elsewhere a mark may be a vowel
_ROBOT = re.compile(r"robot(?:[\s._-]?([0-9]))?")
_sources: list[Callable[[], Iterable[str]]] = [lambda: _SERVICE]


def fold(name: str) -> str:
    """What two names have in common that a reader takes for the same: `Èlena`, `ÈLENA`."""
    return unicodedata.normalize("NFKC", name.strip()).casefold()


def spelled(name: str) -> str:
    """A name as it is kept: `robot 2` and `Robot2` are Robot-2, and `robot` alone is the weakest."""
    robot = _ROBOT.fullmatch(fold(name))
    return name if robot is None else robot_name(int(robot[1] or 1))


def is_robot(name: str) -> bool:
    return _ROBOT.fullmatch(fold(name)) is not None


def robot_name(level: int) -> str:
    return f"Robot-{level}"


def skeleton(name: str) -> str:
    """What two names have in common that look alike (UTS 39, 4), in any case: `Alice`, `AIice`, `Аlice`, `Alíce`."""
    return _without_accents(_look(name)).replace("i", "l")  # as a capital it is one already


def accented_skeleton(name: str) -> str:
    """The same with accents, as it was once."""
    return _look(name).replace("i", "l")


def reserve(words: Callable[[], Iterable[str]]) -> None:
    """What else nobody may be called: a name must not be read as anything else. Asked for with the first name."""
    _sources.append(words)


def is_reserved(name: str) -> bool:
    return any(_bare(look) in _reserved() or _NUMBERED.match(look) for look in (fold(name), _look(name)))


@cache
def _reserved() -> frozenset[str]:
    return frozenset(_bare(word) for source in _sources for word in source())


def _bare(name: str) -> str:
    """The look of a word without accents, which commands do without, too: `Sì`, `SI'`."""
    return _without_accents(_look(name)).rstrip("'’`´.")


def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def _look(name: str) -> str:
    return _prototypes(_prototypes(unicodedata.normalize("NFKC", name.strip())).casefold())


def _prototypes(text: str) -> str:
    return unicodedata.normalize("NFC", "".join(map(_prototype, unicodedata.normalize("NFD", text))))


@cache
def _prototype(sign: str) -> str:
    """What Unicode has many signs look like. The table names it for each of these, and all of these for it."""
    # Seven MiB, which only processes need where somebody takes a name.
    from confusable_homoglyphs.confusables import confusables_data  # type: ignore[import-untyped] # noqa: PLC0415

    alike: list[str] = [entry["c"] for entry in confusables_data.get(sign, ())]
    if len(alike) != 1:
        return sign
    several = len(confusables_data.get(alike[0], ())) > 1
    return alike[0] if several else min(sign, alike[0])


# What the languages of our letters are called, in each of them: the first of the words is shown.

LANGUAGES: tuple[str, ...] = tuple(code for code, _ in settings.LANGUAGES)
_WORDS = wording(__package__)
# Where nearly everybody lives who speaks it; anyone who speaks another is asked.
ZONES: Mapping[str, str] = {"it": "Europe/Rome"}


def called(code: str) -> dict[str, list[str]]:
    """By the language that calls it so; where that has no words for it, its own name and its code."""
    own = [dict(settings.LANGUAGES)[code].casefold(), code]
    return {language: _WORDS.of(language, "languages").get(code, own) for language in _WORDS.languages}


def all_names(code: str) -> set[str]:
    return {code, *(word for words in called(code).values() for word in words)}
