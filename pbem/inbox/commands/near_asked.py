"""Rewrites lines that ask or doubt as plain lines: `how do I resign?`, `Draw?`."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.inbox.commands.cells import names_cell
from pbem.inbox.commands.near_words import about
from pbem.inbox.commands.normalization import of_match, unquoted, without_courtesy
from pbem.inbox.commands.paraphrases import asked_how, nearly
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_LITTLE = _WORDS.words("talk_of_moves", "joining")  # poi is NEXT, too


def asked_first(text: str) -> str:
    """Removes what follows a question and names no cell: `what if I went c1-c3? I only want to see`."""
    asked, sign, rest = text.partition("? ")
    return f"{asked}?" if sign and not names_cell(rest) else text


def helps(text: str) -> Iterator[str]:
    """Yields HELP RESIGN for `how do I resign?`."""
    for asked in asked_how(text):
        word, _, how = asked.partition(" ")
        lines = (*nearly(how, anew=True), *about(how), how)
        first = [line.partition(" ")[0] for line in lines]
        verbs = [
            verb for verb in first if fold(verb) in VERBS_OF and fold(verb) not in _LITTLE and len(verb) > 2
        ]
        yield from (f"{word} {verb.upper()}" for verb in verbs if fold(verb) != fold(word))


def without_doubts(text: str) -> Iterator[str]:
    """Yields `HELP!` and `Draw?` without their signs."""
    if text.endswith(("!", "?", "..")):
        said = of_match(without_courtesy(unquoted(text.rstrip("!?. "))))
        yield said.upper() if said.isalpha() else said
    elif text.isalpha():
        yield text.upper()
