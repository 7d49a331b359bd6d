"""Competitions: the list of all, new ones, and the page of those that run by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import when
from pbem.admin.base.pages import SURE, ReadOnlyAdmin, link, page_of, previewed
from pbem.admin.competitions.entries import close_button
from pbem.admin.competitions.forms import FirstDayForm, GroupsForm, PlayersForm, WithdrawForm
from pbem.admin.competitions.kinds import CHOICE, KINDS, KindForm, morning, settings_in_words
from pbem.admin.competitions.publicity import site_button
from pbem.admin.matches.terms import against_among, against_pairs, in_sentences, said_game
from pbem.competitions import entries
from pbem.competitions.models import Competition, Entrant
from pbem.competitions.rounds import begin_edition, choose_groups, preview, proposed_groups
from pbem.competitions.systems.round_robin import Groups, sizes
from pbem.competitions.systems.values import letters
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.outbox.rendering.contest_tables import standings_of, title
from pbem.refusals import Refused

# Groups before a contest begins: proposed by rating, and changed by the organiser


def buttons(contest: Competition, entered: int) -> Iterator[AdminAction]:
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
        help_text=_("As dealt by rating, or as you changed them. Later entrants join the smallest group."),
        preview=partial(_shown, contest),
    )


def _chosen(contest: Competition, pressed: ActionInput) -> None:
    choose_groups(contest, pressed.answers["groups"])


def _shown(contest: Competition, answers: Mapping[str, Any]) -> list[str]:
    chosen: Mapping[int, int] = answers["groups"]
    if not chosen:
        return [gettext("The groups are dealt again by rating.")]
    named = dict(contest.entrants.filter(player__in=chosen).values_list("player", "player__name"))
    return [
        f"{letter}: {', '.join(named[player] for player, group in chosen.items() if group == number)}"
        for number, letter in enumerate(letters(max(chosen.values())), start=1)
    ]


State = Entrant.State
MOST_LISTED = 300


class CompetitionAdmin(ReadOnlyAdmin):
    """The list of all competitions. The page of one that an organiser runs by hand is that of its tournament."""

    change_form_template = "admin/contests/competition/change_form.html"
    list_display = ("number", "name", "system", "game", "begins", "closed")
    list_display_links = ("number", "name")
    list_filter = ("system",)
    fields = ("name", "system", "game", "said_terms", "chosen", "begins", "closed", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if (found := context.get("original")) and found.is_by_hand:
            return redirect(page_of(found.tournaments.get()))
        return super().render_change_form(request, context, *args, **kwargs)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Asks for the kind and the game first, then for what the kind needs; creates it as it was previewed."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        asked = {"kind": request.GET.get("kind"), "game": request.POST.get("game") or request.GET.get("game")}
        choice = KindForm(asked if any(asked.values()) else None)
        if not choice.is_valid():
            return self._choice(request, choice)
        kind, key, game = (
            KINDS[choice.cleaned_data["kind"]],
            choice.cleaned_data["kind"],
            choice.cleaned_data["game"],
        )
        title = f"{gettext('New competition')}: {kind.title}, {said_game(game)}"
        form = kind.form(key, game, request.POST or None, request.FILES or None)
        if not form.is_valid():
            return self.form_page(request, form, title, gettext("Preview") if kind.shows else str(kind.send))
        answers = form.cleaned_data | {"kind": key}
        shown = previewed(kind.preview(answers)) if kind.shows else {}
        if shown and request.POST.get(SURE) != shown["sure"]:
            again = kind.form(key, game, form.as_read())
            return self.form_page(request, again, title, str(kind.send), **shown)
        with transaction.atomic():
            row, done = kind.create(answers)
            self.made(request, row, "add", gettext("Add"))
        self.message_user(request, done, messages.SUCCESS)
        return redirect(page_of(row))

    def _choice(self, request: HttpRequest, choice: KindForm) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("New competition"),
            "opts": self.opts,
            "form": choice,
            "wrong": "game" in request.GET,  # a link may name the kind alone
            "choice": [(title, kinds.items()) for title, kinds in CHOICE],
        }
        return TemplateResponse(request, "admin/contests/competition/kinds.html", context)

    def buttons(self, contest: Competition) -> Sequence[AdminAction]:
        return list(_buttons(contest))

    def page(self, request: HttpRequest, contest: Competition) -> Mapping[str, Any]:
        edition = contest.last
        rows = contest.entrants.select_related("player", "edition").order_by(
            "-edition__number", "place", "pk"
        )
        listed = list(rows[:MOST_LISTED])
        taking_part = [row.player_id for row in listed if row.state in (State.ENTERED, State.PLAYING)]
        return {
            "entrants": listed,
            "against": against_among(taking_part, contest.game_name),
            "edition": edition,
            "standings": standings_of(edition) if edition else (),
            "tournaments": [link(table) for table in edition.tables.order_by("pk")] if edition else [],
        }

    @admin.display(description=_("game"))
    def game(self, contest: Competition) -> str:
        return said_game(contest.game_name)

    @admin.display(description=_("terms"))
    def said_terms(self, contest: Competition) -> str:
        return in_sentences(contest.agreed) or "-"

    @admin.display(description=_("settings"))
    def chosen(self, contest: Competition) -> str:
        return settings_in_words(contest.system, contest.chosen) or "-"

    @admin.display(description=_("begins"))
    def begins(self, contest: Competition) -> str:
        return when(contest.begins_at) if contest.begins_at else "-"

    @admin.display(description=_("over since"))
    def closed(self, contest: Competition) -> str:
        return when(contest.closed_at) if contest.closed_at else "-"


def _buttons(contest: Competition) -> Iterator[AdminAction]:
    yield site_button(contest)
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
            done=_("The player is off the list, and gets a letter with your reason."),
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
            press=lambda pressed: entries.withdraw_entrant(
                pressed.answers["entrant"], reason=pressed.reason, now=pressed.now
            ),
            asks=partial(WithdrawForm, playing.order_by("player__name")),
            reason=True,
            help_text=_(
                "Where everybody meets everybody and fewer than half of their matches are over, all their "
                "results leave the table and open matches end without a result; otherwise they lose their "
                "open ones. None of these is rated. The letters give your reason. To have somebody else "
                "play on, replace the player in their matches."
            ),
            destructive=True,
        )
    yield close_button(contest)


def _beginning(contest: Competition) -> Iterator[AdminAction]:
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
    first = gettext("These matches begin; the player named first moves first.") if shown.pairs else ""
    yield AdminAction(
        verb="begin",
        label=_("Begin now"),
        done=_("The competition has begun; each player gets one letter."),
        press=lambda pressed: begin_edition(contest, now=pressed.now, rng=SystemRandom()),
        asks=forms.Form,
        help_text=format_html("{} {}{}{}{}", first, letters, free, pairs, against),
        destructive=True,
    )


def _label(table: str) -> str:
    return f"{title(table)}: " if table else ""


def _enter(contest: Competition, pressed: ActionInput) -> None:
    for player in pressed.answers["listed"]:
        entries.enter(contest, player, now=pressed.now)


def _take_off(entrant: Entrant, pressed: ActionInput) -> None:
    left = entries.leave(entrant.contest, entrant.player, reason=pressed.reason, now=pressed.now)
    section: Section = {"kind": "contest_entry", "entrant": left.pk, "left": True}
    write_to_player(entrant.player, cause=f"contest:off:{left.pk}", section=section, now=pressed.now)


def _change_first_day(contest: Competition, pressed: ActionInput) -> None:
    contest.begins_at = morning(pressed.answers["begins"])
    contest.save(update_fields=["begins_at"])
