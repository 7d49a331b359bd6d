"""What an organiser does about a bulletin: publish the next number, get an older one again, comment on a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.analysis.models import Puzzle
from pbem.desk.base.verbs import Button, Pressed
from pbem.desk.bulletin.archive import MEDIA_TYPE, archive
from pbem.desk.bulletin.forms import BulletinForm, CommentaryForm
from pbem.desk.bulletin.issue import issue_of, next_bulletin
from pbem.desk.bulletin.puzzle import keep, next_puzzle
from pbem.desk.matches.match_verbs import VIEW, attachment
from pbem.matches.models import Bulletin, ChosenPosition, Commentary, Match, Tournament

AGAIN = 20  # the newest numbers that the page of a tournament offers again


def of_tournament(tournament: Tournament) -> Iterator[Button]:
    """One question for the numbers that there are."""
    yield Button(
        verb="bulletin",
        label=_("Bulletin"),
        done="",
        press=partial(_publish, tournament),
        asks=BulletinForm,
        tells=_(
            "An archive: a page to print, diagrams, tables and scores, with what ended since the last number. "
            "Private matches are never in it, and real names only of those who allow it."
        ),
    )
    for bulletin in tournament.bulletins.order_by("-number")[:AGAIN]:
        yield Button(
            verb=f"bulletin-{bulletin.number}",
            label=gettext("Bulletin %(number)s again") % {"number": bulletin.number},
            done="",
            press=partial(_again, bulletin),
            permission=VIEW,
        )


def of_match(match: Match) -> Iterator[Button]:
    if match.agreed.private or match.status not in (Match.Status.PLAYING, Match.Status.OVER):
        return
    yield Button(
        verb="commentary",
        label=_("For the bulletin"),
        done=_("It will stand in the bulletin of the tournament."),
        press=lambda pressed: comment(match, pressed.answers, pressed),
        asks=partial(CommentaryForm, match),
        tells=_("Printed when the match is over, in the next number after that."),
    )


def comment(match: Match, said: Mapping[str, Any], pressed: Pressed) -> None:
    """Puts it in the place of what was said before; nothing at all takes it away."""
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


def _publish(tournament: Tournament, pressed: Pressed) -> HttpResponse:
    """Raises ValidationError where somebody else has published meanwhile."""
    answers = pressed.answers
    Tournament.objects.select_for_update().get(pk=tournament.pk)
    bulletin = next_bulletin(
        tournament, language=answers["language"], words=answers["words"], now=pressed.now
    )
    if bulletin.since and bulletin.since >= bulletin.until:
        raise ValidationError(gettext("A bulletin was published at this very moment."))
    puzzle = next_puzzle(tournament, now=pressed.now) if answers["puzzle"] else None
    if answers["puzzle"] and puzzle is None:
        raise ValidationError(
            gettext("There is no puzzle that no number had. Analyses of matches make some.")
        )
    if answers["publish"]:
        bulletin.save()
        if puzzle:
            keep(bulletin, puzzle)
    return _file(bulletin, puzzle)


def _again(bulletin: Bulletin, _pressed: Pressed) -> HttpResponse:
    return _file(bulletin)


def _file(bulletin: Bulletin, puzzle: Puzzle | None = None) -> HttpResponse:
    name = slugify(bulletin.tournament.name) or bulletin.tournament_id
    return attachment(
        f"{name}-bulletin-{bulletin.number}.zip", archive(issue_of(bulletin, puzzle)), MEDIA_TYPE
    )
