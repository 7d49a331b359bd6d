"""What counts towards a limit that a player has reached: each with the line that ends it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from django.db.models import QuerySet
from django.utils.timezone import localtime
from django.utils.translation import gettext

from pbem.matches.clock.absences import pending
from pbem.matches.matchmaking.eligibility import with_robots
from pbem.matches.models import Match
from pbem.outbox.rendering.dates import dated
from pbem.outbox.rendering.match_summary import standings
from pbem.outbox.rendering.recipient import Reader
from pbem.players.models import Absence, Player
from pbem.refusals import Code

MOST_SHOWN = 10
Ends = Iterable[tuple[str, str]]


def ended_by(code: str, reader: Reader) -> list[dict[str, str]]:
    """The line, and what it ends where that does not tell; none where the limit is of a day."""
    player, counted = reader.player, _COUNTED.get(Code(code))
    ends = counted(player, reader) if player and counted else ()
    return [{"line": line, "what": what} for line, what in ends][:MOST_SHOWN]


def _robots(player: Player, reader: Reader) -> Ends:
    return _matches(gettext("RESIGN %(number)s"), with_robots(player), reader)


def _watched(player: Player, reader: Reader) -> Ends:
    watched = Match.objects.filter(status=Match.Status.PLAYING, watchings__player=player)
    return _matches(gettext("UNWATCH %(number)s"), watched, reader)


def _matches(line: str, matches: QuerySet[Match], reader: Reader) -> Ends:
    for each in standings(matches.order_by("pk"), reader):
        yield line % {"number": each.match.pk}, f"{each.title}, {' – '.join(each.players)}"


def _offers(player: Player, reader: Reader) -> Ends:
    for seek in player.seeks.standing(reader.written_at).order_by("pk"):
        title = str(seek.game.phrases(reader.language)["name"])
        yield gettext("CLOSE %(number)s") % {"number": seek.pk}, title


def _absences(player: Player, reader: Reader) -> Ends:
    for absence in pending(player, reader.written_at):
        if absence.kind == Absence.Kind.PLANNED:
            day = dated(localtime(absence.since), "j F Y") if absence.since > reader.written_at else ""
            yield (gettext("BACK %(day)s") % {"day": day}).strip(), ""


def _addresses(player: Player, reader: Reader) -> Ends:
    for address in player.addresses.verified():
        yield gettext("REMOVE ADDRESS %(address)s") % {"address": address.email}, ""


def _refused(player: Player, reader: Reader) -> Ends:
    for refusing in player.refusings.select_related("refused").order_by("refused__folded"):
        yield gettext("ALLOW %(name)s") % {"name": refusing.refused.name}, ""


_COUNTED: Mapping[Code, Callable[[Player, Reader], Ends]] = {
    Code.TOO_MANY_ROBOTS: _robots,
    Code.TOO_MANY_WATCHED: _watched,
    Code.TOO_MANY_OFFERS: _offers,
    Code.TOO_MANY_ABSENCES: _absences,
    Code.TOO_MANY_ADDRESSES: _addresses,
    Code.TOO_MANY_REFUSED: _refused,
    Code.TOO_MANY_LINES: lambda player, reader: [(gettext("IFS CLEAR"), "")],
    Code.TOO_MANY_NOTES: lambda player, reader: [(gettext("NOTE CLEAR"), "")],
}
