"""Tables of a large tournament as HTML (templates are too slow), withdrawals, and announcements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from html import escape
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.registry import find
from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import when
from pbem.admin.competitions.forms import AnnounceForm, LeaveForm, To
from pbem.admin.matches.moves import language_name
from pbem.competitions.cross_table import Cell, Row, TournamentSheet, sheet_of
from pbem.competitions.tournaments import Leaving, leaving, withdraw
from pbem.matches.models import Match, Tournament
from pbem.outbox.notifications.announcements import announce, readers, unanswered
from pbem.players.models import Player

SCORES = {0: "1-0", 1: "0-1", None: "1/2"}


def crosses(rows: Sequence[Row[Player]]) -> list[SafeString]:
    """Returns the cells of each line of the cross-table; each result links to its match."""
    href = _link_to_match()

    def signs(cells: Sequence[Cell]) -> str:
        return "".join(
            f'<a href="{href(cell.match)}">{cell.sign}</a>' if cell.match else cell.sign for cell in cells
        )

    return [
        _safe(
            "".join(
                '<td><span class="desk-self">×</span></td>'
                if other is row
                else f"<td>{signs(row.met.get(other.entrant, ()))}</td>"
                for other in rows
            )
        )
        for row in rows
    ]


def rounds(sheet: TournamentSheet) -> dict[int, SafeString]:
    """Returns the lines of the matches, by round."""
    names = {pk: escape(player.name) for pk, player in sheet.players.items()}
    href, labels, short = _link_to_match(), dict(Match.Status.choices), cache(when)
    title = cache(_title)
    lines: dict[int, list[str]] = {}
    for match in sheet.matches:
        first, second = (names[player] for player in match.players)
        over = match.status == Match.Status.OVER
        result = SCORES[match.winner] if over else escape(str(labels[match.status]))
        ends = _ends(match.to_move, match.deadline, short)
        lines.setdefault(match.round or 0, []).append(
            f'<tr><td>{first}</td><td>{second}</td><td class="desk-when"><a href="{href(match.match)}">'
            f"[{match.match}] {title(match.game_name)}</a></td><td>{result}</td><td>{match.ply}</td>"
            f'<td class="desk-when">{ends}</td></tr>'
        )
    return {number: _safe("\n".join(each)) for number, each in lines.items()}


def _ends(to_move: int | None, deadline: datetime | None, short: Callable[[datetime], str]) -> str:
    return short(deadline) if deadline and to_move is not None else ""


def _title(game: str) -> str:
    return escape(find(game)[0].phrases("en")["name"])


def _link_to_match() -> Callable[[int], str]:
    """Returns a function for the links, since `reverse` is slow."""
    before, after = reverse("admin:matches_match_change", args=[0]).rsplit("/0/", 1)
    return lambda match: f"{before}/{match}/{after}"


def _safe(html: str) -> SafeString:
    # What people wrote was escaped before.
    return mark_safe(html)


# Withdrawal: one form, one reason, one letter to each player concerned


def withdraw_button(tournament: Tournament, sheet: TournamentSheet) -> AdminAction | None:
    """Returns the button to withdraw a player. None when all have withdrawn."""
    players = [entry.player for entry in sheet.entries if entry.withdrawn_at is None]
    if not players:
        return None
    return AdminAction(
        verb="withdraw",
        label=_("Withdraw a player"),
        done=_("The player has withdrawn; they and their opponents get a letter each."),
        press=lambda pressed: _left(tournament, pressed),
        asks=partial(LeaveForm, sorted(players, key=lambda player: player.name.casefold())),
        help_text=_(
            "From all of their matches here. The letters give your reason. To have somebody else play on, replace the "
            "player in their matches."
        ),
        preview=partial(_shown, tournament),
        reason=True,
        destructive=True,
    )


def _left(tournament: Tournament, pressed: ActionInput) -> None:
    withdraw(tournament, pressed.answers["player"], reason=pressed.reason, now=pressed.now)


def _shown(tournament: Tournament, answers: Mapping[str, Any]) -> list[str]:
    what = leaving(tournament, answers["player"])
    return [*_results(tournament, what), _letters(what)]


def _results(tournament: Tournament, what: Leaving) -> list[str]:
    if tournament.takes_entries:
        return [gettext("The tournament has not begun: they are taken off the list.")]
    numbers = {"list": ", ".join(map(str, what.open))}
    said = []
    if what.erased:
        said.append(
            gettext(
                "Fewer than half of their matches are over: all their results leave the table. What was rated stays so."
            )
        )
    elif what.over:
        said.append(gettext("Their results stay in the table."))
        if not what.erased and len(sheet_of(tournament).rounds()) > tournament.begun:
            said.append(gettext("In the rounds to come, the player who would have met them has the point."))
    if what.open and what.erased:
        said.append(
            ngettext(
                "Match %(list)s ends without a result.",
                "Matches %(list)s end without a result.",
                len(what.open),
            )
            % numbers
        )
    elif what.open:
        said.append(
            ngettext(
                "They lose match %(list)s; it is not rated.",
                "They lose matches %(list)s; these are not rated.",
                len(what.open),
            )
            % numbers
        )
    return said


def _letters(what: Leaving) -> str:
    letters = what.opponents + 1
    return ngettext("%(n)s letter is sent.", "%(n)s letters are sent.", letters) % {"n": letters}


# Announcements

NAMED = 60  # names in a preview


def announce_button(tournament: Tournament) -> AdminAction:
    return AdminAction(
        verb="announce",
        label=_("Write to the players"),
        done=_("The letters have been sent."),
        press=partial(_announced, tournament),
        asks=AnnounceForm,
        help_text=_("Nobody sees the address of another."),
        preview=partial(preview, tournament),
    )


def preview(tournament: Tournament, answers: Mapping[str, Any]) -> list[str]:
    """Previews the readers, their number, and the text in each language."""
    to = answers["to"]
    names = [player.name for player in readers(tournament, to)]
    names += [each.address for each in unanswered(tournament)] if to == To.MISSING else []
    said = ngettext("To %(number)s reader: %(names)s", "To %(number)s readers: %(names)s", len(names))
    more = " …" if len(names) > NAMED else ""
    shown = [said % {"number": len(names), "names": ", ".join(names[:NAMED]) + more}]
    for code, _name in settings.LANGUAGES:
        if answers["words"][code].strip():
            subject = answers["subjects"][code].strip() or tournament.name
            head = gettext("Subject (%(language)s)") % {"language": language_name(code)}
            shown.append(f"{head}: {subject}\n\n{answers['words'][code].strip()}")
    if answers["standings"]:
        shown.append(gettext("With the cross-table"))
    return shown


def _announced(tournament: Tournament, pressed: ActionInput) -> None:
    """Sends an announcement. Raises ValidationError without readers, or for a copy without an address."""
    answers = pressed.answers
    to = answers["to"]
    if not (unanswered(tournament) if to == To.MISSING else readers(tournament, to)):
        raise ValidationError(gettext("There is nobody to write to."))
    if answers["copy"] and not pressed.email:
        raise ValidationError(gettext("Your account has no address for a copy."))
    announce(
        tournament,
        answers["words"],
        subjects=answers["subjects"],
        to=to,
        standings=answers["standings"],
        copy_to=pressed.email if answers["copy"] else "",
        language=get_language() or "",
        now=pressed.now,
    )
