"""Names of players: folding, look-alikes, reserved names; and names of languages."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

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
    return unicodedata.normalize(
        "NFC", "".join(_look_alikes().get(sign, sign) for sign in unicodedata.normalize("NFD", text))
    )


@cache
def _look_alikes() -> Mapping[str, str]:
    """Returns the character that Unicode gives as the prototype of its look-alikes, of each that has another."""
    # The package's own module keeps 7 MiB of names.
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    alike: dict[str, list[str]] = json.loads(text, object_hook=_without_name)
    return {
        sign: found[0] if len(alike.get(found[0], ())) > 1 else min(sign, found[0])
        for sign, found in alike.items()
        if len(found) == 1 and len(sign) == 1
    }


def _without_name(entry: dict[str, Any]) -> Any:
    return entry["c"] if entry.keys() == {"c", "n"} else entry


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
