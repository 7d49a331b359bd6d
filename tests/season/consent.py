"""The YES that a letter asks for, as it stands in its text, and the twelve ways in which people write it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

MARKER = re.compile(r"^=====.*$", re.MULTILINE)
QUOTED = re.compile(r"^ +\| ?.*$", re.MULTILINE)  # what another player has written
SHOWN = re.compile(r"^ {4}.*$", re.MULTILINE)  # what its reader has written, and boards
# `YES RESIGN`, `SÌ, PATTA`, the word in capitals; not `YES or NO`, nor the two lines YES and NO.
NAMED = re.compile(r"\b(YES|SÌ|SI),? (?!NO\b|O\b)([A-ZÀ-Ý]{3,}(?: [A-ZÀ-Ý]{3,})?)\b(?!:)")
NUMBERED = re.compile(r"\b(?:(\d+): ?(?:YES|SÌ|SI)|(?:YES|SÌ|SI) (\d+))\b")
YES: Mapping[str, str] = {"en": "YES", "it": "SÌ"}
OTHER: Mapping[str, str] = {"en": "it", "it": "en"}
PLEASE: Mapping[str, str] = {"en": "please", "it": "grazie"}
THANKS: Mapping[str, str] = {"en": "Thanks", "it": "Grazie"}
HELLO: Mapping[str, Sequence[str]] = {
    "en": ("Hi,", "Hello,", "Good morning,", "Hi there,"),
    "it": ("Ciao,", "Buongiorno,", "Salve,", "Buonasera,"),
}
WAYS = 12


@dataclass(frozen=True)
class Wanted:
    """The words of a YES: "" where a bare one will do; the number of the match, where the letter says it."""

    named: str = ""
    number: str = ""


def wanted(text: str) -> Wanted:
    """What the letter asks for; where it names its YES anywhere, that one."""
    ours = QUOTED.sub("", MARKER.split(text)[0])
    if found := NAMED.search(" ".join(ours.split())):
        return Wanted(named=found[2])
    numbered = NUMBERED.search(" ".join(SHOWN.sub("", ours).split()))
    return Wanted(number=next(filter(None, numbered.groups()), "")) if numbered else Wanted()


def a_yes(asked: Wanted, language: str, name: str, rng: Random) -> tuple[int, tuple[str, ...]]:
    """One of the twelve ways, and its lines."""
    way = rng.randrange(WAYS)
    if asked.number:
        return way, _numbered(asked.number, language, way)
    yes, other = YES[language], YES[OTHER[language]]
    if asked.named:
        return way, _named(yes, other, asked.named, language, name, way, rng)
    return way, _bare(yes, other, language, name, way, rng)


def _bare(yes: str, other: str, language: str, name: str, way: int, rng: Random) -> tuple[str, ...]:
    small = yes.capitalize()
    please = PLEASE[language]
    plain = small.replace("ì", "i")
    ways: Sequence[tuple[str, ...]] = (
        (yes,),
        (yes.lower(),),
        (f"{small}.",),
        (f"{yes}!",),
        (f"{small} {please}",),
        (f"{small}, {please}.",),
        (f"*{yes}*",),
        (other,),
        ("si",) if language == "en" else (plain,),
        (rng.choice(HELLO[language]), "", small),
        (yes, "", f"{THANKS[language]},", name),
        (rng.choice(HELLO[language]), f"{small}."),
    )
    return ways[way]


def _named(
    yes: str, other: str, named: str, language: str, name: str, way: int, rng: Random
) -> tuple[str, ...]:
    small, word = yes.capitalize(), named.lower()
    ways: Sequence[tuple[str, ...]] = (
        (f"{yes} {named}",),
        (f"{yes} {named}".lower(),),
        (f"{small} {word}.",),
        (f"{yes} {named}!",),
        (f"{named} {yes}",),
        (f"{small}, {word}",),
        (f"*{yes} {named}*",),
        (f"{other} {named}",),
        (f"{small} {word}".replace("ì", "i"),),
        (rng.choice(HELLO[language]), "", f"{small} {word}"),
        (f"{yes} {named}", "", f"{THANKS[language]},", name),
        (f"{word} {yes}".lower(),),
    )
    return ways[way]


def _numbered(number: str, language: str, way: int) -> tuple[str, ...]:
    yes = YES[language]
    small = yes.capitalize()
    ways = (f"{number}: {yes}", f"{yes} {number}", f"{number} {yes}", f"{small} {number}.")
    return (ways[way % len(ways)],)
