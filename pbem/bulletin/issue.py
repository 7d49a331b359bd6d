"""The contents of one number of a bulletin: results, cross-table, commented matches, a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from django.utils import translation

from games.kit.scene import Scene
from games.kit.words import Speech, capital, speech
from games.move_numbers import score
from games.protocol import Notation, Position
from games.record import Record
from games.registry import find, in_words
from pbem.analysis.models import Puzzle
from pbem.analysis.puzzles import available
from pbem.bulletin.models import Bulletin
from pbem.competitions.cross_table import Meeting, Row, cross_table
from pbem.matches.models import Match, Seat, Tournament
from pbem.players.models import Player, PrintName

# A match in print

Names = tuple[str, str]


@dataclass(frozen=True)
class Figure:
    """A board after `plies` half-moves: `name` is that of its files, `position` the board in words."""

    name: str
    scene: Scene
    speech: Speech
    caption: str
    plies: int = 0

    @property
    def position(self) -> str:
        return " ".join(self.speech.position(self.scene))


@dataclass(frozen=True)
class Piece:
    """Some moves of a game, `1. a1-b2 c3-d4 2. ...`, and the board after them, if there is one."""

    moves: str
    figure: Figure | None = None


@dataclass(frozen=True)
class Told:
    """A match in print. `reason` says how it ended, `words` are the organiser's Markdown."""

    number: int
    game: str
    variant: str
    names: Names
    score: str
    reason: str
    moves: int
    ended: datetime | None
    record: Record
    title: str = ""
    words: str = ""
    pieces: Sequence[Piece] = ()

    @property
    def figures(self) -> list[Figure]:
        return [piece.figure for piece in self.pieces if piece.figure]


def told(match: Match, names: Names, notation: Notation) -> Told:
    """Prepares an ended match for print: three queries, or fewer when its commentary is prefetched."""
    words = speech(match.game, match.rules, notation, names)
    outcome, record = match.outcome(), replace(match.record(), players=names)
    commentary = getattr(match, "commentary", None)
    plain = Told(
        number=match.pk,
        game=words.phrases["name"],
        variant=in_words(match.game_name, notation.language),
        names=names,
        score=outcome.score if outcome else "*",
        reason=words.outcome(outcome) if outcome else "",
        moves=(match.ply + 1) // 2,
        ended=match.ended_at,
        record=record,
    )
    if commentary is None:
        return plain
    captions = {each.plies: each.caption for each in commentary.positions.all()}
    pieces = tuple(_pieces(record, words, notation, captions, f"{match.game.key}-{match.pk}"))
    return replace(plain, title=commentary.title, words=commentary.words, pieces=pieces)


def _pieces(
    record: Record, words: Speech, notation: Notation, captions: dict[int, str], name: str
) -> Iterator[Piece]:
    course, written = record.course(), list[str]()
    first, before, move = 0, None, None
    for plies in range(len(record.moves) + 1):
        if plies:
            before, move = course.position, course.game.move(record.moves[plies - 1])
            written.append(course.game.write(before, move, notation))
            course.play(move)
        if plies in captions:
            scene = course.game.scene(before, move, course.position)
            figure = Figure(f"{name}-{plies}", scene, words, captions[plies], plies)
            yield Piece(_scored(written, first), figure)
            written, first = [], plies
    if written:
        yield Piece(_scored(written, first))


def _scored(moves: Sequence[str], first: int) -> str:
    return " ".join(str(line) for line in score(moves, first))


# The puzzle


@dataclass(frozen=True)
class Task:
    """A puzzle in print: the side to move, the `turns` until it wins, the line, `1. a1-b2 c3-d4 2. ...`."""

    game: str
    variant: str
    side: str
    turns: int
    figure: Figure
    solution: str


def next_puzzle(bulletin: Bulletin) -> Puzzle | None:
    """Returns the newest puzzle of the tournament's game that no number has had. None when there is none left."""
    # Puzzles do not name their players, so that they may come from any match.
    game = bulletin.tournament.game_name.partition(":")[0]
    made = available(game).filter(created_at__lt=bulletin.until)
    return made.exclude(bulletins__tournament=bulletin.tournament).order_by("-created_at", "-pk").first()


def printed_in(bulletin: Bulletin) -> Puzzle | None:
    """Returns the puzzle of a number. None also when a player has withdrawn consent to puzzles since."""
    return available().filter(pk=bulletin.puzzle_id).first() if bulletin.puzzle_id else None


def task(puzzle: Puzzle, notation: Notation) -> Task:
    game, rules = find(puzzle.game_name)
    words = speech(game, rules, notation)
    start: Position = game.position(rules, puzzle.position)
    position, written = start, list[str]()
    for text in _line(puzzle):
        move = game.move(text)
        written.append(game.write(position, move, notation))
        position = position.play(move)
    return Task(
        game=words.phrases["name"],
        variant=in_words(puzzle.game_name, notation.language),
        side=capital(words.side(start.to_move)),
        turns=len(puzzle.accepted),
        figure=Figure(f"puzzle-{puzzle.pk}", game.scene(None, None, start), words, ""),
        solution=" ".join(str(line) for line in score(written, int(start.to_move))),
    )


