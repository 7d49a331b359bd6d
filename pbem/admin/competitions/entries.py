"""Tournaments before they begin: invitations and their outcome, the first day, a preview of the beginning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from html import escape
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.registry import find
from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.forms import InvitationForm
from pbem.admin.base.lists import when
from pbem.admin.competitions.forms import AT_ONCE, AnnounceForm, BeginForm, LeaveForm, StartDateForm, To
from pbem.admin.matches.terms import against_a_wish, of_rounds
from pbem.admin.matches.timeline import language_name
from pbem.competitions.cross_table import Cell, Row, TournamentSheet, sheet_of
from pbem.competitions.models import Competition
from pbem.competitions.pairings import Rounds
from pbem.competitions.rounds import end_edition
from pbem.competitions.tournaments import Leaving, begin, begin_later, leaving, rounds_drawn, withdraw
from pbem.matches.models import Entry, Match, Tournament, TournamentInvitation
from pbem.outbox.models import BouncedMail
from pbem.outbox.notifications.announcements import announce, invite_to, readers, unanswered
from pbem.players.models import Address, Player
from pbem.players.models.do_not_contact import SuppressedAddress

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


# The beginning: a preview of its pairings, and a date on which it happens by itself


def date_buttons(tournament: Tournament) -> Iterator[AdminAction]:
    begins_at = tournament.competition.begins_at
    yield AdminAction(
        verb="start-date",
        label=_("Change the first day") if begins_at else _("Set the first day"),
        done=_("It begins by itself on that day."),
        press=partial(_set, tournament),
        asks=StartDateForm,
        help_text=_("It then begins with those who have entered, if at least two."),
        preview=partial(_shown, tournament),
    )
    if begins_at:
        yield AdminAction(
            verb="call-off",
            label=_("Cancel the first day"),
            done=_("It no longer begins by itself."),
            press=lambda pressed: begin_later(tournament, None),
            asks=forms.Form,
            help_text=gettext("It would begin on %(when)s.") % {"when": when(begins_at)},
        )


def _set(tournament: Tournament, pressed: ActionInput) -> None:
    begin_later(tournament, pressed.answers["begins_at"], at_once=pressed.answers["begin"] == AT_ONCE)


def _shown(tournament: Tournament, answers: Mapping[str, Any]) -> list[str]:
    """Previews the pairings as they are now; they change with each entry."""
    said = [gettext("It begins on %(when)s.") % {"when": when(answers["begins_at"])}]
    if rounds := rounds_drawn(tournament):
        said.append(gettext("If nobody else enters:"))
        said.append(of_rounds(rounds))
        said += against_a_wish((pair for pairs in rounds for pair in pairs), tournament.game_name)
    return said


SILENT = timedelta(days=14)


def buttons(tournament: Tournament) -> Iterator[AdminAction]:
    if not tournament.takes_entries:
        return
    yield AdminAction(
        verb="invite",
        label=_("Invite"),
        done=_("The invitations have been sent. Anyone who answers YES takes part at once."),
        press=partial(_invite, tournament),
        asks=InvitationForm,
        help_text=_("A letter to each, signed up or not. Anyone already asked or taking part gets none."),
    )
    if tournament.system == Competition.System.PAIRINGS:
        return
    yield from date_buttons(tournament)
    if rounds := rounds_drawn(tournament):
        yield AdminAction(
            verb="begin",
            label=_("Begin the tournament"),
            done=_("It has begun; its players get their letters."),
            press=partial(_begin, tournament),
            asks=partial(BeginForm, tournament),
            help_text=_told(rounds, tournament.game_name),
        )


def _told(rounds: Rounds[Player], game: str) -> str:
    against = against_a_wish((pair for pairs in rounds for pair in pairs), game)
    return " ".join([of_rounds(rounds), *against])


def _begin(tournament: Tournament, pressed: ActionInput) -> None:
    at_once = pressed.answers["begin"] == AT_ONCE
    begin(tournament, pressed.answers["lots"], at_once=at_once, now=pressed.now, rng=SystemRandom())


def _invite(tournament: Tournament, pressed: ActionInput) -> None:
    """Invites all addresses, or none when one may not be written to. Raises ValidationError."""
    wish, refused = dict(pressed.answers), []
    for email in wish.pop("email"):
        try:
            invite_to(tournament, email, **wish, host=pressed.who, now=pressed.now)
        except ValidationError as why:
            refused.append(f"{email}: {' '.join(why.messages)}")
    if refused:
        raise ValidationError([gettext("Nothing was sent. Take these out:"), *refused])


@dataclass(frozen=True)
class Invitee:
    """One line of the list of invitations."""

    address: str
    asked_at: datetime
    state: StrPromise | str
    player: Player | None = None


def invitees(tournament: Tournament, now: datetime) -> Sequence[Invitee]:
    """Returns the invitations with their outcome: one query for each kind of fact."""
    asked = list(tournament.invitations.all())
    if not asked:
        return ()
    addresses = {each.address for each in asked}
    owners = Address.objects.verified().filter(email__in=addresses).select_related("player")
    players = {address.email: address.player for address in owners}
    entered = set(Entry.objects.filter(tournament=tournament).values_list("player", flat=True))
    bounced = set(BouncedMail.objects.filter(address__in=addresses).values_list("address", flat=True))
    declined = SuppressedAddress.objects.among(addresses)

    def state(each: TournamentInvitation) -> StrPromise | str:
        player = players.get(each.address)
        facts = (
            (player is not None and player.pk in entered, _("takes part")),
            (each.agreed is False or each.address in declined, _("said no")),
            (each.address in bounced, _("came back")),
            (player is not None and player.created_at > each.asked_at, _("signed up")),
            (each.asked_at < now - SILENT, _("no answer")),
        )
        return next((said for holds, said in facts if holds), _("invited"))

    return [Invitee(each.address, each.asked_at, state(each), players.get(each.address)) for each in asked]


# The end


def close_button(competition: Competition) -> AdminAction:
    return AdminAction(
        verb="close",
        label=_("Close the competition"),
        done=_("The competition is closed."),
        press=partial(_close, competition),
        reason=True,
        help_text=_("It takes no more entries, and no more rounds begin. Matches in play go on."),
        destructive=True,
    )


def _close(competition: Competition, pressed: ActionInput) -> None:
    """Closes a competition; a ladder that has begun ends with its places written."""
    if competition.has_order and competition.last is not None:
        end_edition(competition.last, now=pressed.now)
        return
    competition.closed_at = pressed.now
    competition.save(update_fields=["closed_at"])


# Tables of a large tournament as HTML (templates are too slow), withdrawals, and letters to all

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
        preview=partial(_preview_of_leaving, tournament),
        reason=True,
        destructive=True,
    )


def _left(tournament: Tournament, pressed: ActionInput) -> None:
    withdraw(tournament, pressed.answers["player"], reason=pressed.reason, now=pressed.now)


def _preview_of_leaving(tournament: Tournament, answers: Mapping[str, Any]) -> list[str]:
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
                "Fewer than half of their matches are over: all their results leave the table. "
                "Ratings that have changed stay changed."
            )
        )
    elif what.over:
        said.append(gettext("Their results stay in the table."))
        if not what.erased and len(sheet_of(tournament).rounds()) > tournament.begun:
            said.append(gettext("In later rounds, the player who would have met them gets the point."))
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
        help_text=_("Nobody sees anyone else's address."),
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
