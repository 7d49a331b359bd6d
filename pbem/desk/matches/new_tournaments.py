"""How a new tournament begins: from a list of pairings, as a round robin, or open for entries. What begins matches is
shown first, and only what was shown so is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pbem.contests.tournaments import begin_round_robin
from pbem.desk.matches.entries import OpenForm
from pbem.desk.matches.pairing_previews import against_a_wish, of_list, of_rounds, of_terms
from pbem.desk.matches.tournament_forms import AT_ONCE, ListForm, NewTournamentForm, RoundRobinForm
from pbem.matches.models import Match, Tournament
from pbem.matches.tournaments.berger import rounds
from pbem.matches.tournaments.entries import by_lot
from pbem.matches.tournaments.pairings import pairings
from pbem.matches.tournaments.service import begin_list
from pbem.players.models import Player

Answers = Mapping[str, Any]


@dataclass(frozen=True)
class Way:
    """`shows` says what will follow of the answers, in paragraphs; none where nothing begins yet."""

    title: Any
    send: Any
    form: type[NewTournamentForm]
    begin: Callable[[Tournament, Answers], list[Match]]
    shows: Callable[[Answers], Sequence[str]]


def _begin_list(tournament: Tournament, answers: Answers) -> list[Match]:
    return begin_list(tournament, answers["text"], number=1, now=timezone.now(), rng=SystemRandom())


def _shows_list(answers: Answers) -> list[str]:
    game = answers["game_name"]
    return [_terms(answers), *of_list(pairings(answers["text"], game=game), game)]


def _begin_round_robin(tournament: Tournament, answers: Answers) -> list[Match]:
    at_once = answers["begin"] == AT_ONCE
    return begin_round_robin(
        tournament, _lots(answers), at_once=at_once, now=timezone.now(), rng=SystemRandom()
    )


def _shows_round_robin(answers: Answers) -> list[str]:
    planned = rounds(_lots(answers), double=answers["system"] == Tournament.System.DOUBLE)
    against = against_a_wish((pair for pairs in planned for pair in pairs), answers["game_name"])
    return [_terms(answers), of_rounds(planned), *against]


def _lots(answers: Answers) -> list[Player]:
    """As they were shown: the same for the same players and name."""
    return by_lot(answers["listed"], answers["name"])


def _terms(answers: Answers) -> str:
    return of_terms(answers["name"], answers["game_name"], answers["terms"])


def nothing(answers: Answers) -> Sequence[str]:
    """Follows by itself."""
    return ()


LIST = Way(
    _("Start matches from a list of pairings"),
    _("Start the matches"),
    ListForm,
    _begin_list,
    _shows_list,
)
ROUND_ROBIN = Way(
    _("Start a round robin"),
    _("Start the matches"),
    RoundRobinForm,
    _begin_round_robin,
    _shows_round_robin,
)
OPEN = Way(_("Open a tournament for entries"), _("Open it"), OpenForm, lambda *_: [], nothing)
