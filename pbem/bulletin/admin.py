"""The buttons of a bulletin and their forms: publish a number, get an older one again, comment on a match."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.dispatch import receiver
from django.http import HttpResponse
from django.utils.text import slugify
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from games.move_numbers import MoveNumber, mark
from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.matches.match_actions import VIEW, attachment
from pbem.admin.signals import row_actions, tournament_counts
from pbem.bulletin.archive import MEDIA_TYPE, archive
from pbem.bulletin.issue import issue_of, next_bulletin, next_puzzle
from pbem.bulletin.models import Bulletin, ChosenPosition, Commentary
from pbem.matches.models import Match, Tournament

_POSITION = re.compile(r"(?P<number>\d+)\s*(?P<dots>\.*)\s*(?P<caption>.*)")
MOST = 24  # positions of a match


def _markdown(label: Any, help_text: Any = "", rows: int = 8) -> forms.CharField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": rows})
    return forms.CharField(label=label, help_text=help_text, required=False, max_length=50_000, widget=widget)


class BulletinForm(forms.Form):
    words = _markdown(
        _("Your own words"), _("Above the results. Markdown: *italic*, **bold**, # heading, - list.")
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=settings.LANGUAGES, widget=UnfoldAdminSelectWidget
    )
    puzzle = forms.BooleanField(
        label=_("With a puzzle"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_(
            "The newest of this game not in an issue, from any match that is over; its players are not "
            "named. The solution is at the end."
        ),
    )
    publish = forms.BooleanField(
        label=_("This is the published issue"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_(
            "The next one begins where it ends. It is a page of the site where the competition is shown there, without "
            "the names that players do not show. Unticked: a draft, which is not kept."
        ),
    )

    def __init__(self, sent: Any) -> None:
        super().__init__(sent)
        self.fields["language"].initial = get_language() or settings.LANGUAGE_CODE


class CommentaryForm(forms.Form):
    """Comments on a match. `positions` become captions by the number of half-moves played."""

    title = forms.CharField(
        label=_("Title"), required=False, max_length=200, widget=UnfoldAdminTextInputWidget
    )
    words = _markdown(_("Comments"), _("Markdown: *italic*, **bold**, # heading, - list."))
    positions = _markdown(
        _("Positions to show"),
        _(
            "One per line, with the move it follows, and the text below it: “12. White threatens” or “12... "
            "And now?”; 0 is the start."
        ),
        rows=5,
    )

    def __init__(self, match: Match, sent: Any) -> None:
        super().__init__(sent)
        self.match = match
        said = Commentary.objects.filter(match=match).first()
        if said:
            self.fields["title"].initial, self.fields["words"].initial = said.title, said.words
            lines = (f"{_called(each.plies)} {each.caption}".strip() for each in said.positions.all())
            self.fields["positions"].initial = "\n".join(lines)

    def clean_positions(self) -> Mapping[int, str]:
        """Raises ValidationError for the first line that names no position."""
        found: dict[int, str] = {}
        for line in filter(None, map(str.strip, self.cleaned_data["positions"].splitlines())):
            plies, caption = self._read(line)
            if plies in found:
                raise ValidationError(gettext("%(line)s: this position is there twice.") % {"line": line})
            found[plies] = caption
        if len(found) > MOST:
            raise ValidationError(gettext("At most %(most)s at a time.") % {"most": MOST})
        return found

    def _read(self, line: str) -> tuple[int, str]:
        written = _POSITION.fullmatch(line)
        number = MoveNumber.read(f"{written['number']}{written['dots'][:3]}") if written else None
        if written is None or number is None:
            raise ValidationError(gettext("%(line)s: write the number of a move first.") % {"line": line})
        plies = _plies(number, self.match.ply)
        if plies is None:
            why = gettext("%(line)s: there is no such move; the last one is %(last)s")
            raise ValidationError(why % {"line": line, "last": _called(self.match.ply)})
        if len(written["caption"]) > 300:
            raise ValidationError(gettext("%(line)s: at most 300 characters.") % {"line": line})
        return plies, written["caption"]


def _plies(number: MoveNumber, played: int) -> int | None:
    """Returns the half-moves before the position; a bare number is after both moves. None when unplayed."""
    if number.side is None or not number.number:
        return number.plies(played)
    plies = number.ply(number.side) + 1
    return plies if plies <= played else None


def _called(plies: int) -> str:
    """Returns `12...`, the latest move; "0" for the start."""
    return mark(plies - 1) if plies else "0"


# Buttons

AGAIN = 20  # the newest numbers with a button on the page of a tournament


@receiver(row_actions, sender=Tournament)
def of_tournament(row: Tournament, **_signal: Any) -> Iterator[AdminAction]:
    """Yields the buttons of a tournament, with one query for the published numbers."""
    yield AdminAction(
        verb="bulletin",
        label=_("Bulletin"),
        done="",
        press=partial(_publish, row),
        asks=BulletinForm,
        help_text=_(
            "An archive: a page to print, diagrams, tables and scores, with what ended since the last "
            "issue. Private matches are never in it, and real names only with permission."
        ),
    )
    for bulletin in row.bulletins.order_by("-number")[:AGAIN]:
        yield AdminAction(
            verb=f"bulletin-{bulletin.number}",
            label=gettext("Bulletin %(number)s again") % {"number": bulletin.number},
            done="",
            press=partial(_again, bulletin),
            permission=VIEW,
        )


@receiver(row_actions, sender=Match)
def of_match(row: Match, **_signal: Any) -> Iterator[AdminAction]:
    if row.agreed.private or row.status not in (Match.Status.PLAYING, Match.Status.OVER):
        return
    yield AdminAction(
        verb="commentary",
        label=_("For the bulletin"),
        done=_("It will appear in the tournament's bulletin."),
        press=lambda pressed: comment(row, pressed.answers, pressed),
        asks=partial(CommentaryForm, row),
        help_text=_("Printed when the match is over, in the next issue after that."),
    )


def comment(match: Match, said: Mapping[str, Any], pressed: ActionInput) -> None:
    """Replaces the commentary of a match; empty answers delete it."""
    title, words, positions = said["title"], said["words"], said["positions"]
    if not (title or words or positions):
        Commentary.objects.filter(match=match).delete()
        return
    row, _new = Commentary.objects.update_or_create(
        match=match,
        defaults={"title": title, "words": words},
        create_defaults={"title": title, "words": words, "written_at": pressed.now},
    )
    row.positions.all().delete()
    ChosenPosition.objects.bulk_create(
        ChosenPosition(commentary=row, plies=plies, caption=caption) for plies, caption in positions.items()
    )


def _publish(tournament: Tournament, pressed: ActionInput) -> HttpResponse:
    """Makes the next number. Raises ValidationError when another was published at the same moment."""
    answers = pressed.answers
    Tournament.objects.select_for_update().get(pk=tournament.pk)
    bulletin = next_bulletin(
        tournament, language=answers["language"], words=answers["words"], now=pressed.now
    )
    if bulletin.since and bulletin.since >= bulletin.until:
        raise ValidationError(gettext("A bulletin was published just now."))
    bulletin.puzzle = next_puzzle(bulletin) if answers["puzzle"] else None
    if answers["puzzle"] and bulletin.puzzle is None:
        raise ValidationError(gettext("There is no new puzzle. Analyses of matches make some."))
    if answers["publish"]:
        bulletin.save()
    return _file(bulletin)


def _again(bulletin: Bulletin, _pressed: ActionInput) -> HttpResponse:
    return _file(bulletin)


def _file(bulletin: Bulletin) -> HttpResponse:
    name = slugify(bulletin.tournament.name) or bulletin.tournament_id
    return attachment(f"{name}-bulletin-{bulletin.number}.zip", archive(issue_of(bulletin)), MEDIA_TYPE)


# The count of new results


@receiver(tournament_counts)
def fresh(tournaments: Collection[int], **_signal: Any) -> Mapping[int, tuple[int, str]]:
    """Counts the results since the last bulletin, or since the beginning."""
    last = Bulletin.objects.filter(tournament=OuterRef("tournament")).order_by("-until").values("until")[:1]
    over = Match.objects.filter(tournament__in=tournaments, status=Match.Status.OVER).order_by()
    new = over.annotate(last=Subquery(last)).filter(Q(last=None) | Q(ended_at__gt=F("last")))
    counted = dict(new.values_list("tournament").annotate(Count("pk")))
    return {pk: (counted.get(pk, 0), _since_the_last(counted.get(pk, 0))) for pk in tournaments}


def _since_the_last(fresh: int) -> str:
    return ngettext(
        "%(fresh)s result since the last bulletin", "%(fresh)s results since the last bulletin", fresh
    ) % {"fresh": fresh}
