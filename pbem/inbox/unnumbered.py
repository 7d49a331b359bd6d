"""Moves without a match number: finds the player's match, or asks when several fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from games import lenient_parser
from games.protocol import AmbiguousMove, IllegalMove, UnreadableMove
from games.registry import find
from pbem.analysis.models import Attempt
from pbem.analysis.puzzles import position_of
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import named_cells, unnumbered
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.match_commands import Draw, Move, Solve
from pbem.inbox.commands.parser import Understood, until_the_end
from pbem.inbox.commands.verbs import OF_MATCHES
from pbem.inbox.digests import NEVER, shown_in
from pbem.inbox.understanding.near_misses import NearMisses, near_misses
from pbem.matches.models import Event, Match, Seat
from pbem.matches.offers import may_begin
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.refusals import Code


@dataclass(frozen=True)
class MoveShapes:
    """Tells whether a text has the shape of a move in one of the player's matches."""

    player: Player | None
    seat: Seat | None

    def __call__(self, text: str, number: int | None) -> bool:
        match = self._match(number)
        if match is None or self.player is None:
            return False
        try:
            lenient_parser.parse(match.game, match.current(), text, self.player.notation)
        except UnreadableMove:
            return False
        except (AmbiguousMove, IllegalMove):
            return True
        return True

    def _match(self, number: int | None) -> Match | None:
        if number is None:
            return self.seat.match if self.seat else self._only
        if number not in self._matches:
            self._matches[number] = (
                Match.objects.of(self.player).filter(pk=number).first() if self.player else None
            )
        return self._matches[number]

    @cached_property
    def _matches(self) -> dict[int, Match | None]:
        return {}

    @cached_property
    def _only(self) -> Match | None:
        return only_match(self.player) if self.player else None


def legal_moves(player: Player | None, seat: Seat | None, ply: int | None) -> LegalMoves | None:
    """The legal moves after `ply` turns. None unless it is the seat's turn, now or with ACCEPT."""
    if player is None or seat is None:
        return None
    match = seat.match
    playing = match.status == Match.Status.PLAYING and seat.is_to_move
    if not playing and not may_begin(seat):
        return None
    return LegalMoves(match.game, match.current(), player.notation) if ply == match.ply else None


def only_match(player: Player) -> Match | None:
    """The player's only running or proposed match. None when there is none, or several."""
    alive = list(Match.objects.of(player).alive()[:2])
    return alive[0] if len(alive) == 1 else None


PUZZLE = "puzzle"  # the kind of a letter
_MOST_LINES = 20
_LONGEST = 60  # characters; longer lines are not moves without a number
_MOST_MATCHES = 50
_MOST_SEARCHED = 12  # matches in which sentences are searched
_THEIR_TURN = 2  # the first groups
_BESIDE_MOVES = (Move, Draw)


def located(
    understood: Understood,
    lines: Iterable[str],
    player: Player,
    answered: OutboundMail | None,
    *,
    subject: str = "",
    sentences: bool = False,
) -> Understood:
    """Finds the matches of moves in a letter without commands.

    A move belongs to the only match that it fits where it is the player's turn, else to the only other one,
    where it is refused with the board. Several give L03 with the lines to choose from. The Subject may be a
    move, but is never text. `sentences`: when no line is a move alone, one in a sentence is asked about.
    """
    if understood.commands or understood.verdict not in (Code.NO_MOVE_FOUND, Code.WHICH_MATCH):
        return understood
    body = list(until_the_end(lines, player.language))
    written = [subject, *body] if subject else body
    if answered is not None and answered.kind == PUZZLE and (solution := _solution(written, player)):
        chat = "\n".join(line for line in body if line != solution.line).strip("\n")
        return Understood((solution,), chat, None)
    search = _Search(player, answered)
    asked = {ask.line.strip() for ask in understood.asks}  # exact, but not on a line of its own
    alone = (line for line in _short(written) if line.strip() not in asked)
    moves = {line: fits for line in alone if (fits := search.fitting(line))}
    if not moves:
        return _in_sentences(understood, search, body, subject) if sentences else understood
    chat = "\n".join(line for line in body if line not in moves).strip("\n")
    if any(len(fits) > 1 for fits in moves.values()):
        choices = tuple(f"{move.match} {move.text}" for fits in moves.values() for move in fits)
        return replace(understood, verdict=Code.WHICH_MATCH, suggestions=choices, chat=chat, unsaid="")
    commands = tuple(fits[0] for fits in moves.values())
    twice = len({move.match for move in commands}) < len(commands)
    verdict = Code.SEVERAL_MOVES if twice else None
    return Understood(commands, chat, verdict, unnumbered=True)


