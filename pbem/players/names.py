"""Names of players: folding, look-alikes, reserved names; and names of languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from django.conf import settings

from pbem.wording import wording

# Names of the service, of erased players, and words such as "nobody".
_SERVICE = wording(__package__).words("service")
# Erased players are named erased-7; robots, Robot-1.
_NUMBERED = re.compile(r"(?:erased|robot)[\W\d_]")
_ACCENTS = re.compile(r"[\u0300-\u036f]")  # of European letters; elsewhere a mark may be a vowel
_ROBOT = re.compile(r"robot(?:[\s._-]?([0-9]))?")
_sources: list[Callable[[], Iterable[str]]] = [lambda: _SERVICE]


def fold(name: str) -> str:
    """Returns the name for comparison: equal for `Èlena` and `ÈLENA`."""
    return unicodedata.normalize("NFKC", name.strip()).casefold()


def spelled(name: str) -> str:
    """Returns the stored spelling: Robot-2 for `robot 2` and `Robot2`, the weakest robot for `robot`."""
    robot = _ROBOT.fullmatch(fold(name))
    return name if robot is None else robot_name(int(robot[1] or 1))


def is_robot(name: str) -> bool:
    return _ROBOT.fullmatch(fold(name)) is not None


def robot_name(level: int) -> str:
    return f"Robot-{level}"


def skeleton(name: str) -> str:
    """Returns a key that look-alike names share (UTS 39, 4): `Alice`, `AIice`, `Аlice`, `Alíce`."""
    return _without_accents(_look(name)).replace("i", "l")  # a capital I looks like l


def accented_skeleton(name: str) -> str:
    """Returns the skeleton with accents, as older rows hold it."""
    return _look(name).replace("i", "l")


def reserve(words: Callable[[], Iterable[str]]) -> None:
    """Adds words that no player may take as a name; read at the first check."""
    _sources.append(words)


def is_reserved(name: str) -> bool:
    return any(_bare(look) in _reserved() or _NUMBERED.match(look) for look in (fold(name), _look(name)))


@cache
def _reserved() -> frozenset[str]:
    return frozenset(_bare(word) for source in _sources for word in source())


def _bare(name: str) -> str:
    """Returns the look of a word without accents, as commands are read: `Sì`, `SI'`."""
    return _without_accents(_look(name)).rstrip("'’`´.")


def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def _look(name: str) -> str:
    return _prototypes(_prototypes(unicodedata.normalize("NFKC", name.strip())).casefold())


def _prototypes(text: str) -> str:
    return unicodedata.normalize("NFC", "".join(map(_prototype, unicodedata.normalize("NFD", text))))


@cache
def _prototype(sign: str) -> str:
    """Returns the character that Unicode gives as the prototype of its look-alikes."""
    # 7 MiB, loaded only where names are chosen.
    from confusable_homoglyphs.confusables import confusables_data  # type: ignore[import-untyped] # noqa: PLC0415

    alike: list[str] = [entry["c"] for entry in confusables_data.get(sign, ())]
    if len(alike) != 1:
        return sign
    several = len(confusables_data.get(alike[0], ())) > 1
    return alike[0] if several else min(sign, alike[0])


# Languages of letters: their names in each language, the displayed one first

LANGUAGES: tuple[str, ...] = tuple(code for code, _ in settings.LANGUAGES)
_WORDS = wording(__package__)
# Zones of languages with one zone; players with other languages are asked.
ZONES: Mapping[str, str] = {"it": "Europe/Rome"}


def called(code: str) -> dict[str, list[str]]:
    """Returns the names of a language, by language; its own name and code where a language has none."""
    own = [dict(settings.LANGUAGES)[code].casefold(), code]
    return {language: _WORDS.of(language, "languages").get(code, own) for language in _WORDS.languages}


def all_names(code: str) -> set[str]:
    return {code, *(word for words in called(code).values() for word in words)}
