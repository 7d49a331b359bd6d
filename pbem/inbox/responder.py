"""Sends the answers to a letter, within the answer limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from pbem.inbox.models import InboundMail
from pbem.inbox.rate_limits.slots import RELAY, give_back, is_full, take_place
from pbem.inbox.rate_limits.table import CAPS
from pbem.mail.authentication.policy import TokenState
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import Section, write_to_address, write_to_player
from pbem.players.models import Player
from pbem.refusals import Code

# Caps with a notice below the last answer of the day.
LAST_WORDS = ("answers", "replies", "unclear", "unsure", "refusals", "questions")


@dataclass
class Responder:
    """The answers to one letter. `identified`: see `Reading`.

    `asked`: the address of the answered question, when a provider vouches for it.
    """

    letter: InboundMail
    identified: bool
    now: datetime
    asked: str = ""
    silenced: set[str] = field(default_factory=set)  # caps that prevented an answer
    _places: dict[tuple[str, str], int | None] = field(default_factory=dict)
    _last: dict[str, OutboundMail] = field(default_factory=dict)

    def may_reply(
        self, address: str, section: Section, *, player: Player | None = None, match: Match | None = None
    ) -> bool:
        """Whether the section may be sent; repeated calls for this letter agree.

        Takes the places in the caller's transaction, each for one letter.
        """
        if not address:
            return False  # no mailbox
        for cap, whom in self._caps(address, section, player, match):
            if (cap, whom) not in self._places:
                self._places[cap, whom] = take_place(cap, whom, self.now)
            if self._places[cap, whom] is None:
                self.silenced.add(cap)
                return False
        return True

    def answers_are_used_up(self, player: Player) -> bool:
        """Whether the player's answers of today are used up, so that commands need a YES first."""
        if self.identified or self._places.get(("answers", address := player.email)):
            return False
        return is_full("answers", address, self.now)

    def has_proved(self, address: str) -> None:
        """Frees the address's answers of today after a YES from there."""
        give_back(("answers", "replies", "unsure"), address, self.now)

    def may_tell_stranger(self, address: str) -> bool:
        """Whether the daily limits on strangers allow an answer, in all and per mail server."""
        server = self.letter.server
        caps = [("strangers_day", "all")]
        if server and server != RELAY:  # a relay hides the mail server
            caps.insert(0, ("strangers_server", server))
        for cap, whom in caps:
            if take_place(cap, whom, self.now) is None:
                self.silenced.add(cap)
                return False
        take_place("stranger_first", address, self.now)
        return True

    def tell_player(
        self, player: Player, section: Section, *, match: Match | None = None, cause: str = ""
    ) -> None:
        """Adds a section to the answer to the player's registered address."""
        if not self.may_reply(player.email, section, player=player, match=match):
            return
        written = write_to_player(
            player,
            cause=cause or self._cause,
            section=section,
            match=match,
            ply=match.ply if match else None,
            now=self.now,
            answers=True,
        )
        self._remember(written)

    def tell_address(
        self, address: str, section: Section, *, language: str, player: Player | None = None, cause: str = ""
    ) -> None:
        """The same for any address, also a stranger's."""
        if not self.may_reply(address, section, player=player):
            return
        written = write_to_address(
            address,
            language=language,
            player=player,
            cause=cause or self._cause,
            section=section,
            now=self.now,
        )
        self._remember(written)

    def finish(self) -> None:
        """Adds a notice below answers that were the last of the day."""
        for cap, letter in self._last.items():
            write_to_address(
                letter.address,
                language=letter.language,
                player=letter.player,
                cause=letter.cause,
                section={"kind": "last", "cap": cap},
                match=letter.match,
                ply=letter.ply,
                now=self.now,
            )

    @property
    def facts(self) -> dict[str, object]:
        """The caps that prevented an answer, for the organiser."""
        return {"silenced": sorted(self.silenced)} if self.silenced else {}

    @property
    def _cause(self) -> str:
        return f"letter:{self.letter.pk}"

    def _caps(
        self, address: str, section: Section, player: Player | None, match: Match | None
    ) -> Iterator[tuple[str, str]]:
        code = _code(section)
        if section["kind"] == "address":  # an address that is not proved yet
            yield "asked", f"player:{self.letter.player_id}"
            yield "answers", address
        elif not self.identified and address == self.asked:
            yield "replies", address
        elif not self.identified:
            if section.get("unclear"):
                yield "unclear", address
            elif code and player is None:
                yield "code", f"{address} {code}"
            yield ("unsure" if section["kind"] == "confirm" and not code else "answers"), address
        elif player and code:
            yield "refusals", f"player:{player.pk} match:{match.pk if match else '-'}"
        elif player and (section.get("doubted") or self._asks_about_old(section)):
            yield "questions", f"player:{player.pk}"

    def _asks_about_old(self, section: Section) -> bool:
        """Whether it asks about a letter to an old reply address, which others may have.

        After a restore all reply addresses are old, so those questions do not count.
        """
        current = self.letter.reading.get("token") == TokenState.CURRENT
        return section["kind"] == "confirm" and not current and not section.get("restored")

    def _remember(self, written: OutboundMail | None) -> None:
        for (cap, _), place in self._places.items():
            if written and cap in LAST_WORDS and place == CAPS[cap].most:
                self._last.setdefault(cap, written)


def _code(section: Section) -> str:
    """The refusal code of the section. Empty for other sections."""
    if section["kind"] == "refused":
        return str(section["code"])
    if section["kind"] == "unsaid":  # accompanies a refusal
        return "unsaid"
    return Code.NO_MOVE_FOUND if section.get("unclear") else ""
