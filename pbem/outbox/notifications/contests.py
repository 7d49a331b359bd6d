"""Who hears of what happens in a contest: one letter for each player and round, and one when it ends."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from pbem.contests.models import Edition, Entrant
from pbem.contests.news import EditionEnded, LeftTournament, News, RoundBegan, TournamentBegan, Withdrew
from pbem.matches.models import Seat
from pbem.outbox.notifications.notify import Notification, Section, notify
from pbem.players.models import Player

State = Entrant.State
ROUND = "contest_begins"


def tell(news: News) -> None:
    """The subscriber of `pbem.contests.news`, in the transaction of what happened."""
    match news:
        case RoundBegan(edition, number):
            section: Section = {"kind": ROUND, "edition": edition.pk, "round": number}
            _write(_of_round(edition, number), f"contest:{edition.pk}:{number}", section, news)
        case EditionEnded(edition):
            section = {"kind": "contest_over", "edition": edition.pk}
            _write(_placed(edition), f"contest:{edition.pk}:over", section, news)
        case Withdrew(entrant, stopped):
            section = {"kind": "contest_withdrawn", "entrant": entrant.pk, "matches": list(stopped)}
            opponents = Seat.objects.filter(match__in=stopped).values_list("player", flat=True)
            _write({*opponents, entrant.player_id}, f"contest:withdrawn:{entrant.pk}", section, news)
        case TournamentBegan(tournament):
            section = {"kind": ROUND, "tournament": tournament.pk, "round": 1}
            seated = Seat.objects.filter(match__tournament=tournament).values_list("player", flat=True)
            _write(set(seated), f"tournament:{tournament.pk}:begins", section, news)
        case LeftTournament(tournament, player, reason, erased, stopped):
            section = {
                "kind": "contest_withdrawn",
                "tournament": tournament.pk,
                "player": player.pk,
                "erased": erased,
                "reason": reason,
                "matches": list(stopped),
            }
            opponents = Seat.objects.filter(match__in=stopped).values_list("player", flat=True)
            cause = f"tournament:{tournament.pk}:left:{player.pk}:{news.now.timestamp():.0f}"
            _write({*opponents, player.pk}, cause, section, news)


def matches_of(section: Section) -> Q:
    """Those of the round that such a letter tells of, no matter who plays them."""
    if "tournament" in section:
        return Q(tournament=section["tournament"])
    return Q(tournament__table__edition=section["edition"], round=section["round"])


def _placed(edition: Edition) -> set[int]:
    return set(edition.entrants.filter(place__isnull=False).values_list("player", flat=True))


def _of_round(edition: Edition, number: int) -> set[int]:
    """Anyone who has a match in it or is free; of a ladder or a hill at first all."""
    seats = Seat.objects.filter(match__tournament__table__edition=edition, match__round=number)
    players = set(seats.values_list("player", flat=True))
    rows = edition.entrants.filter(~Q(byes=[]) | Q(position__isnull=False), state=State.PLAYING)
    ordered = edition.contest.has_order and number == 1
    return players | {row.player_id for row in rows if number in row.byes or ordered}


def _write(players: Collection[int], cause: str, section: Section, news: News) -> None:
    rows = Player.objects.filter(pk__in=players).order_by("pk")
    notify(Notification(player, cause=cause, section=section, now=news.now, fresh=True) for player in rows)
