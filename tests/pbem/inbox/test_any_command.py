"""Lines of every family of verbs, put together as nobody would: read in bounded time, told from talk, never raising."""

from __future__ import annotations

import os

from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.parser import understand
from pbem.inbox.commands.verbs import VERBS, VERBS_OF
from pbem.refusals import Code
from tests.examples import examples
from tests.pbem.inbox.test_commands import is_move

EXAMPLES = int(os.environ.get("COMMAND_EXAMPLES", "100"))
# What follows verbs, in a language or both.
WORDS = (
    "105", "3", "#12", "[7]", "b1-b3", "a2-c2", "Bruno", "bruno@example.org", "loa", "zertz+11", "first", "3d/move",
    "10d+36h<=10d", "setup=W", "5 days", "12 ore", "3 August", "TO 20 August", "al 20 agosto", "domani", "LAST 3",
    "AT 7", "AT", "clear", "cancella 2", "IF b1-b3 THEN a2-c2", "b1-b3 THEN a2-c2", "ANY THEN b1-b3", "SE", "ALLORA",
    "turns", "stop", "Bruno loa", "Bruno: some words.", "ADDRESS bruno@example.org", "DAY", "puzzles",
    "tutto", "theme dark", "name Teo", "cadence daily 8", "zone Rome", "address", "clock", "later", "rules", "all",
    "data", "; ", ": some words.", "!", "?", "--", "\N{NO-BREAK SPACE}", "\N{RIGHT-TO-LEFT OVERRIDE}",
    "１０５", "c1\N{EN DASH}c3",
)  # fmt: skip

lines = st.builds(
    lambda verb, words, blank: blank.join([verb, *words]),
    st.sampled_from([word.upper() for word in VERBS_OF]) | st.sampled_from(list(VERBS_OF)),
    st.lists(st.sampled_from(WORDS) | st.text(max_size=20), max_size=4),
    st.sampled_from((" ", " ", "  ", ": ", "\t", "")),
)


@examples(EXAMPLES)
@given(
    st.lists(lines, min_size=1, max_size=6), st.none() | lines, st.sampled_from(("en", "it")), st.booleans()
)
def test_no_command_raises(written: list[str], subject: str | None, language: str, reply: bool) -> None:
    match = 105 if reply else None
    understood = understand(written, subject=subject, language=language, is_move=is_move, match=match)
    assert (understood.verdict == Code.NO_MOVE_FOUND) == (not understood.commands)
    for command in understood.commands:
        assert command.line.strip()
        again = understand([command.line], subject=None, language=language, is_move=is_move, match=match)
        assert again.commands == (command,), "a line means what it means alone"


def test_such_words_reach_every_command() -> None:
    for verb in VERBS:
        first = verb.phrases["en"].words[0]
        lines = ((f"{first} {words}", match) for words in ("", *WORDS) for match in (105, None))
        assert any(verb.command in commands(line, match) for line, match in lines), first


def commands(line: str, match: int | None) -> set[type[Command]]:
    understood = understand([line], subject=None, language="en", is_move=is_move, match=match)
    return {type(command) for command in understood.commands}
