"""The letter that tries out the reader's mail program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken
from pbem.inbox.commands.verb import Verb, verb


@dataclass(frozen=True)
class Check(Command):
    """Sends a letter that shows whether your mail program does all that we rely on; answer it, and we tell you what
    we saw."""

    reading: ClassVar[bool] = True


def _test(said: Spoken) -> Check | None:
    """In a reply to a turn "Prova." is meant for the opponent."""
    return Check() if not said.rest and said.match is None and (said.clear or said.own is None) else None


VERBS: Sequence[Verb] = (
    verb(
        Check,
        _test,
        en=("TEST", "TEST"),
        it=(
            "PROVA",
            "PROVA",
            "Manda una lettera che mostra se il tuo programma di posta sa fare tutto ciò che ci serve;"
            " rispondi, e ti diciamo che cosa abbiamo visto.",
        ),
    ),
)
