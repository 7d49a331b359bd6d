"""Contests at the desk: created after a preview, begun, entered, withdrawn from, closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, time
from functools import partial
from hashlib import sha256
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldBooleanWidget

from games.registry import find
from games.registry import in_words as rules_in_words
from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import when
from pbem.admin.base.pages import ReadOnlyAdmin, link, page_of
from pbem.admin.competitions import publishing
from pbem.admin.competitions.forms import (
    TIES,
    UNTIED,
    ContestForm,
    FirstDayForm,
    PlayersForm,
    WithdrawForm,
    in_words,
)
from pbem.admin.matches.terms import against_among, against_pairs, in_sentences
from pbem.competitions import tournaments
from pbem.competitions.models import Contest, Entrant
from pbem.competitions.rounds import begin_edition, choose_groups, end_edition, preview, proposed_groups
from pbem.competitions.systems.round_robin import MOST, Groups, sizes
from pbem.competitions.systems.values import letters
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.outbox.rendering.contest_tables import standings_of, title
from pbem.refusals import Refused

# Groups before a contest begins: proposed by rating, and changed by the organiser

PLAYER = "player_"  # followed by the key of a player


class GroupsForm(forms.Form):
    """Asks for the group of each player; `groups` become the chosen groups by player."""

    def __init__(self, groups: Sequence[Sequence[Entrant]], least: int, sent: Any) -> None:
        super().__init__(sent)
        self.least, self.names = least, letters(len(groups))
        for number, entrants in enumerate(groups, start=1):
            for entrant in entrants:
                self.fields[f"{PLAYER}{entrant.player_id}"] = forms.TypedChoiceField(
                    label=entrant.player.name,
                    choices=[(each, name) for each, name in enumerate(self.names, start=1)],
                    coerce=int,
                    initial=number,
                    widget=UnfoldAdminSelectWidget,
                )
        self.fields["by_rating"] = forms.BooleanField(
            label=_("All anew, by rating"), required=False, widget=UnfoldBooleanWidget
        )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        chosen = {
            int(name.removeprefix(PLAYER)): group
            for name, group in answers.items()
            if name.startswith(PLAYER)
        }
        sizes = Counter(chosen.values())
        wrong = [
            name for number, name in enumerate(self.names, start=1) if not self.least <= sizes[number] <= MOST
        ]
        if wrong and not answers.get("by_rating"):
            facts = {"groups": ", ".join(wrong), "least": self.least, "most": MOST}
            raise ValidationError(
                gettext("A group has from %(least)s to %(most)s players; look at: %(groups)s.") % facts
            )
        answers["groups"] = {} if answers.get("by_rating") else chosen
        return answers


def buttons(contest: Contest, entered: int) -> Iterator[AdminAction]:
    """Yields the button for groups; empty until the entries fill two groups."""
    chosen = contest.chosen
    if not isinstance(chosen, Groups) or contest.last is not None or len(sizes(entered, chosen.size)) < 2:
        return

    def asks(sent: Any) -> GroupsForm:
        return GroupsForm(proposed_groups(contest, timezone.now()), chosen.advance + 1, sent)

    yield AdminAction(
        verb="groups",
        label=_("Change the groups"),
        done=_("The groups were changed."),
        press=partial(_chosen, contest),
        asks=asks,
        help_text=_(
            "As the ratings deal them out, or as you changed them. Anyone who enters later is in the smallest group."
        ),
        preview=partial(_shown, contest),
    )


def _chosen(contest: Contest, pressed: ActionInput) -> None:
    choose_groups(contest, pressed.answers["groups"])


def _shown(contest: Contest, answers: Mapping[str, Any]) -> list[str]:
    chosen: Mapping[int, int] = answers["groups"]
    if not chosen:
        return [gettext("The ratings deal the groups out anew.")]
    named = dict(contest.entrants.filter(player__in=chosen).values_list("player", "player__name"))
    return [
        f"{letter}: {', '.join(named[player] for player, group in chosen.items() if group == number)}"
        for number, letter in enumerate(letters(max(chosen.values())), start=1)
    ]


State = Entrant.State
MOST_LISTED = 300


class ContestAdmin(ReadOnlyAdmin):
    change_form_template = "admin/contests/contest/change_form.html"
    list_display = ("number", "name", "system", "game", "begins", "closed")
    list_display_links = ("number", "name")
    list_filter = ("system",)
    fields = ("name", "system", "game", "said_terms", "chosen", "begins", "closed", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Creates a contest. The first form leads to a preview, the same form sent again creates it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = ContestForm(request.POST or None)
        heading = gettext("New contest")
        if not form.is_valid():
            return self.form_page(request, form, heading, gettext("See what will happen"))
        answers = form.cleaned_data
        mark = sha256(form.what_was_answered().encode()).hexdigest()[:16]
        if answers["seen"] != mark:
            again = ContestForm({**request.POST.dict(), "seen": mark})
            tells = in_words(answers.get("forecast"), begins=bool(answers["begins"]))
            return self.form_page(request, again, heading, gettext("Create the contest"), tells=tells)
        with transaction.atomic():
            contest = Contest.objects.create(
                name=answers["name"],
                system=answers["system"],
                game_name=answers["game_name"],
                terms=answers["terms"].kept(),
                settings=answers["chosen"].kept(),
                begins_at=_morning(answers["begins"]),
            )
            self.log_addition(request, contest, heading)
        self.message_user(request, gettext("The contest is open: players enter by email."), messages.SUCCESS)
        return redirect(page_of(contest))

    def buttons(self, contest: Contest) -> Sequence[AdminAction]:
        return list(_buttons(contest))

    def page(self, request: HttpRequest, contest: Contest) -> Mapping[str, Any]:
        edition = contest.last
        rows = contest.entrants.select_related("player", "edition").order_by(
            "-edition__number", "place", "pk"
        )
        tables = edition.tables.select_related("tournament") if edition else ()
        listed = list(rows[:MOST_LISTED])
        taking_part = [row.player_id for row in listed if row.state in (State.ENTERED, State.PLAYING)]
        return {
            "entrants": listed,
            "against": against_among(taking_part, contest.game_name),
            "edition": edition,
            "standings": standings_of(edition) if edition else (),
            "tournaments": [(link(table.tournament), title(table.label)) for table in tables],
        }

    @admin.display(description=_("game"))
    def game(self, contest: Contest) -> str:
        language = get_language() or "en"
        name = find(contest.game_name)[0].phrases(language)["name"]
        return f"{name}: {rules_in_words(contest.game_name, language)}"

    @admin.display(description=_("terms"))
    def said_terms(self, contest: Contest) -> str:
        return in_sentences(contest.agreed) or "-"

    @admin.display(description=_("settings"))
    def chosen(self, contest: Contest) -> str:
        labels = {name: field.label for name, field in ContestForm.base_fields.items()}
        kept = contest.chosen.kept()
        choices, labels_of_ties = dict(_unfinished()), dict(TIES)
        said = (
            f"{labels[name]}: {choices.get(value, value)}"
            for name, value in kept.items()
            if name in labels
            and value
            and not isinstance(value, bool)
            and (name != "unfinished" or kept["days"])
        )
        named = {"list": ", ".join(str(labels_of_ties[tie]) for tie in contest.chosen.ties)}
        ties = () if contest.system in UNTIED else (gettext("Tie-breaks: %(list)s") % named,)
        return "; ".join((*said, *ties)) or "-"

    @admin.display(description=_("begins"))
    def begins(self, contest: Contest) -> str:
        return when(contest.begins_at) if contest.begins_at else "-"

    @admin.display(description=_("over since"))
    def closed(self, contest: Contest) -> str:
        return when(contest.closed_at) if contest.closed_at else "-"


def _unfinished() -> Iterator[tuple[str, str]]:
    field: Any = ContestForm.base_fields["unfinished"]
    return ((str(value), str(label)) for value, label in field.choices)


def _morning(day: Any) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time(9))) if day else None


def _buttons(contest: Contest) -> Iterator[AdminAction]:
    yield publishing.button(contest)
    if contest.closed_at is not None:
        return
    if contest.takes_entries():
        yield AdminAction(
            verb="enter",
            label=_("Enter players"),
            done=_("They are on the list, and a letter tells each when it begins."),
            press=partial(_enter, contest),
            asks=PlayersForm,
        )
    waiting = contest.entrants.filter(state=State.ENTERED, edition=None).select_related("player")
    entered = waiting.count()
    if contest.last is None or (contest.is_series and contest.last.ended_at is not None):
        yield from buttons(contest, entered)
        yield from _beginning(contest)
    if entered:
        yield AdminAction(
            verb="take-off",
            label=_("Take a player off the list"),
            done=_("The player is off the list, and a letter tells them so with your reason."),
            press=lambda pressed: _take_off(pressed.answers["entrant"], pressed),
            asks=partial(WithdrawForm, waiting.order_by("player__name")),
            reason=True,
        )
    playing = contest.entrants.filter(state=State.PLAYING, edition__ended_at=None).select_related("player")
    if playing.exists():
        yield AdminAction(
            verb="withdraw",
            label=_("Withdraw a player"),
            done=_("The player has withdrawn; they and their opponents get a letter each."),
            press=lambda pressed: tournaments.withdraw_entrant(
                pressed.answers["entrant"], reason=pressed.reason, now=pressed.now
            ),
            asks=partial(WithdrawForm, playing.order_by("player__name")),
            reason=True,
            help_text=_(
                "Where everybody meets everybody, and fewer than half of their matches are over, all their results "
                "leave the table and open matches end without a result; otherwise they lose those that are open. "
                "None of these is rated. The letters give your reason. To have somebody else play on, replace the "
                "player in their matches."
            ),
            destructive=True,
        )
    yield AdminAction(
        verb="close",
        label=_("Close the contest"),
        done=_("The contest is closed."),
        press=partial(_close, contest),
        reason=True,
        help_text=_(
            "It takes no more entries, and no round begins any more. Matches that are being played go on."
        ),
        destructive=True,
    )


def _beginning(contest: Contest) -> Iterator[AdminAction]:
    yield AdminAction(
        verb="first-day",
        label=_("Change the first day"),
        done=_("The first day was changed."),
        press=partial(_change_first_day, contest),
        asks=FirstDayForm,
    )
    try:
        shown = preview(contest, timezone.now())
    except Refused:
        return
    pairs = format_html_join("", "<br>{}{} – {}", ((_label(t), one, two) for one, two, t in shown.pairs))
    free = (
        format_html(" {}", gettext("Free: %(names)s.") % {"names": ", ".join(shown.byes)})
        if shown.byes
        else ""
    )
    letters = ngettext("%(n)s letter is sent.", "%(n)s letters are sent.", shown.letters) % {
        "n": shown.letters
    }
    against = format_html_join(
        "", "<br>{}", ((each,) for each in against_pairs(shown.meet, contest.game_name))
    )
    first = gettext("These matches begin; the player who stands first moves first.") if shown.pairs else ""
    yield AdminAction(
        verb="begin",
        label=_("Begin now"),
        done=_("The contest has begun; each player gets one letter."),
        press=lambda pressed: begin_edition(contest, now=pressed.now, rng=SystemRandom()),
        asks=forms.Form,
        help_text=format_html("{} {}{}{}{}", first, letters, free, pairs, against),
        destructive=True,
    )


def _label(table: str) -> str:
    return f"{title(table)}: " if table else ""


def _enter(contest: Contest, pressed: ActionInput) -> None:
    for player in pressed.answers["listed"]:
        tournaments.enter(contest, player, now=pressed.now)


def _take_off(entrant: Entrant, pressed: ActionInput) -> None:
    left = tournaments.leave(entrant.contest, entrant.player, reason=pressed.reason, now=pressed.now)
    section: Section = {"kind": "contest_entry", "entrant": left.pk, "left": True}
    write_to_player(entrant.player, cause=f"contest:off:{left.pk}", section=section, now=pressed.now)


def _change_first_day(contest: Contest, pressed: ActionInput) -> None:
    contest.begins_at = _morning(pressed.answers["begins"])
    contest.save(update_fields=["begins_at"])


def _close(contest: Contest, pressed: ActionInput) -> None:
    """Closes a contest; a ladder that has begun ends with its places written."""
    if contest.has_order and contest.last is not None:
        end_edition(contest.last, now=pressed.now)
        return
    contest.closed_at = pressed.now
    contest.save(update_fields=["closed_at"])
