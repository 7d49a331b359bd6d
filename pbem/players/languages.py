"""What the languages of our letters are called, in each of them: the first of the words is shown."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings

from pbem.wording import wording

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
