"""Why a challenge is declined, in one word that everybody reads in their own language."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from pbem.wording import wording

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

# What is kept, and what the challenger reads.
REASONS: Mapping[str, StrPromise] = {
    "later": _("Not now, but gladly later."),
    "clock": _("I would gladly play with another clock."),
    "variant": _("I would gladly play with other rules."),
    "game": _("I would gladly play another game."),
    "side": _("I would gladly play with the sides changed."),
    "busy": _("I have too many matches already."),
    "rated": _("I would gladly play a rated match."),
    "casual": _("I would gladly play a match that is not rated."),
}
# How each is said, in every language.
WORDS: Mapping[str, str] = {
    word: reason
    for reason in REASONS
    for words in wording("pbem.matches").each("reasons", reason).values()
    for word in words
}


def why(text: str) -> str:
    """The reason that `text` names, "" where it says something else."""
    letters = unicodedata.normalize("NFC", text).casefold().strip(" .!")
    return WORDS.get(letters, "")


def facts(text: str) -> dict[str, str]:
    """For the event: the reason, or what was written."""
    reason = why(text)
    return {"why": reason} if reason else {"reason": text}
