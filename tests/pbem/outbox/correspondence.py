"""Every kind of letter that Alice and Bruno can get, written from rows as the service writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

from games.protocol import LANGUAGES, Side
from games.registry import games
from pbem.demo.play import ZERTZ
from pbem.inbox.commands.preferences import one, several
from pbem.inbox.commands.topics import TOPICS
from pbem.inbox.commands.verbs import essentials, help_contents, help_on, letters_words
from pbem.inbox.consent import word_for
from pbem.inbox.dialogue.leaving import WAYS
from pbem.matches import offers
from pbem.matches import services as matches
from pbem.matches.arbitration import adjudicate, void
from pbem.matches.automatic_moves import promise
from pbem.matches.clock import absences, stops
from pbem.matches.clock.deadlines import flag
from pbem.matches.events import record_event
from pbem.matches.matchmaking import invitations, seeks
from pbem.matches.matchmaking.rematch import rematch
from pbem.matches.models import Event, Match, Offer, Seat
from pbem.matches.notes import write_note
from pbem.matches.observers import watch
from pbem.matches.offers import roll_back, swap
from pbem.matches.takeback import undo
from pbem.matches.terms import NONE, Terms
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications import digests
from pbem.outbox.notifications.direct_messages import facts_of, write
from pbem.outbox.notifications.notify import write_to_address, write_to_player
from pbem.outbox.rendering.board import board_at
from pbem.outbox.rendering.compose import Composed, compose
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.signed_addresses import invitation_address
from pbem.players import api_tokens
from pbem.players.api_tokens import Scope
from pbem.players.blocks import limit, prefer, refuse
from pbem.players.models import Player
from pbem.players.services import register, stop
from pbem.players.subscriptions import Subscription
from pbem.players.zones import likely_zones
from pbem.refusals import REFUSALS, Code
from tests.pbem.outbox.analysed import about_analyses
from tests.pbem.outbox.contested import about_contests
from tests.pbem.outbox.organised import about_the_organiser
from tests.pbem.outbox.rated import about_ratings

NOW = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)
# White's two men are shut in by black ones, so that White has to pass.
SHUT_IN = "6ox/6oo/8/8/3o4/8/oo6/xo6 o"
# Both walk there and back, twice: the third time that the men stand as at the start.
THERE_AND_BACK = "b1-h1 a2-c2 h1-b1 c2-a2 b1-h1 a2-c2 h1-b1 c2-a2"
MESSAGES = {
    "en": "Hello! A long way to go.\n\nI am away from Friday to Sunday, so do not wait for me before Monday"
    " evening; after that I can move every day.",
    "it": "Ciao! La strada è lunga.\n\nDa venerdì a domenica sono via, quindi non aspettarmi prima di lunedì"
    " sera; dopo posso muovere ogni giorno.",
}
STRANGER = "carla@example.org"


@dataclass(frozen=True)
class Letter:
    """A row, composed when it was written, and `again` at a second attempt to send it, in one of the languages; the
    `board` of a turn letter as text."""

    row: OutboundMail
    composed: Composed
    again: bytes | None
    board: str = ""


@dataclass
class Correspondence:
    """Writes the letters of one language, under names that say what each is about."""

    language: str
    letters: dict[str, Letter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.inbound = count(1)
        self.clock = (NOW + timedelta(minutes=number) for number in count())
        self.alice, self.bruno = (
            register(name=name, email=f"{name.lower()}@example.org", language=self.language, now=NOW)
            for name in ("Alice", "Bruno")
        )

    def write(self) -> dict[str, Letter]:
        self._about_players()
        self._about_nothing_yet()
        self._about_challenges()
        self._about_a_match()
        self._about_first_turns()
        self._about_ends()
        self._about_a_pass()
        self._about_turns_taken_back()
        self._about_views()
        self._about_others()
        self._about_conditional_lines()
        self._about_clocks()
        self._about_refusals()
        self._about_lists()
        self._about_open_offers()
        self._about_limits()
        self._about_pairs_and_the_pie()
        self._about_absence()
        self._about_invitations()
        self._about_reach()
        self._about_preferences()
        self._about_digests()
        about_ratings(self)
        about_analyses(self)
        about_the_organiser(self)
        about_contests(self)
        return self.letters

    def _about_players(self) -> None:
        self._to_stranger(
            "signup", name="Carla", lines=["CHALLENGE emma zertz"], reply_to="c+token@pbem.localhost"
        )
        self._to_stranger(
            "signup, proposed",
            name="Carla",
            lines=["CHALLENGE Robot-1 zertz first"],
            game="zertz",
            proposed=True,
            reply_to="c+token@pbem.localhost",
        )
        self._to_stranger("invitation")
        self._to_stranger(
            "invitation, proposed", game="zertz", proposed=True, reply_to="c+token@pbem.localhost"
        )
        self._to_stranger("invitation, absent", absent="chess", nearest="trapdoor")
        self._to_stranger("invitation, unclear", unclear=True, reply_to="c+token@pbem.localhost")
        self._to_stranger("invitation, for the organiser", organiser=True)
        self._to_stranger("to_organiser, of a stranger", stranger=True, name="Carla")
        self._to_stranger("to_organiser, again", stranger=True, again=True)
        self._to_stranger("told_before")
        self._to_stranger(
            "invitation, a friend is named", name="Carla", friend="emma@example.org", game="zertz"
        )
        self._to_stranger("signup, alone", name="Carla", reply_to="c+token@pbem.localhost")
        self._to_stranger("signup, taken", name="Carla2", taken="Carla", reply_to="c+token@pbem.localhost")
        self._to_stranger("invitation, by a player", host="Alice", note=MESSAGES[self.language])
        self._tell(self.alice, "welcome", zones=list(likely_zones(self.language, None)))
        self._tell(self.alice, "notice")
        self._tell(self.alice, "about")
        self._tell(self.alice, "about, absent", absent="draughts", nearest="emergo")
        self._tell(self.alice, "goodbye", forever=True)
        self._tell(self.alice, "goodbye, unsure", unsure=True)
        self._tell(self.alice, "last, not identified", cap="answers")
        self._tell(self.alice, "last, refused", cap="refusals")
        self._to_stranger("address", name="Alice", reply_to="c+token@pbem.localhost")
        self._about_tokens()
        self._tell(self.alice, "addresses")
        mailbox = {"email": "alice@work.example", "name": "Alice"}
        for done in ("asked", "added", "first", "removed", "undone", "late"):
            self._tell(self.alice, f"addresses, {done}", done=done, **mailbox)
        self._to_stranger("addresses, taken away", done="removed", **mailbox)
        coming = mailbox | {"change": 1, "due": (NOW + timedelta(days=3)).isoformat()}
        self._tell(self.alice, "new_address", first=True, **coming)
        self._tell(self.alice, "new_address, added", first=False, unclear=True, **coming)
        self._tell(self.alice, "new_address, by the organiser", first=True, rests=True, **coming)
        self._to_stranger("new_address, asks", first=True, asks=True, **coming)
        asked = {"lines": ["CHALLENGE Bruno zertz first"], "reply_to": "c+token@pbem.localhost"}
        self._tell(self.alice, "confirm", held="alice@example.org", **asked)
        wrote = {
            "wrote": "CHALLENGE Bruno zertz first",
            "wrote_at": NOW.isoformat(),
            "held": "alice@example.org",
        }
        self._tell(self.alice, "confirm, in doubt", **wrote, **asked)
        self._tell(self.alice, "confirm, answer unclear", unclear=True, again=True, **asked)
        self._tell(self.alice, "confirm, waits", waits=True, **asked)
        self._tell(self.alice, "confirm, nearly said", near=True, **asked)
        unsure = {"near": True, "said": "Peace, my friend", "does": ["YES ends the match drawn."]}
        for what in ("challenge", "draw", "undo", "pause"):
            question = {"what": what, "name": "Bruno"}
            self._tell(self.alice, f"confirm, {what} answered unclearly", **asked | unsure, unsure=question)
        self._tell(self.alice, "confirm, after a restore", restored=True, **asked)
        self._tell(self.alice, "answered, signed up", agreed=True, name="Alice", lines=["Alice"])
        for agreed in (True, False):
            self._tell(self.alice, f"answered, {agreed}", agreed=agreed, lines=["RESIGN"])
        self._tell(self.alice, "forgotten")

    def _about_nothing_yet(self) -> None:
        self._tell(self.alice, "games, none")

    def _about_challenges(self) -> None:
        for side in ("first", "second"):
            with self._writing(alice=f"challenged, {side}", bruno=f"challenge, {side}"):
                match = self._challenge("zertz", side)
        reason = MESSAGES[self.language]
        with self._writing(alice="declined, told", bruno="declined, done"):
            matches.decline(match.seated[0], reason=reason, **self._asked())
        match = self._challenge("loa", "first")
        with self._writing(alice="declined, withdrawn", bruno="declined, by the challenger"):
            matches.decline(match.seated[0], **self._asked())

    def _about_a_match(self) -> None:
        match = self._challenge("zertz", "first")
        alice, bruno = match.seated
        with self._writing(alice="turn, start", bruno="turn, start, waiting"):
            matches.accept(bruno, **self._asked())
        with self._writing(alice="played", bruno="turn"):
            self._play(alice, "We5,g4")
        with self._writing(alice="turn, with message", bruno="played, with message"):
            self._play(bruno, "Bb4,b5", message=MESSAGES[self.language])
        with self._writing(alice="message", bruno="said"):
            matches.say(bruno, MESSAGES[self.language], **self._asked())
        with self._writing(alice="offered", bruno="offer"):
            matches.offer_draw(alice, **self._asked())
        with self._writing(alice="played, draw offered", bruno="turn, draw offered"):
            self._play(alice, "We3,d7")
        with self._writing(alice="rejected, told", bruno="rejected, done"):
            matches.decline(bruno, **self._asked())
        with self._writing(alice="asked", bruno="asks"):
            offers.make(match.seated[0], Offer.Kind.PAUSE, days=10, **self._asked())
        with self._writing(alice="paused, told", bruno="paused, done"):
            matches.accept(match.seated[1], **self._asked())
        offers.make(match.seated[0], Offer.Kind.PAUSE, days=1, **self._asked())
        with self._writing(alice="denied, told", bruno="denied, done"):
            matches.decline(match.seated[1], **self._asked())
        offers.make(match.seated[0], Offer.Kind.PAUSE, days=1, **self._asked())
        with self._writing(alice="denied, withdrawn", bruno="denied, withdrawn, told"):
            matches.decline(match.seated[0], **self._asked())
        with self._writing(alice="turn and offer", bruno="played and offered"):
            asked = self._asked()
            self._play(bruno, "Gd6,f3", asked=asked)
            matches.offer_draw(bruno, **asked)
        self._tell(self.alice, "board, now", match=match)
        self._tell(self.alice, "board, start", match=match, ply=0)
        self._tell(self.alice, "renewed", match=match)
        self._tell(self.alice, "board, earlier", match=match, ply=1)
        match.deadline = NOW + timedelta(days=9)
        match.save(update_fields=["deadline"])
        with self._writing(alice="played, the last receipt", bruno="turn, with deadline"):
            self._play(alice, "Bc1,f7")
        for player in (self.alice, self.bruno):
            prefer(player, {"receipts": True}, now=self._now())

    def _about_first_turns(self) -> None:
        """Of two who have played no game yet, in each; and where a guest answers an invitation with a move."""
        dario, edith = (
            register(name=name, email=f"{name.lower()}@example.org", language=self.language, now=NOW)
            for name in ("Dario", "Edith")
        )
        for game in games():
            match = matches.propose(
                challenger=dario, opponent=edith, game=game, options=["first"], **self._asked(), rng=Random(5)
            )
            with self._naming(f"turn, begins, {game}"):
                matches.accept(match.seated[1], **self._asked())
            with self._naming(f"turn, the first, {game}"):
                self._play(match.seated[0], str(match.current().sample(Random(5))))
            frida = register(
                name=f"Frida-{game}", email=f"{game}@example.org", language=self.language, now=NOW
            )
            invitation = invitations.invite(
                frida, f"gina.{game}@example.org", game=game, options=["second"], **self._at()
            )
            gina = register(name=f"Gina-{game}", email=invitation.address, language=self.language, now=NOW)
            asked = self._asked()
            with self._naming(f"turn, guest, {game}"):
                match = invitations.accept(invitation, gina, **asked, rng=Random(5))
                self._play(match.seated[0], str(match.current().sample(Random(5))), asked=asked)

    def _about_absence(self) -> None:
        match = self._begin("loa", Terms(clock="3d/move"))
        asked = self._asked()
        with self._writing(alice="absences, by herself", bruno="away"):
            absence = absences.go_away(
                self.alice,
                date(2026, 8, 3),
                date(2026, 8, 20),
                message=MESSAGES[self.language],
                **asked,
            )
        one, some = facts_of(absence), {"left": 12, "unmoved": []}
        self._tell(self.alice, "absences, none", absences=[], done="", **some)
        self._tell(self.alice, "absences, announced", absences=[one], done="announced", changed=one, **some)
        both = {"absences": [one, one | {"last": one["first"]}], "left": 1, "unmoved": ["105", "106"]}
        self._tell(self.alice, "absences, two", done="announced", changed=one, **both)
        self._tell(self.alice, "absences, ended", absences=[], done="ended", changed=one, **some)
        self._tell(self.alice, "absences, taken back", absences=[], done="taken back", changed=one, **some)
        with self._writing(alice="here_again, herself", bruno="here_again"):
            absences.come_back(self.alice, day=date(2026, 8, 3), **self._asked())
        with self._writing(alice="day_taken", bruno="away, automatic"):
            absences.take_a_day(self.alice, self._now(), now=self._now())
        with self._writing(alice="gave", bruno="given"):
            stops.give(match.seated[0], timedelta(hours=36), **self._asked())
        assert match.moving
        with self._writing(alice="reminder", bruno="reminder, none"):
            record_event(match, Event.Kind.REMINDED, now=self._now(), side=0, days_left=12)

    def _about_ends(self) -> None:
        match, moves = self._begin("zertz"), ZERTZ.split()
        self._play_all(match, moves[:8])
        with self._writing(alice="played, leaving no choice", bruno="turn, no choice"):
            self._play(match.seated[0], moves[8])
        self._play_all(match, moves[9:-1])
        with self._writing(alice="result, lost", bruno="result, won"):
            self._play(match.seated[1], moves[-1])
        match, moves = self._begin("loa"), THERE_AND_BACK.split()
        with self._writing(alice="reminder, no clock", bruno="reminder, no clock, none"):
            record_event(match, Event.Kind.REMINDED, now=self._now(), side=0, waiting=7)
        self._play_all(match, moves[:-1])
        with self._writing(alice="result, repetition", bruno="result, repeated"):
            self._play(match.seated[1], moves[-1])
        match = self._begin("zertz:blitz")
        self._play(match.seated[0], "We5,g4")
        with self._writing(alice="result, resigned", bruno="result, opponent resigned"):
            matches.resign(match.seated[0], **self._asked())
        match = self._begin("loa")
        matches.offer_draw(match.seated[0], **self._asked())
        with self._writing(alice="result, agreed", bruno="result, agreed by me"):
            matches.accept(match.seated[1], **self._asked())

    def _about_a_pass(self) -> None:
        match = self._begin("loa")
        self._play(match.seated[0], "b1-b3")
        self._play(match.seated[1], "a2-c2")
        match.live_turns().filter(ply=1).update(position=SHUT_IN)
        match.position = SHUT_IN
        match.save(update_fields=["position"])
        with self._writing(alice="played, then a pass", bruno="turn, after a pass"):
            self._play(match.seated[0], "d4-e4")

    def _about_turns_taken_back(self) -> None:
        match = self._begin("loa")
        self._play_all(match, ["b1-b3", "a2-c2", "b3-b5"])
        with self._writing(alice="asked, for a takeback", bruno="asks, for a takeback"):
            undo(match.seated[0], 3, **self._asked())
        with self._writing(alice="undone", bruno="undone, told"):
            roll_back(match, 1, now=self._now(), side=None, reason=MESSAGES[self.language])
        matches.resign(match.seated[1], **self._asked())
        with self._writing(alice="undone, open again", bruno="undone, open again, told"):
            roll_back(match, 1, now=self._now(), side=None)

    def _about_views(self) -> None:
        match, moves = self._begin("loa"), ("d1-d3", "a4-c4", "c8-c5", "h7-f7")
        self._tell(self.alice, "history, empty", match=match, ply=0)
        self._play_all(match, moves)
        lines = {
            "whole": ["d3-d5", "a2-c2", "c1-e3"],
            "alone": ["d3-d5"],
            "illegal": ["d3-d5", "c4-b8", "c1-e3", "a2-b3"],
            "unreadable": ["d3-d5", "???"],
        }
        for name, line in lines.items():
            self._tell(self.alice, f"tried, {name}", match=match, ply=4, moves=line, left=0)
        self._tell(self.alice, "tried, nothing", match=match, ply=4, moves=["a1-a1"], left=1)
        for player in (self.alice, self.bruno):
            self._tell(player, f"restored, {player.name}", match=match, since=NOW.isoformat())
        held = {"held": "alice@example.org", "lines": ["d3-d5"], "reply_to": "c+token@pbem.localhost"}
        self._tell(self.alice, "confirm, of an older epoch", match=match, restored=True, **held)
        resigns = {"lines": ["RESIGN"], "resigns": match.pk, "reply_to": "c+token@pbem.localhost"}
        resigns["named"] = {"en": "RESIGN", "it": "ABBANDONO"}[self.language]
        self._tell(self.alice, "confirm, to resign", **resigns)
        self._tell(self.alice, "confirm, of a near miss", match=match, near=True, **held)
        self._tell(self.bruno, "strip", match=match, ply=4, last=3)
        self._tell(self.bruno, "strip, one", match=match, ply=4, last=1)
        self._tell(self.bruno, "strip, before the first move", match=match, ply=0, last=3)
        self._tell(self.bruno, "description", match=match, ply=4)
        self._tell(self.alice, "description, my turn", match=match, ply=4)
        zertz = self._begin("zertz")
        self._tell(self.alice, "description, of many moves", match=zertz, ply=0)
        self._tell(self.bruno, "history", match=match, ply=4)
        self._tell(self.bruno, "record", match=match, ply=4)
        self._tell(self.bruno, "games, at a glance", only=None)
        self._tell(self.bruno, "notes, none", match=match)
        write_note(match.seated[0], MESSAGES[self.language], now=self._now())
        self._tell(self.alice, "notes", match=match)
        with self._writing(alice="result, with notes", bruno="result, without notes"):
            matches.resign(match.seated[0], **self._asked())
        self._tell(self.alice, "history, of a match that is over", match=match, ply=4)
        self._tell(self.bruno, "games, of one that is over", only=match.pk)

    def _about_others(self) -> None:
        """What comes from the matches of others, and from their players."""
        carla = register(name="Carla", email=STRANGER, language=self.language, now=NOW)
        match = matches.start(first=self.alice, second=carla, game="loa", now=self._now(), rng=Random(5))
        for way in ({}, {"delay": 3}):
            watching = watch(self.bruno, match.pk, now=self._now(), **way)
            facts = {"delay": watching.delay}
            self._tell(self.bruno, f"watching, {way}", match=match, ply=0, **facts)
        self._play_all(match, ("d1-d3", "a4-c4", "c8-c5"))
        self._tell(self.bruno, "watched", match=match, ply=3, since=2)
        self._tell(self.bruno, "games, and watched", match=match)
        matches.resign(match.seated[0], **self._asked())
        match.refresh_from_db()
        self._tell(self.bruno, "watched, over", match=match, ply=3, since=2)
        self._tell(self.bruno, "unwatched", match=match)
        with self._writing(alice="relayed", bruno="-"):
            message = write(self.bruno, self.alice, MESSAGES[self.language], now=self._now())
        self._tell(self.bruno, "passed_on", message=message.pk)

    def _about_conditional_lines(self) -> None:
        match = self._begin("loa")
        alice, bruno = match.seated
        self._play(alice, "b1-b3")
        for line in (
            ["a2-c2", "b3-b1", "c2-a2", "g1-g3"],
            ["a2-c2", "b3-b1", None, "c1-c3"],
            ["a5-c5", "b3-b1"],
        ):
            promise(alice, line, now=self._now())
        self._tell(self.alice, "conditionals", match=match)
        self._tell(self.bruno, "conditionals, none", match=match)
        with self._writing(alice="cascade, answered", bruno="cascade"):
            self._play(bruno, "a2-c2")
        with self._writing(alice="turn, answer failed", bruno="played, answer failed"):
            self._play(bruno, "a5-c5")
        promise(bruno, ["b1-b3", "c2-a2"], now=self._now())
        promise(bruno, ["g1-g3", "c2-a2"], now=self._now())
        with self._writing(alice="cascade, of the opponent", bruno="cascade, as said"):
            self._play(alice, "b1-b3")
        self._play(alice, "b3-b1")
        with self._writing(alice="result, adjudicated", bruno="result, adjudicated, with lines left over"):
            adjudicate(match, Side.FIRST, reason=MESSAGES[self.language], now=self._now())
        match = self._begin("loa")
        self._play(match.seated[0], "b1-b3")
        promise(match.seated[0], ["a2-c2", "b3-b1"], now=self._now())
        with self._writing(alice="voided, with a line left over", bruno="voided"):
            void(match, reason=MESSAGES[self.language], now=self._now())

    def _about_clocks(self) -> None:
        """Bruno keeps a calendar."""
        Player.objects.filter(pk=self.bruno.pk).update(calendar_files=True)
        options = ["first", "10d+36h<=10d", "total=60d", "timeout=claim"]
        with self._writing(alice="challenged, clock", bruno="challenge, clock"):
            match = self._challenge("loa", *options)
        with self._writing(alice="turn, start, clock", bruno="turn, start, clock, waiting"):
            matches.accept(match.seated[1], **self._asked())
        with self._writing(alice="played, clock", bruno="turn, calendar"):
            self._play(match.seated[0], "b1-b3")
        at = self._now().isoformat()
        self._tell(self.alice, "clock", match=match, at=at)
        self._tell(self.bruno, "clock, all", at=at)
        with self._writing(alice="overstepped, told", bruno="overstepped, claim"):
            flag(Match.objects.all(), match.pk, now=self._now())
        self._tell(self.bruno, "clock, over", match=Match.objects.get(pk=match.pk), at=at)
        self._tell(self.alice, "clock, none", match=self._begin("loa"), at=at)
        Player.objects.filter(pk=self.bruno.pk).update(calendar_files=False)

    def _about_refusals(self) -> None:
        """Each code that is answered, with the facts that it comes with."""
        match = self._begin("zertz")
        self._play_all(match, ZERTZ.split()[:9])
        facts: dict[str, dict[str, Any]] = {
            Code.NO_MOVE_FOUND: {"nearest": ["RESIGN"], "text": "resgin it", "usage": "RESIGN [match]"},
            Code.AMBIGUOUS_MOVE: {"text": "c1xc5", "readings": ["b4xd6"]},
            Code.NO_SUCH_MATCH: {"number": 4711},
            Code.STALE_TURN: {"text": "Ga1, g7"},
            Code.ILLEGAL_MOVE: {"text": "Gd2, a4", "objection": ["must_jump", ["b4", "d6"], [], []]},
            Code.NO_SUCH_PLAYER: {"name": "Zorro"},
            Code.NO_SUCH_GAME: {"text": "zerz", "nearest": ["zertz", "zertz:blitz"]},
            Code.BAD_NAME: {"name": "4lice"},
            Code.BAD_SETUP: {"text": "xyz"},
            Code.CONFIRM_EXPIRED: {"lines": ["RESIGN"]},
            Code.TOO_MANY_ROBOTS: {"limit": 6, "text": "CHALLENGE Robot-1 zertz"},
            Code.WHICH_QUESTION: {
                "questions": [
                    {"line": f"YES {number}", "what": what, "name": "Alice", "game": "loa"}
                    for number, what in enumerate(("challenge", "draw", "pause", "undo"), 104)
                ]
            },
        }
        for code in (code for code, refusal in REFUSALS.items() if refusal.answered):
            about = match if code[0] in "PG" and code != Code.NO_SUCH_MATCH else None
            self._tell(self.bruno, f"refused, {code}", match=about, code=code, **facts.get(code, {}))
        self._tell(self.bruno, "unsaid", match=match, text=MESSAGES[self.language])
        for why in ("refused", "nobody", "no_invitation"):
            self._tell(self.bruno, f"unsaid, {why}", text=MESSAGES[self.language], why=why)
        self._to_stranger("refused, stranger", code=Code.NAME_TAKEN, name="Alice")
        self._tell(self.bruno, "last, of a match", match=match, cap="refusals")
        self._tell(self.bruno, "last, of anybody", cap="answers")

    def _about_lists(self) -> None:
        self._tell(self.bruno, "games, some")
        Player.objects.filter(pk=self.bruno.pk).update(listed=True)
        self._tell(self.alice, "players", game="", at=self._now().isoformat())
        self._tell(self.bruno, "players, none", game="emergo", at=self._now().isoformat())
        self._tell(self.bruno, "my_data")
        self._tell(self.bruno, "renamed", name="Bruno", before="Brunello")
        self._tell(self.bruno, "game", game="zertz")
        self._tell(self.alice, "help", essentials=essentials(self.language))
        self._tell(self.alice, "help, all", contents=help_contents(self.language))
        verb = {"en": "CHALLENGE", "it": "SFIDA"}[self.language]
        self._tell(self.alice, "help, a verb", verb=verb, chapters=[help_on(verb, self.language)])
        self._tell(self.alice, "help, guide", guide=True)
        self._tell(self.alice, "help, robots", robots=True)
        for topic in games():
            self._tell(self.alice, f"help, {topic}", topic=topic)

    def _about_open_offers(self) -> None:
        at = {"at": self._now().isoformat()}
        self._tell(self.alice, "open, none", **at)
        for player, options, keep in (
            (self.alice, ["second", "3d/move"], None),
            (self.bruno, ["pair", "on-time=90", f"lang={self.language}"], 3),
        ):
            seek = seeks.offer(player, game="zertz", options=options, keep=keep, **self._at())
        at = {"at": self._now().isoformat()}
        self._tell(self.bruno, "open, made", made=seek.pk, **at)
        self._tell(self.alice, "open, some", **at)
        seeks.close(self.bruno, seek.pk, now=self._now())
        self._tell(self.bruno, "open, closed", closed=seek.pk, **at)

    def _at(self) -> dict[str, Any]:
        return {"now": self._now(), "rng": Random(5)}

    def _about_invitations(self) -> None:
        for side, address in (("first", STRANGER), ("second", "bruno@example.org")):
            invitation = invitations.invite(
                self.alice, address, game="zertz", options=[side, "3d/move"], **self._at()
            )
            about = {"invitation": invitation.pk, "reply_to": invitation_address(invitation)}
            self._tell(self.alice, f"invited, {side}", invitation=invitation.pk)
            self._to_stranger(f"invites, {side}", **about)
        self._to_stranger("invites, a move asked about", near="Gc4,a3", **about)
        self._to_stranger("invites, a family, unclear", others=["Anna", "Berta"], unclear=True, **about)
        self._tell(self.bruno, "invites, a player", **about)
        self._tell(self.bruno, "invites, a player, unclear", unclear=True, **about)
        self._to_stranger("invites, a yes with a wish", unclear=True, wishes=True, **about)
        self._tell(self.alice, "uninvited", invitation=invitation.pk)
        self._tell(self.alice, "after_all", invitation=invitation.pk, message="I would like to play now")
        self._to_stranger("reconsidered", heard=True, **about)
        self._to_stranger("reconsidered, heard before", heard=True, lost="I would like to play", **about)
        self._to_stranger("reconsidered, asked", **about)

    def _about_pairs_and_the_pie(self) -> None:
        with self._writing(alice="challenged, a pair", bruno="challenge, a pair"):
            match = matches.propose(
                challenger=self.alice,
                opponent=self.bruno,
                game="loa",
                options=["first", "pair", "pie", "3d/move", "rated"],
                **self._asked(),
                rng=Random(5),
            )
        self._tell(self.bruno, "refused, challenged", match=match, code=Code.NO_MOVE_FOUND, text="Well, well")
        matches.accept(match.seated[1], **self._asked())
        told = {"text": "my man to k9", "begun": True}
        self._tell(self.alice, "refused, begun", match=match, code=Code.NO_MOVE_FOUND, **told)
        matches.play(match.seated[0], "b1-b3", **self._asked())
        with self._writing(alice="swapped, told", bruno="swapped, done"):
            swap(match.seated[1], **self._asked())
        with self._writing(alice="result, the first of a pair", bruno="result, the first of a pair, told"):
            matches.resign(match.seated[1], **self._asked())
        other = Match.objects.latest("pk")
        with self._writing(alice="result, a pair", bruno="result, a pair, told"):
            matches.resign(other.seated[1], **self._asked())
        with self._writing(alice="challenged, a return match", bruno="challenge, a return match"):
            rematch(other.seated[1], **self._asked(), rng=Random(5))

    def _about_limits(self) -> None:
        self._tell(self.alice, "limits, none")
        limit(self.alice, "", 10)
        limit(self.alice, "zertz", 1)
        refuse(self.alice, self.bruno, game="loa", now=self._now())
        self._tell(self.alice, "limits, some")
        refuse(self.alice, self.bruno, blocked=True, now=self._now())
        self._tell(self.alice, "limits, a block")

    def _about_reach(self) -> None:
        """Addresses that do not work, and what is said when they work again."""
        match = self._begin("loa")
        for kind in ("unreachable", "back"):
            for to_move in (True, False):
                whose = "opponent to move" if to_move else "my turn"
                self._tell(self.alice, f"{kind}, {whose}", match=match, name="Bruno", to_move=to_move)
        self._tell(self.alice, "probe")
        self._tell(self.alice, "resumed, elsewhere", lost="alice@old.example")
        self._tell(self.alice, "resumed", match=match)
        self._tell(self.alice, "complained")
        self._tell(self.alice, "clock_runs")
        ways = [word_for(way, self.language) for way in WAYS]
        for unclear in (False, True):
            name = "leaving, unclear" if unclear else "leaving"
            self._tell(
                self.alice,
                name,
                matches=[match.pk],
                ways=ways,
                unclear=unclear,
                reply_to="c+token@pbem.localhost",
            )
        stop(self.alice, Subscription.RECEIPTS, now=self._now())
        self.alice.refresh_from_db()
        self._tell(self.alice, "letters", words=letters_words(self.language))

    def _about_preferences(self) -> None:
        for name, everything in (("preferences, first", False), ("preferences, all", True)):
            self._tell(self.alice, name, **_facts(several(self.alice, everything=everything)))
        chosen = _facts(one(self.alice, TOPICS[0]))
        [[_title, [row]]] = chosen["groups"]
        self._tell(self.alice, "preferences, chosen", before=row["how"], **chosen)

    def _about_digests(self) -> None:
        """One that tells much, and one that only says what its reader has done themselves."""
        prefer(self.alice, {"cadence": "daily", "receipts": True}, now=self._now())
        for game, moves, message in (
            ("zertz", ["We5,g4", "Bb4,b5"], MESSAGES[self.language]),
            ("loa", [], ""),
        ):
            match = self._begin(game)
            for move in moves:
                assert match.moving
                self._play(match.moving, move, message=message)
            match.deadline = self._now() + timedelta(days=2, hours=5) if moves else None
            match.save(update_fields=["deadline"])
        self._digest("digest, much")
        self._play(match.seated[0], "b1-b3")
        self._digest("digest, own moves")

    def _digest(self, name: str) -> None:
        row = digests.write(self.alice.pk, now=self._now())
        assert row
        self._keep(name, row)

    def _challenge(self, game: str, *options: str) -> Match:
        return matches.propose(
            challenger=self.alice,
            opponent=self.bruno,
            game=game,
            options=options,
            **self._asked(),
            rng=Random(5),
        )

    def _begin(self, game: str, terms: Terms = NONE) -> Match:
        players = {"first": self.alice, "second": self.bruno}
        return matches.start(**players, game=game, terms=terms, now=self._now(), rng=Random(5))

    def _play_all(self, match: Match, moves: Sequence[str]) -> None:
        for move in moves:
            assert match.moving
            self._play(match.moving, move)

    def _play(
        self, seat: Seat, canonical: str, *, message: str = "", asked: dict[str, Any] | None = None
    ) -> None:
        """The move as this seat's player writes it."""
        game, position = seat.match.game, seat.match.current()
        written = game.write(position, game.move(canonical), seat.player.notation)
        matches.play(seat, written, message=message, **(asked or self._asked()))

    def _asked(self) -> dict[str, Any]:
        """The arguments of a service that say which inbound letter asks, and when."""
        return {"now": self._now(), "letter": next(self.inbound)}

    def _now(self) -> datetime:
        return next(self.clock)

    @contextmanager
    def _writing(self, *, alice: str, bruno: str) -> Iterator[None]:
        """Gives the letters that are written inside these names."""
        before = set(OutboundMail.objects.values_list("pk", flat=True))
        yield
        for row in OutboundMail.objects.exclude(pk__in=before):
            self._keep(alice if row.player == self.alice else bruno, row)

    @contextmanager
    def _naming(self, name: str) -> Iterator[None]:
        """Gives the letters that are written inside this name and that of their reader."""
        before = set(OutboundMail.objects.values_list("pk", flat=True))
        yield
        for row in OutboundMail.objects.exclude(pk__in=before).select_related("player"):
            self._keep(f"{name}, {row.player.name if row.player else row.address}", row)

    def _about_tokens(self) -> None:
        """None, one that has just been made, and their end."""
        told = {"at": NOW.isoformat(), "words": {scope: scope for scope in map(str, Scope)}}
        self._tell(self.alice, "tokens", **told)
        with patch("pbem.players.api_tokens.new_nonce", lambda: bytes(16)):
            made, _text = api_tokens.create(self.alice, [Scope.PLAY], now=NOW)
        self._tell(self.alice, "tokens, made", made=made.pk, **told)
        self._tell(self.alice, "tokens, ended", done=True, **told)

    def _tell(self, player: Player, name: str, /, *, match: Match | None = None, **facts: Any) -> None:
        section = {"kind": _kind(name)} | facts | ({"match": match.pk} if match else {})
        row = write_to_player(
            player,
            cause=f"letter:{next(self.inbound)}",
            section=section,
            match=match,
            ply=match.ply if match else None,
            now=self._now(),
        )
        assert row
        self._keep(name, row)

    def _to_stranger(self, name: str, /, **facts: Any) -> None:
        section = {"kind": _kind(name)} | facts
        row = write_to_address(
            STRANGER, language=self.language, cause=f"stranger:{name}", section=section, now=self._now()
        )
        self._keep(name, row)

    def _keep(self, name: str, row: OutboundMail) -> None:
        row = OutboundMail.objects.select_related("match", "player").get(pk=row.pk)
        board = ""
        if row.match and row.ply is not None and row.kind in ("turn", "cascade"):
            reader = Reader.of(row)
            board = board_at(row.match, row.ply, reader.notation, reader.look_at(row.match)).text
        sent_again = len(name) % len(LANGUAGES) == LANGUAGES.index(self.language)
        composed, again = compose(row), compose(row).raw if sent_again else None
        self.letters[name] = Letter(row, composed, again, board)


def _kind(name: str) -> str:
    return name.partition(",")[0]


def _facts(section: dict[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in section.items() if name != "kind"}