def _in_sentences(understood: Understood, search: _Search, body: list[str], subject: str) -> Understood:
    """The same for the only move beside other words; not in a request for a match."""
    if any(isinstance(ask, OF_MATCHES) for ask in understood.asks):
        return understood
    found = search.nearly(body) or (search.nearly([subject, *body]) if subject else [])
    if not found:
        return understood
    beside = "\n".join(line for line in found[0].beside if not line or line != subject).strip("\n")
    if len(found) > 1:
        choices = tuple(
            f"{ask.match} {ask.line}" for near in found for ask in near.asks if isinstance(ask, Move)
        )
        return replace(
            understood, verdict=Code.WHICH_MATCH, suggestions=choices, asks=(), chat=beside, unsaid=""
        )
    asks = found[0].asks
    return Understood(
        verdict=Code.NO_MOVE_FOUND, asks=asks, chat=understood.chat, beside=beside, unnumbered=True
    )


def _solution(lines: Sequence[str], player: Player) -> Solve | None:
    """The first line with the shape of a move in the player's puzzle. None when there is none."""
    attempt = Attempt.objects.filter(player=player, status=Attempt.Status.OPEN).last()
    if attempt is None:
        return None
    game, _ = find(attempt.puzzle.game_name)
    position = position_of(attempt)
    for line in _short(lines):
        try:
            game.read(position, text := unnumbered(line.strip()), player.notation)
        except UnreadableMove:
            continue
        except (IllegalMove, AmbiguousMove):
            pass
        return Solve(text, line=line)
    return None


def _short(lines: Sequence[str]) -> Iterator[str]:
    kept = (line for line in lines if 0 < len(line.strip()) <= _LONGEST)
    return islice(dict.fromkeys(kept), _MOST_LINES)


class _Search:
    """Searches the matches of one player, first those that the `answered` letter shows."""

    def __init__(self, player: Player, answered: OutboundMail | None) -> None:
        self._player = player
        self._shapes = MoveShapes(player, None)
        self._shown = _shown(answered)
        self._over = _went_on(self._shown, answered)
        theirs = Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk")
        waiting = set(Match.objects.waiting_for(player).values_list("pk", flat=True))
        matches = list(theirs[:_MOST_MATCHES])
        their_turn = [match for match in matches if match.pk in waiting]
        self._groups = (
            [match for match in their_turn if match.pk in self._shown],
            their_turn,
            [match for match in matches if match.pk not in waiting] if answered else [],
        )

    def fitting(self, line: str) -> list[Move]:
        """The moves that the line may be, in the matches of the first group where it fits."""
        for group in self._groups:
            if found := [(match, move) for match in group if (move := self._as_move(line, match))]:
                return [move for _, move in self._likely(found)]
        return []

    def nearly(self, lines: Sequence[str]) -> list[NearMisses]:
        """The near move of the lines, in each match of the first group where they have one."""
        if not any(map(named_cells, lines)):
            return []
        for group in self._groups[:_THEIR_TURN]:
            boards = [match for match in group if match.pk not in self._over][:_MOST_SEARCHED]
            if found := [near for match in boards if (near := self._near(lines, match))]:
                return found
        return []

    def _near(self, lines: Sequence[str], match: Match) -> NearMisses | None:
        legal = LegalMoves(match.game, match.current(), self._player.notation)
        near = near_misses(
            lines, is_move=lambda text, _: self._shapes(text, match.pk), own=match.pk, legal=legal
        )
        moves = [ask for ask in near.asks if isinstance(ask, Move)]
        if len(moves) != 1 or near.refused:
            return None
        here = (replace(ask, match=match.pk) for ask in near.asks if isinstance(ask, _BESIDE_MOVES))
        return replace(near, asks=tuple(here))

    def _likely(self, found: list[tuple[Match, Move]]) -> list[tuple[Match, Move]]:
        """Drops matches of games in which no found move is legal, if others have one."""
        games = {match.game.key for match, move in found if self._is_legal(match, move)}
        return [(match, move) for match, move in found if not games or match.game.key in games]

    def _as_move(self, line: str, match: Match) -> Move | None:
        command = read_line(line, lambda text, _: self._shapes(text, match.pk))
        if not isinstance(command, Move) or command.match is not None:
            return None
        return replace(command, match=match.pk, number=NEVER if match.pk in self._over else command.number)

    def _is_legal(self, match: Match, move: Move) -> bool:
        try:
            lenient_parser.parse(match.game, match.current(), move.text, self._player.notation)
        except AmbiguousMove:
            return True
        except (IllegalMove, UnreadableMove):
            return False
        return True


def _shown(answered: OutboundMail | None) -> set[int]:
    """The matches with boards in the letter."""
    if answered is None:
        return set()
    told = [section["event"] for section in answered.sections if "event" in section]
    named = {section["match"] for section in answered.sections if "match" in section}
    of_digest = {board.match for board in shown_in(answered)}
    return named | of_digest | set(Event.objects.filter(pk__in=told).values_list("match", flat=True))


def _went_on(shown: set[int], answered: OutboundMail | None) -> set[int]:
    """The matches that have changed since the letter showed their board."""
    if answered is None:
        return set()
    changed = Event.objects.filter(match__in=shown, kind__in=(Event.Kind.MOVED, Event.Kind.UNDONE))
    return set(changed.filter(happened_at__gt=answered.created_at).values_list("match", flat=True))
