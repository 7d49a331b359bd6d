"""Several sections of one letter that are about the same thing: what one of them can say is not said by another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_WORDS = ("message", "said")  # kinds that bring nothing but words
_TAKE_WORDS = ("turn", "challenge", "challenged", "declined")


def told_together(contexts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Words stand in the section about what they came with; a draw offered with a move beside that move."""
    for context in contexts:
        if context["kind"] in _WORDS and (along := _came_with(context, contexts)):
            along["message"] = context.pop("message")
    return [each for each in contexts if not _is_empty(each, contexts)]


def _came_with(words: dict[str, Any], contexts: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    about = (each for each in contexts if each["kind"] in _TAKE_WORDS and "event" in each)
    return next((each for each in about if _is_silent(each) and _same_author(each, words)), None)


def _is_silent(context: dict[str, Any]) -> bool:
    return not context["message"]


def _same_author(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one["match"] == other["match"] and one["event"].actor == other["event"].actor)


def _is_empty(context: dict[str, Any], contexts: Sequence[dict[str, Any]]) -> bool:
    """Whether all of it is told elsewhere."""
    if context["kind"] in _WORDS:
        return "message" not in context
    return (
        context["kind"] == "offer"
        and _is_silent(context)
        and any(_shows_offer(each, context) for each in contexts)
    )


def _shows_offer(context: dict[str, Any], offer: dict[str, Any]) -> bool:
    """The board of a turn has the question below it."""
    same = context["kind"] == "turn" and context["match"] == offer["match"]
    return bool(same and context["draw_offered"] and context["board"] and context["examples"])
