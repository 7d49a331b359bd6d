"""What an honest email of a season means: one thing, by which it is judged when it has been opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pbem.inbox.models import QUESTION_STANDS, Confirmation
from pbem.matches.models import Event, Match, Offer, Turn
from pbem.outbox.models import OutboundMail
from pbem.players.models import Absence, Player
from pbem.wording import fold

Kind = Event.Kind


@dataclass(frozen=True)
class Meaning:
    """`lines` are those for us, `words` those for the opponent, `below` what stands there and is said to nobody.

    A `grave` one is asked about once, by design. `move` is as the record has it, `ply` and `position` what it is for;
    `question` the one that is answered; `setting` what a player has afterwards.
    """

    kind: str
    lines: tuple[str, ...]
    player: int
    match: int | None = None
    grave: bool = False
    move: str = ""
    ply: int = -1
    position: str = ""
    question: int | None = None
    setting: tuple[str, object] | None = None
    words: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """Whether it can still be done at a moment before the email is opened; whether it was done by the email of a
    number; and which events it may bring."""

    possible: Callable[[Meaning, datetime], bool]
    done: Callable[[Meaning, int], bool]
    events: frozenset[str]


def _match(meaning: Meaning) -> Match:
    return Match.objects.get(pk=meaning.match)


def _side(match: Match, player: int) -> int | None:
    return next((seat.side for seat in match.seated if seat.player_id == player), None)


def _plays(match: Match, arrived: datetime) -> bool:
    in_time = match.deadline is None or arrived <= match.deadline
    return match.status == Match.Status.PLAYING and in_time


def _may_move(meaning: Meaning, arrived: datetime) -> bool:
    match = _match(meaning)
    its_turn = match.to_move is not None and match.to_move == _side(match, meaning.player)
    same = (match.ply, str(match.position)) == (meaning.ply, meaning.position)
    return _plays(match, arrived) and its_turn and same


def _moved(meaning: Meaning, letter: int) -> bool:
    turns = Turn.objects.filter(match=meaning.match, ply=meaning.ply, move=meaning.move)
    return turns.exists() and _happened(Kind.MOVED)(meaning, letter)


def _is_playing(meaning: Meaning, arrived: datetime) -> bool:
    return _plays(_match(meaning), arrived)


def _may_offer(meaning: Meaning, arrived: datetime) -> bool:
    """Right after a move of theirs, on the same board, while they ask for nothing else."""
    match = _match(meaning)
    asks = Offer.objects.standing(match).exists() or match.draw_offered_by is not None
    return _plays(match, arrived) and match.ply == meaning.ply and match.paused_until is None and not asks


def _draw_stands(meaning: Meaning, arrived: datetime) -> bool:
    match = _match(meaning)
    offered = match.draw_offered_by
    return _plays(match, arrived) and offered is not None and offered != _side(match, meaning.player)


def _offer_stands(meaning: Meaning, arrived: datetime) -> bool:
    match = _match(meaning)
    theirs = Offer.objects.standing(match).exclude(side=_side(match, meaning.player))
    return _plays(match, arrived) and theirs.exists()


def _question_stands(meaning: Meaning, arrived: datetime) -> bool:
    asked = Confirmation.objects.get(pk=meaning.question)
    stands = asked.used_at is None and arrived - asked.asked_at < QUESTION_STANDS
    match = asked.match
    return stands and (match is None or match.status != Match.Status.OVER)


def _agreed(meaning: Meaning, letter: int) -> bool:
    return Confirmation.objects.get(pk=meaning.question).agreed


def _declined(meaning: Meaning, letter: int) -> bool:
    asked = Confirmation.objects.get(pk=meaning.question)
    return asked.used_at is not None and not asked.agreed


def _happened(*kinds: str) -> Callable[[Meaning, int], bool]:
    def happened(meaning: Meaning, letter: int) -> bool:
        of_match = {"match": meaning.match} if meaning.match else {}
        return Event.objects.filter(letter=letter, kind__in=kinds, **of_match).exists()

    return happened


def _resigned(meaning: Meaning, letter: int) -> bool:
    return _happened(Kind.ENDED)(meaning, letter) or is_asked_by_design(meaning, letter)


def _offered(meaning: Meaning, letter: int) -> bool:
    return _happened(Kind.OFFERED, Kind.ASKED, Kind.GAVE)(meaning, letter)


def _moved_and_offered(meaning: Meaning, letter: int) -> bool:
    return _moved(meaning, letter) and _offered(meaning, letter)


def _is_set(meaning: Meaning, letter: int) -> bool:
    if is_asked_by_design(meaning, letter):
        return True
    if meaning.setting is None:
        return False
    field, value = meaning.setting
    if field == "silent":
        return Player.objects.get(pk=meaning.player).silent_since is not None
    if field == "absent":
        return Absence.objects.filter(player=meaning.player, kind=Absence.Kind.PLANNED).exists()
    return bool(getattr(Player.objects.get(pk=meaning.player), field) == value)


def _is_told(meaning: Meaning, letter: int) -> bool:
    """Whether it was answered, by the letter that was asked for; a challenge also tells the opponent."""
    _, kind = meaning.setting or ("", "")
    answers = OutboundMail.objects.filter(cause=f"letter:{letter}").values_list("sections", flat=True)
    return any(section["kind"] == (kind or section["kind"]) for sections in answers for section in sections)


def is_asked_by_design(meaning: Meaning, letter: int) -> bool:
    """Whether the email was asked about as it was written, and had to be."""
    written = {fold(line) for line in meaning.lines}
    asked = Confirmation.objects.filter(letter=letter, near=False)
    return meaning.grave and any({fold(line) for line in each.lines} == written for each in asked)


def _always(meaning: Meaning, arrived: datetime) -> bool:
    return True


def _is_over(meaning: Meaning, arrived: datetime) -> bool:
    return _match(meaning).status == Match.Status.OVER


def _rematch_asked(meaning: Meaning, letter: int) -> bool:
    return Event.objects.filter(letter=letter, kind__in=(Kind.PROPOSED, Kind.STARTED)).exists()


def _is_proposed(meaning: Meaning, arrived: datetime) -> bool:
    return _match(meaning).status == Match.Status.PROPOSED


SAID, ENDS = frozenset({Kind.SAID.value}), frozenset({Kind.ENDED.value})
MOVES = frozenset({Kind.MOVED.value}) | SAID | ENDS
OFFERS = frozenset({Kind.OFFERED.value, Kind.ASKED.value, Kind.GAVE.value}) | SAID
ANY = frozenset(kind.value for kind in Kind)

MOVE, MOVE_AND_OFFER, OFFER, RESIGN, CHALLENGE, SETTING, READING, REMATCH = (
    "a move",
    "a move and an offer",
    "an offer",
    "a resignation",
    "a challenge",
    "a setting",
    "a request",
    "a return match",
)
YES_CHALLENGE, YES_DRAW, YES_OFFER, YES_QUESTION, YES_GRAVE, NO_QUESTION = (
    "YES to a challenge",
    "YES to a draw",
    "YES to a takeback or pause",
    "YES to a question",
    "YES to a grave question",
    "NO to a wrong question",
)
MOVING = frozenset({MOVE, MOVE_AND_OFFER})
TALKS = MOVING | {OFFER, REMATCH, YES_CHALLENGE}
AGREES = frozenset({YES_CHALLENGE, YES_DRAW, YES_OFFER, YES_QUESTION, YES_GRAVE})
RULES: Mapping[str, Rule] = {
    MOVE: Rule(_may_move, _moved, MOVES),
    MOVE_AND_OFFER: Rule(_may_move, _moved_and_offered, MOVES | OFFERS),
    OFFER: Rule(_may_offer, _offered, OFFERS),
    RESIGN: Rule(_is_playing, _resigned, ENDS | SAID),
    CHALLENGE: Rule(_always, _happened(Kind.PROPOSED, Kind.STARTED), frozenset({Kind.PROPOSED.value}) | SAID),
    SETTING: Rule(_always, _is_set, frozenset({Kind.AWAY.value})),
    READING: Rule(_always, _is_told, ANY),
    REMATCH: Rule(_is_over, _rematch_asked, frozenset({Kind.PROPOSED.value, Kind.STARTED.value}) | SAID),
    YES_CHALLENGE: Rule(_is_proposed, _happened(Kind.STARTED), frozenset({Kind.STARTED.value}) | SAID),
    YES_DRAW: Rule(_draw_stands, _happened(Kind.ENDED), ENDS | SAID),
    YES_OFFER: Rule(
        _offer_stands,
        _happened(Kind.UNDONE, Kind.PAUSED),
        frozenset({Kind.UNDONE.value, Kind.PAUSED.value}) | SAID,
    ),
    YES_QUESTION: Rule(_question_stands, _agreed, ANY),
    YES_GRAVE: Rule(_question_stands, _agreed, ANY),
    NO_QUESTION: Rule(_question_stands, _declined, frozenset({Kind.SAID.value})),
}
