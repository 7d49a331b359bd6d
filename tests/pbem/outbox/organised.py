"""The letters that the organiser's verbs bring, written as the desk has them written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random
from typing import Any, Protocol

from games.export import to_json_line
from games.record import Record
from pbem.competitions.tournaments import begin_list, open_tournament
from pbem.matches.arbitration import enter_move, import_records, replace
from pbem.matches.clock.stops import extend, resume, stop
from pbem.matches.models import Match, TournamentInvitation
from pbem.matches.terms import Terms
from pbem.outbox.notifications import announcements
from pbem.players import services
from pbem.players.models import Player
from pbem.players.services import register

REASONS = {
    "en": "The relay of your provider lost letters for two days.",
    "it": "Il server del tuo gestore ha perso lettere per due giorni.",
}
ALL = {
    "en": "Dear all,\n\nthe second round begins on Monday. Good luck!",
    "it": "Cari tutti,\n\nil secondo turno comincia lunedì. Buona fortuna!",
}


class Desk(Protocol):
    """What is needed of the correspondence."""

    language: str
    alice: Player
    bruno: Player

    def _begin(self, game: str, terms: Terms = ...) -> Match: ...
    def _now(self) -> datetime: ...
    @contextmanager
    def _writing(self, *, alice: str, bruno: str) -> Iterator[None]: ...

    def _to_stranger(self, name: str, /, **facts: Any) -> None: ...
    def _tell(self, player: Player, name: str, /, **facts: Any) -> None: ...


def about_the_organiser(desk: Desk) -> None:
    why, now = REASONS[desk.language], desk._now
    match = desk._begin("loa", Terms(clock="3d/move"))
    with desk._writing(alice="entered", bruno="turn, entered"):
        enter_move(match, "b1-b3", reason=why, now=now())
    with desk._writing(alice="given, by the organiser, of the other", bruno="given, by the organiser"):
        extend(match.seated[1], timedelta(days=2), reason=why, now=now())
    with desk._writing(alice="stopped, of the other", bruno="stopped"):
        stop(match, reason=why, now=now())
    with desk._writing(alice="goes_on, of the other", bruno="goes_on"):
        resume(match, reason=why, now=now())
    dora = register(name="Dora", email="dora@example.org", language=desk.language, now=now())
    with desk._writing(alice="parted", bruno="replaced"):
        replace(match.seated[0], dora, reason=why, now=now())
    with desk._writing(alice="organiser", bruno="-"):
        announcements.write(desk.alice, ALL[desk.language], now=now())
    desk._tell(desk.alice, "print_name, none")
    services.ask(desk.alice, "Alice Rossi Bentivoglio", now=now())
    desk._tell(desk.alice, "print_asks", name="Alice Rossi Bentivoglio")
    desk._tell(desk.alice, "print_name, asked")
    services.allow(desk.alice, now=now())
    desk._tell(desk.alice, "print_name")
    desk._tell(desk.alice, "site_asks")
    desk._tell(desk.alice, "sign_in", letters="BCDFGH")
    desk._tell(desk.alice, "browser_asks", lines=["SET ROBOT yes"], named="ROBOT")
    desk._tell(desk.alice, "to_organiser")
    desk._tell(desk.alice, "to_organiser, anew", anew=True)
    desk._tell(desk.alice, "to_organiser, to a friend", anew=True, called="Bruno")
    desk._tell(desk.alice, "to_organiser, a report", reported="Bruno")
    desk._tell(
        desk.alice, "at_the_desk", name="Bruno", desk="https://play.example.org/admin/inbox/personalmessage/"
    )
    _about_entries(desk)
    tournament = open_tournament("Coppa PerGioco", game="zertz", terms=Terms(clock="3d/move"), now=now())
    begin_list(tournament, "Alice, Bruno", number=1, now=now(), rng=Random(5))
    with desk._writing(alice="announcement", bruno="announcement, the other"):
        announcements.announce(tournament, ALL, standings=True, now=now())
    record = Record("loa", 1, moves=("b1-b3", "a2-c2"), players=("Alice", "Bruno"))
    with desk._writing(alice="imported, the other", bruno="imported"):
        import_records(to_json_line(record), now=now())


def _about_entries(desk: Desk) -> None:
    cup = open_tournament(
        "Coppa d'inverno",
        game="zertz",
        system="single",
        terms=Terms(clock="3d/move"),
        now=desk._now(),
    )
    for name, email in (("event, to a player", "alice@example.org"), ("event", "carla@example.org")):
        asked = TournamentInvitation.objects.create(tournament=cup, address=email, asked_at=desk._now())
        facts = {"event": asked.pk, "host": "Marino", "note": ALL[desk.language]}
        if name == "event":
            desk._to_stranger(name, **facts)
            desk._to_stranger("event, unclear", **facts, unclear=True)
        else:
            desk._tell(desk.alice, name, **facts)
    for agreed in (True, False):
        desk._tell(desk.alice, f"takes_part, {agreed}", tournament=cup.pk, agreed=agreed)
