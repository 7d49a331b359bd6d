"""Finds the built-in and installed games, and reads and writes the names of their variants.

A name is `game[:part[,part]]`, a part being a preset or `switch=value`: `zertz`, `zertz:+11`,
`zertz:+11,goals=short`. The order of parts does not matter: presets must agree, and switches override them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from itertools import combinations
from pkgutil import iter_modules
from typing import Any

from games import __path__ as here
from games.protocol import LANGUAGES, Game, UnknownName, phrases_of

AnyGame = Game[Any, Any, Any]
PLUGINS = "pbem.games"
_PHRASES = re.compile(r"phrases\.([\w-]+)\.toml")


@cache
def games() -> Mapping[str, AnyGame]:
    """Returns every game by its key, in alphabetical order. Raises ValueError when two share a key."""
    folders = (import_module(f"{__package__}.{module.name}") for module in iter_modules(here) if module.ispkg)
    found = [folder.GAME for folder in folders if hasattr(folder, "GAME")]
    found += [plugin.load() for plugin in entry_points(group=PLUGINS)]
    by_key = {game.key: game for game in sorted(found, key=lambda game: str(game.key))}
    if len(by_key) < len(found):
        raise ValueError(f"two games have the same key: {sorted(game.key for game in found)}")
    return by_key


def families(language: str) -> Mapping[str, list[AnyGame]]:
    """Returns the games of each family, by its name in the language, in the order of the kit's phrases."""
    titles = phrases_of("games.kit", language)["families"]
    found = {
        title: [game for game in games().values() if titles.get(game.family, titles["other"]) == title]
        for title in titles.values()
    }
    return {title: members for title, members in found.items() if members}


def names() -> tuple[str, ...]:
    """Returns the canonical name of each preset of each game."""
    return tuple(_name(game, [preset]) for game in games().values() for preset in game.presets)


def heard(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Splits `words` into a game's name, in any language, and the rest: `Lines of Action:6x6 first` begins
    with `loa:6x6`. None when they do not begin with a name.
    """
    called = _called(tuple(games()))
    longest = max(map(len, map(str.split, called)))
    for used in range(min(len(words), longest), 0, -1):
        *begin, last = words[:used]
        end, variant = re.findall(r"^([^:+]*)(.*)", last, re.DOTALL)[0]
        if key := called.get(_folded(" ".join((*begin, end)))):
            return f"{key}{variant.casefold()}", list(words[used:])
    return None


def spoken_names() -> tuple[str, ...]:
    """Returns the games' names in all languages, lower case, without accents."""
    return tuple(_called(tuple(games())))


def find(name: str) -> tuple[AnyGame, Any]:
    """Returns the game and rules called `name`, in any case and language; `zertz+11` means `zertz:+11`.

    Raises UnknownName.
    """
    key, rest = _split(name)
    game = games().get(key)
    if game is None:
        raise UnknownName(name, "no such game", _nearest(name, names() if rest else tuple(games())))
    known = {part.casefold(): part for part in _parts(game)} | _spelled(game)
    written = [part.strip() for part in rest.split(",") if part.strip()]
    for part in written:
        if part not in known:
            near = [_name(game, [part]) for part in _nearest(part, tuple(known.values()))]
            raise UnknownName(name, f"{game.key} has no {part!r}", tuple(near))
    rules = _rules(game, [known[part] for part in written])
    if rules is None:
        raise UnknownName(name, "its parts contradict each other")
    return game, rules


def canonical(game: AnyGame, rules: Any) -> str:
    """Returns the shortest name of `rules`, its parts sorted. Raises ValueError when no name fits."""
    parts = sorted(_parts(game))
    for size in range(len(parts) + 1):
        for chosen in combinations(parts, size):
            if _rules(game, chosen) == rules:
                return _name(game, chosen)
    raise ValueError(f"no name of {game.key} means {rules!r}")


def in_words(name: str, language: str) -> str:
    """Describes a canonical name: its presets, then its switches; a part without a phrase stays as written."""
    game, _ = find(name)
    phrases = game.phrases(language)
    variants, switches = phrases["variants"], phrases.get("switches", {})
    parts = sorted(name.partition(":")[2].split(","), key=lambda part: "=" in part)
    words = dict(variants)
    words |= {f"{switch}={value}": said for switch, each in switches.items() for value, said in each.items()}
    return "; ".join(words.get(part, part) for part in parts)


def _split(name: str) -> tuple[str, str]:
    key, rest = re.findall(r"^([^:+]*):?(.*)", name.strip().casefold(), re.DOTALL)[0]
    called = _called(tuple(games()))
    return called.get(_folded(key), key.strip()), rest


@cache
def _called(keys: tuple[str, ...]) -> Mapping[str, str]:
    """Maps the names of each game in all languages, folded, to its key; a key takes precedence over names."""
    known: dict[str, str] = {}
    for key in keys:
        found = (_PHRASES.fullmatch(file.name) for file in files(games()[key].package).iterdir())
        for phrases in (games()[key].phrases(language[1]) for language in found if language):
            known |= {_folded(name): key for name in (phrases["name"], *phrases.get("also", ()))}
    return known | {_folded(key): key for key in keys}


def _folded(name: str) -> str:
    """Removes case, accents, hyphens and extra blanks."""
    letters = unicodedata.normalize("NFKD", name.casefold().replace("’", "'"))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(plain.replace("-", " ").split())


def _parts(game: AnyGame) -> list[str]:
    switches = (f"{name}={value}" for name, switch in game.switches.items() for value in switch.values)
    return [*filter(None, game.presets), *switches]


def _spelled(game: AnyGame) -> dict[str, str]:
    """Maps each language's spellings of switches, such as `obiettivi=brevi`, to their parts."""
    spellings = (game.phrases(language).get("spellings", {}) for language in LANGUAGES)
    return {written.casefold(): part for spelling in spellings for part, written in spelling.items()}


def _name(game: AnyGame, parts: Iterable[str]) -> str:
    return f"{game.key}:{','.join(parts)}".rstrip(":")


def _rules(game: AnyGame, parts: Iterable[str]) -> Any:
    """Returns the rules that the parts describe. None when they contradict each other."""
    default = next(iter(game.presets.values()))
    changed: dict[str, Any] = {}
    switched: dict[str, Any] = {}
    for part in parts:
        if part in game.presets:
            heard, said = changed, _difference(default, game.presets[part])
        else:
            heard, said = switched, dict([part.split("=", 1)])
        if any(heard.get(what, value) != value for what, value in said.items()):
            return None
        heard.update(said)
    rules = replace(default, **changed)
    for name, value in switched.items():
        rules = game.switches[name].apply(rules, value)
    return rules


def _difference(default: Any, preset: Any) -> dict[str, Any]:
    both = ((f.name, getattr(default, f.name), getattr(preset, f.name)) for f in fields(preset))
    return {name: new for name, old, new in both if new != old}


def _nearest(text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Returns up to three names similar to `text`; all of them when none is."""
    close = get_close_matches(text.casefold(), known, n=3)
    return tuple(close) or known
