"""What a reason to say no consists of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pbem.refusals.codes import Code

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Told(StrEnum):
    """Who hears of a refusal."""

    RELAY = "relay"  # the mail server that is still connected; no row is kept
    NOBODY = "nobody"  # the row says why; the desk shows it
    SENDER = "sender"  # the one who wrote; a stranger once a day
    PLAYER = "player"  # the registered address only, no matter who wrote


@dataclass(frozen=True)
class Refusal:
    """`smtp` is the reply in session, of the codes that a relay is told."""

    code: Code
    told: Told
    sentence: StrPromise | str
    smtp: str = ""

    @property
    def name(self) -> str:
        """The word for logs and for the desk."""
        return self.code.word

    @property
    def answered(self) -> bool:
        """Whether a letter goes out."""
        return self.told in (Told.SENDER, Told.PLAYER)
