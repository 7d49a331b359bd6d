"""What is shown before matches of a tournament begin: who meets whom, how many letters that makes, and against whose
wish it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from django.utils.translation import get_language, gettext, ngettext

from games.registry import find, in_words
from pbem.desk.matches.terms import in_sentences
from pbem.matches.terms import Terms
from pbem.matches.tournaments.berger import Rounds
from pbem.matches.tournaments.pairings import Pairing
from pbem.players.blocks import unwilling_among
from pbem.players.models import Player, Refusing

SHOWN = 24  # pairings of the first round of many


def of_rounds(rounds: Rounds[Player]) -> str:
    """Who meets whom first, with the side that begins in front, and how many letters that makes."""
    pairs = [f"{first} – {second}" for first, second in rounds[0]][:SHOWN]
    letters = Counter(player for pair in rounds[0] for player in pair)
    matches = sum(map(len, rounds))
    said = ngettext(
        "Round 1, the player who moves first in front: %(pairs)s. A letter to %(players)s player.",
        "Round 1, the player who moves first in front: %(pairs)s. A letter to each of %(players)s players.",
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
    """Each of them; a game is named where it is not that of the tournament."""
    lines = [
        f"{each.first} – {each.second}" + (f" ({each.game})" if each.game != game else "")
        for each in pairings
    ]
    people = [player for each in pairings for player in (each.first, each.second) if player.robot is None]
    letters = ngettext("%(n)s letter is sent.", "%(n)s letters are sent.", len(people)) % {"n": len(people)}
    first = gettext("These matches begin; the player who stands first moves first.")
    against = against_a_wish(((each.first, each.second) for each in pairings), game)
    return ["\n".join([first, *lines]), letters, *against]


def of_terms(name: str, game: str, terms: Terms) -> str:
    """What a new tournament is played as."""
    language = get_language() or "en"
    title = find(game)[0].phrases(language)["name"]
    return "\n".join(filter(None, (name, f"{title}: {in_words(game, language)}", in_sentences(terms))))


def against_a_wish(pairs: Iterable[tuple[Player, Player]], game: str) -> list[str]:
    """A sentence, if anybody is to meet a player whose challenges they refuse: it is the organiser who decides."""
    return against_pairs((frozenset((one.pk, other.pk)) for one, other in pairs), game)


def against_pairs(meet: Iterable[frozenset[int]], game: str) -> list[str]:
    """The same of players by their keys."""
    pairs = set(meet)
    among = unwilling_among({player for pair in pairs for player in pair}, find(game)[0].key)
    return _said([each for each in among if frozenset((each.player_id, each.refused_id)) in pairs])


def against_among(players: Collection[int], game: str) -> list[str]:
    """The same where any of them may meet any other."""
    return _said(unwilling_among(players, find(game)[0].key))


def _said(unwilling: Sequence[Refusing]) -> list[str]:
    pairs = dict.fromkeys(f"{each.player} – {each.refused}" for each in unwilling)
    if not pairs:
        return []
    said = gettext(
        "The player who stands first takes no challenges of the other, who does not know of it: %(pairs)s."
    )
    return [said % {"pairs": "; ".join(pairs)}]
