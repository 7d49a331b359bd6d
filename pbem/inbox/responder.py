"""The only mouth through which a letter is answered: it knows when to be silent."""

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

# Anyone who hears that one of these was their last answer of the day can do something else than write again.
LAST_WORDS = ("answers", "replies", "unclear", "unsure", "refusals", "questions")


@dataclass
class Responder:
    """The answers to one letter. `identified`: its writer is known to be the player, see `Reading`. `asked`: where the
    question was read that it answers, if a provider stands by that.
    """

    letter: InboundMail
    identified: bool
    now: datetime
    asked: str = ""
    silenced: set[str] = field(default_factory=set)  # the caps that kept us from answering
    _places: dict[tuple[str, str], int | None] = field(default_factory=dict)
    _last: dict[str, OutboundMail] = field(default_factory=dict)

    def may_tell(
        self, address: str, section: Section, *, player: Player | None = None, match: Match | None = None
    ) -> bool:
        """Whether the section may be said; asked again about this letter, the answer is the same.

        What is allowed is written down in the caller's transaction, and two letters cannot have one place.
        """
        if not address:
            return False  # nobody is there
        for cap, whom in self._caps(address, section, player, match):
            if (cap, whom) not in self._places:
                self._places[cap, whom] = take_place(cap, whom, self.now)
            if self._places[cap, whom] is None:
                self.silenced.add(cap)
                return False
        return True

    def answers_are_used_up(self, player: Player) -> bool:
        """Whether what is asked for could not be told them today: then its reader is asked about it first."""
        if self.identified or self._places.get(("answers", address := player.email)):
            return False
        return is_full("answers", address, self.now)

    def has_proved(self, address: str) -> None:
        """Somebody who reads there has said that they write themselves today: they are answered as at its beginning."""
        give_back(("answers", "replies", "unsure"), address, self.now)

    def may_tell_stranger(self, address: str) -> bool:
        """Whether there is room today for one more who has not signed up, in all and through the same mail server."""
        server = self.letter.server
        caps = [("strangers_day", "all")]
        if server and server != RELAY:  # behind a relay of ours all the world is one mail server
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
        """Add a section to the answer, at the registered address."""
        if not self.may_tell(player.email, section, player=player, match=match):
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
        """The same for somebody who may not have signed up."""
        if not self.may_tell(address, section, player=player):
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

    def last_words(self) -> None:
        """Below an answer that was the last of its day, say so."""
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
        """What the organiser sees: why somebody got no answer."""
        return {"silenced": sorted(self.silenced)} if self.silenced else {}

    @property
    def _cause(self) -> str:
        return f"letter:{self.letter.pk}"

    def _caps(
        self, address: str, section: Section, player: Player | None, match: Match | None
    ) -> Iterator[tuple[str, str]]:
        code = _code(section)
        if section["kind"] == "address":  # whose it is, nobody knows yet
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
        """Whether it is asked about a letter to a reply address that may have been handed on since. After a restore
        all of them are old, and all are asked about."""
        current = self.letter.reading.get("token") == TokenState.CURRENT
        return section["kind"] == "confirm" and not current and not section.get("restored")

    def _remember(self, written: OutboundMail | None) -> None:
        for (cap, _), place in self._places.items():
            if written and cap in LAST_WORDS and place == CAPS[cap].most:
                self._last.setdefault(cap, written)


def _code(section: Section) -> str:
    """What the section says no for; "" when it says something else."""
    if section["kind"] == "refused":
        return str(section["code"])
    if section["kind"] == "unsaid":  # goes with a refusal
        return "unsaid"
    return Code.NO_MOVE_FOUND if section.get("unclear") else ""
