"""Competitions that their organiser shows: tables, matches, entry by email."""

from __future__ import annotations

import csv

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext

from pbem.outbox.rendering.durations import day
from pbem.published.competition_page import CompetitionPage, competition_page, competition_pages
from pbem.site.page import mailto, moment, page
from pbem.site.signals import more_of
from pbem.site.views.matches import lines, title


def index(request: HttpRequest) -> HttpResponse:
    """Lists the public competitions."""
    rows = [
        {"page": each, "title": title(each.competition.game_name)}
        for each in competition_pages(timezone.now())
    ]
    return page(request, "site/competitions.html", {"rows": rows}, seconds=30)


def competition(request: HttpRequest, number: int) -> HttpResponse:
    """Shows a competition."""
    found = _found(number)
    at = found.competition.begins_at
    context = {
        "page": found,
        "bracket": found.bracket,
        "begins": moment(at, day(at)) if at else "",
        "title": title(found.competition.game_name),
        "more": more_of(found.competition),
        "rows": lines(found.matches(timezone.now())),
        "enter": mailto(gettext("ENTER %(number)s") % {"number": number})
        if found.competition.takes_entries()
        else "",
    }
    return page(request, "site/competition.html", context, seconds=30, indexed=found.indexed)


def table(request: HttpRequest, number: int) -> HttpResponse:
    """Gives the tables for spreadsheets."""
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{number}.csv"'
    answer.headers["X-Robots-Tag"] = "noindex"
    writer = csv.writer(answer)
    for each in _found(number).tables:
        writer.writerow([each.title, gettext("Player"), gettext("Points")])
        writer.writerows([row.place, row.name, row.points, row.more, *row.signs] for row in each.rows)
    patch_cache_control(answer, public=True, max_age=60)
    return answer


def _found(number: int) -> CompetitionPage:
    found = competition_page(number, timezone.now()) if number < 2**62 else None
    if found is None:
        raise Http404
    return found
