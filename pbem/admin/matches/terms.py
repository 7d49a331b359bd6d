"""The terms of matches that the organiser starts: their form and sentences, and previews of pairings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template import Context
from django.template.loader import get_template
from django.utils.translation import get_language, gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from games.registry import find, in_words
from pbem.competitions.pairings import Pairing, Rounds
from pbem.matches.terms import Terms, read_terms
from pbem.outbox.rendering.durations import POLICIES
from pbem.players.blocks import unwilling_among
from pbem.players.models import Player, PlayerBlock
from pbem.refusals import Refused, told


class TermsForm(forms.Form):
    """Asks for terms; `clean` adds them as `terms`."""

    clock = forms.CharField(
        label=_("Clock"),
        required=False,
        initial=lambda: pgettext("a clock that challenges understand", "league"),
        widget=UnfoldAdminTextInputWidget,
        help_text=_(
            "league is 10d+36h<=10d: ten days to start, plus 36 hours per move, never more than ten days. "
            "3d/move is three days per move; no clock: no time limit. Empty: league."
        ),
    )
    policy = forms.ChoiceField(
        label=_("When somebody's time is up"),
        required=False,
        choices=lambda: [(name, str(said)) for name, said in POLICIES.items()],
        widget=UnfoldAdminSelectWidget,
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("The results change the ratings of the players."),
    )
    absence = forms.BooleanField(
        label=_("Absences and pauses"),
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget,
        help_text=_("Clocks stop while a player is away, and matches may be paused."),
    )
    automatic = forms.BooleanField(
        label=_("Automatic absence"),
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget,
        help_text=_("A day of absence is used for a player who is nearly out of time."),
    )
    forced = forms.BooleanField(
        label=_("Forced moves"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("Where only one move is legal, the service plays it."),
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        terms = replace(
            self._timed(answers.get("clock", "")),
            policy=answers.get("policy") or "loss",
            rated=bool(answers.get("rated")),
            absence=bool(answers.get("absence")),
            automatic=bool(answers.get("automatic")),
            forced=bool(answers.get("forced")),
        )
        return answers | {"terms": terms}

    def _timed(self, clock: str) -> Terms:
        """Parses a clock, ignoring blanks: `10d + 36h`."""
        try:
            terms, rest = read_terms(clock.split())
        except Refused as refused:
            raise ValidationError({"clock": told(refused)}) from None
        if rest or (clock.strip() and not terms.clock):
            raise ValidationError({"clock": gettext("This is no clock.")})
        return terms.clocked


def in_sentences(terms: Terms, *, clock: bool = True) -> str:
    """Returns the terms as letters say them, not escaped; "" when there are none."""
    template = "mail/parts.txt#terms" if clock else "mail/parts.txt#terms_but_clock"
    found = get_template(template).template  # type: ignore[attr-defined]  # of Django's own engine
    return str(found.render(Context({"terms": terms}, autoescape=False))).strip()


# Previews of matches: pairings, number of letters, and players who refuse each other

SHOWN = 24  # pairings of the first round


def of_rounds(rounds: Rounds[Player]) -> str:
    """Returns the pairings of the first round, first mover in front, and the number of letters."""
    pairs = [f"{first} – {second}" for first, second in rounds[0]][:SHOWN]
    letters = Counter(player for pair in rounds[0] for player in pair)
    matches = sum(map(len, rounds))
    said = ngettext(
        "Round 1, first mover named first: %(pairs)s. A letter to %(players)s player.",
        "Round 1, first mover named first: %(pairs)s. A letter to each of %(players)s players.",
        len(letters),
    ) % {"pairs": "; ".join(pairs), "players": len(letters)}
    more = gettext(
        "All at once: %(matches)s matches in %(rounds)s rounds; each player gets one letter about %(each)s of them."
    )
    return f"{said} " + more % {
        "matches": matches,
        "rounds": len(rounds),
        "each": max(Counter(player for pairs in rounds for pair in pairs for player in pair).values()),
    }


def of_list(pairings: Sequence[Pairing], game: str) -> list[str]:
    """Returns a list of pairings, with the game when it is not that of the tournament."""
    lines = [
        f"{each.first} – {each.second}" + (f" ({each.game})" if each.game != game else "")
        for each in pairings
    ]
    people = [player for each in pairings for player in (each.first, each.second) if player.robot is None]
    letters = ngettext("%(n)s letter is sent.", "%(n)s letters are sent.", len(people)) % {"n": len(people)}
    first = gettext("These matches begin; the player named first moves first.")
    against = against_a_wish(((each.first, each.second) for each in pairings), game)
    return ["\n".join([first, *lines]), letters, *against]


def said_game(name: str) -> str:
    """Returns the game and its rules in words."""
    language = get_language() or "en"
    return f"{find(name)[0].phrases(language)['name']}: {in_words(name, language)}"


def of_terms(name: str, game: str, terms: Terms) -> str:
    """Returns the name, the game and the terms of a new tournament."""
    return "\n".join(filter(None, (name, said_game(game), in_sentences(terms))))


def against_a_wish(pairs: Iterable[tuple[Player, Player]], game: str) -> list[str]:
    """Returns a warning when players are paired who refuse each other's challenges; the organiser decides."""
    return against_pairs((frozenset((one.pk, other.pk)) for one, other in pairs), game)


def against_pairs(meet: Iterable[frozenset[int]], game: str) -> list[str]:
    """Like `against_a_wish`, for pairs of keys."""
    pairs = set(meet)
    among = unwilling_among({player for pair in pairs for player in pair}, find(game)[0].key)
    return _said([each for each in among if frozenset((each.player_id, each.refused_id)) in pairs])


def against_among(players: Collection[int], game: str) -> list[str]:
    """Like `against_a_wish`, for players who may all be paired."""
    return _said(unwilling_among(players, find(game)[0].key))


def _said(unwilling: Sequence[PlayerBlock]) -> list[str]:
    pairs = dict.fromkeys(f"{each.player} – {each.refused}" for each in unwilling)
    if not pairs:
        return []
    said = gettext(
        "The player named first takes no challenges from the other, who does not know it: %(pairs)s."
    )
    return [said % {"pairs": "; ".join(pairs)}]