def _line(puzzle: Puzzle) -> list[str]:
    """Returns the solution and the replies in turns."""
    line = [puzzle.accepted[0][0]]
    for reply, accepted in zip(puzzle.replies, puzzle.accepted[1:], strict=False):
        line += [reply, accepted[0]]
    return line


Status = Match.Status


@dataclass(frozen=True)
class Issue:
    """A number of a bulletin: `table` as of `until`, `results` that ended after `since`, and `comments` on
    these and on older matches with new comments. All of them leave out `private` matches."""

    event: str
    number: int
    language: str
    words: str
    since: datetime | None
    until: datetime
    table: Sequence[Row[Player]]
    names: Mapping[int, str]
    results: Sequence[Told]
    comments: Sequence[Told]
    puzzle: Task | None
    over: int
    going_on: int
    private: int

    def name(self, player: Player) -> str:
        return self.names.get(player.pk, player.name)


def issue_of(
    bulletin: Bulletin, names_of: Callable[[Collection[int]], Mapping[int, str]] = PrintName.objects.of
) -> Issue:
    """Builds an issue from the current rows: a result that was voided since is missing.

    Players whom `names_of` does not name are called as everywhere.
    """
    language = bulletin.language or settings.LANGUAGE_CODE
    tournament, until = bulletin.tournament, bulletin.until
    everything = list(_matches(tournament))
    open_ones = [match for match in everything if not match.agreed.private]
    over = [match for match in open_ones if _is_over(match, until)]
    players = {seat.player_id: seat.player for match in open_ones for seat in match.seated}
    players = {player.pk: player for player in tournament.players()} | players
    names = names_of(players)
    with translation.override(language):
        notation = Notation(language)
        fresh = [match for match in over if _is_new(match.ended_at, bulletin)]
        puzzle = printed_in(bulletin)
        set_task = task(puzzle, notation) if puzzle else None
        results = {match.pk: _told(match, names, notation) for match in fresh}
        comments = [
            results.get(match.pk) or _told(match, names, notation)
            for match in over
            if hasattr(match, "commentary") and _is_new(_told_since(match), bulletin)
        ]
    return Issue(
        event=tournament.name,
        number=bulletin.number,
        language=language,
        words=bulletin.words,
        since=bulletin.since,
        until=until,
        table=_table(list(players.values()), open_ones, until),
        names=names,
        results=list(results.values()),
        comments=comments,
        puzzle=set_task,
        over=len(over),
        going_on=len(open_ones) - len(over),
        private=len(everything) - len(open_ones),
    )


def next_bulletin(tournament: Tournament, *, language: str, words: str, now: datetime) -> Bulletin:
    """Returns the next number, which begins where the last one ended. Not saved."""
    last = tournament.bulletins.order_by("-number").first()
    return Bulletin(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        language=language,
        words=words,
        since=last.until if last else None,
        until=now,
    )


def _matches(tournament: Tournament) -> QuerySet[Match]:
    """Returns the playing and ended matches by their ends, with seats and commentary: five queries."""
    seats = Seat.objects.select_related("player").order_by("side")
    played = tournament.matches.filter(status__in=(Status.PLAYING, Status.OVER))
    return (
        played.select_related("commentary")
        .prefetch_related(Prefetch("seats", seats), "commentary__positions")
        .order_by("ended_at", "pk")
    )


def _is_over(match: Match, until: datetime) -> bool:
    return match.status == Status.OVER and match.ended_at is not None and match.ended_at <= until


def _is_new(moment: datetime | None, bulletin: Bulletin) -> bool:
    if moment is None or moment > bulletin.until:
        return False
    return bulletin.since is None or moment > bulletin.since


def _told_since(match: Match) -> datetime | None:
    """Returns the moment from which there were both a result and a commentary. None while it is played."""
    return max(match.ended_at, match.commentary.written_at) if match.ended_at else None


def _told(match: Match, names: Mapping[int, str], notation: Notation) -> Told:
    first, second = (names.get(seat.player_id, seat.player.name) for seat in match.seated)
    return told(match, (first, second), notation)


def _table(players: Sequence[Player], matches: Sequence[Match], until: datetime) -> Sequence[Row[Player]]:
    by_number = {player.pk: player for player in players}

    def points(match: Match) -> float | None:
        if not _is_over(match, until):
            return None
        return 0.5 if match.winner is None else float(match.winner == 0)

    meetings = []
    for match in sorted(matches, key=lambda match: match.pk):
        first, second = (by_number[seat.player_id] for seat in match.seated)
        meetings.append(Meeting(first, second, points(match), match.pk))
    return cross_table(players, meetings)
