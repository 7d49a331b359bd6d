"""Records go out and come back: replayed before they are kept, all or none."""

from collections.abc import Callable
from dataclasses import replace as replace_record
from datetime import timedelta
from random import Random

import pytest

from games.export import from_json, to_json
from games.protocol import Notation, Outcome, Side
from games.record import Record
from pbem.competitions.cross_table import standings
from pbem.competitions.tournaments import open_tournament
from pbem.demo.play import GAMES
from pbem.matches.arbitration import enter_move, import_records, json_lines, replace, score_sheets
from pbem.matches.models import Event, Match
from pbem.matches.offers import Mistaken
from pbem.matches.services import play, resign, start
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import MORNING, Correspondent, Post, registered

Begin = Callable[..., Match]


@pytest.fixture
def played(alice: Correspondent, bruno: Correspondent) -> list[Match]:
    """Alice and Bruno have a match that goes on, and one of another game that Bruno has resigned."""
    going = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    for move in ("b1-b3", "a2-c2", "b8-b6"):
        assert going.moving
        play(going.moving, move, now=MORNING)
    over = start(first=bruno.player, second=alice.player, game="insert", now=MORNING, rng=Random(1))
    resign(over.seated[0], now=MORNING + timedelta(days=2))
    return [going, over]


def forgotten(text: str) -> str:
    """The text, once its matches are gone."""
    Match.objects.all().delete()
    OutboundMail.objects.all().delete()
    return text


@pytest.mark.parametrize("written", [json_lines, lambda matches: score_sheets(matches, Notation("it"))])
def test_what_was_exported_is_imported(played: list[Match], written: Callable[[list[Match]], str]) -> None:
    records = [match.record() for match in played]
    going, over = import_records(forgotten(written(played)), now=MORNING)
    assert [Match.objects.get(pk=match.pk).record() for match in (going, over)] == records
    assert (going.status, going.ply, going.to_move) == ("playing", 3, 1)
    assert (over.status, over.winner, over.reason, over.to_move) == ("over", 1, "resigned", None)
    assert [(turn.side, turn.position) for turn in going.turns.order_by("ply")][-1] == (0, going.position)
    play(Match.objects.get(pk=going.pk).seated[1], "h7-f7", now=MORNING)


def test_whoever_plays_on_is_told_and_nobody_else(
    post: Post, played: list[Match], alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    import_records(forgotten(json_lines(played)), now=MORNING)
    post.send()
    [hers], [his] = alice.reads(), bruno.reads()
    assert (hers.kind, his.kind) == ("imported", "imported")
    assert "Your match against Bruno goes on here: Lines of Action, classic" in hers.text
    assert "La tua partita contro Alice continua qui" in his.text
    assert bruno.answers(his, "h7-f7").verdict == "ok"
    assert charlie.reads() == []
    assert Event.objects.filter(kind=Event.Kind.IMPORTED).count() == 2


def test_the_matches_of_a_tournament_have_its_terms_and_stand_in_its_table(played: list[Match]) -> None:
    tournament = open_tournament("Autumn cup", game="loa", terms=Terms(clock="10d"), now=MORNING)
    going, _over = import_records(forgotten(json_lines(played)), tournament=tournament, now=MORNING)
    assert Match.objects.get(pk=going.pk).deadline == MORNING + timedelta(days=10)
    assert [(row.entrant.name, row.points) for row in standings(tournament)] == [("Alice", 1), ("Bruno", 0)]


def test_nothing_is_imported_if_one_record_is_wrong(played: list[Match]) -> None:
    good = json_lines(played)
    forgotten(good)
    first, second = good.splitlines()
    bad = [
        first.replace("b1-b3", "b1-b4"),  # no such move
        first.replace("b1-b3", "nonsense"),
        first.replace("Alice", "Alise"),
        first.replace("Bruno", "alice"),
        first.replace('"loa"', '"ludo"'),
        second.replace('"0-1"', '"2-0"'),
        first.replace("pbem-record 1", "pbem-record 9"),
    ]
    with pytest.raises(Mistaken) as mistaken:
        import_records("\n".join([good, *bad]), now=MORNING)
    assert [(mistake.line, mistake.refused.code) for mistake in mistaken.value.mistakes] == [
        (3, Code.BAD_RECORD),
        (4, Code.BAD_RECORD),
        (5, Code.NO_SUCH_PLAYER),
        (6, Code.AGAINST_YOURSELF),
        (7, Code.NO_SUCH_GAME),
        (8, Code.BAD_RECORD),
        (9, Code.BAD_RECORD),
    ]
    assert not Match.objects.exists()


@pytest.mark.parametrize("text", ["{", '{"a": 1} x', "Dear Olga,\nthese are my games.", "{}", "[1]"])
def test_what_is_no_record_is_refused_in_words(db: None, text: str) -> None:
    with pytest.raises(Mistaken) as mistaken:
        import_records(text, now=MORNING)
    assert all(mistake.refused.code == Code.BAD_RECORD for mistake in mistaken.value.mistakes)


def test_the_same_records_are_not_imported_twice(played: list[Match]) -> None:
    with pytest.raises(Mistaken) as mistaken:
        import_records(json_lines(played), now=MORNING)
    assert [mistake.refused.code for mistake in mistaken.value.mistakes] == [
        Code.IMPORTED_ALREADY,
        Code.IMPORTED_ALREADY,
    ]


def test_a_result_that_the_board_denies_is_refused(played: list[Match]) -> None:
    """Who won on the board has won; who resigned, no board shows."""
    demo = next(game for game in GAMES if game.name == "loa")
    record = Record("loa", 1, demo.moves, players=(demo.first, "Alice"), result=Outcome(Side.FIRST, "joined"))
    with pytest.raises(Mistaken) as mistaken:
        import_records(to_json(record), now=MORNING)
    assert "the board says 0-1, the record 1-0" in mistaken.value.mistakes[0].refused.facts["why"]
    told = replace_record(record, result=None)
    (imported,) = import_records(to_json(told), now=MORNING)
    assert (imported.winner, imported.reason) == (1, "joined")


def test_whoever_gets_no_letters_cannot_play_on(played: list[Match]) -> None:
    text = forgotten(json_lines(played))
    Player.objects.filter(name="Alice").update(suspended_at=MORNING)
    with pytest.raises(Mistaken) as mistaken:
        import_records(text, now=MORNING)
    assert [(mistake.line, mistake.refused.code) for mistake in mistaken.value.mistakes] == [
        (1, Code.GETS_NO_LETTERS)
    ]


def test_the_record_says_what_the_organiser_did(post: Post, played: list[Match]) -> None:
    match = Match.objects.get(pk=played[0].pk)
    assert match.record().remarks == ""
    enter_move(match, "h7-f7", reason="By telephone.", now=MORNING)
    enter_move(match, str(next(match.current().moves())), reason="By telephone.", now=MORNING)
    replace(match.seated[1], registered(post, "Dora", "en").player, reason="Bruno is ill.", now=MORNING)
    record = Match.objects.get(pk=match.pk).record()
    assert record.remarks == (
        "The organiser entered moves 2... and 3. for the player. From move 3... on Dora played in the place of Bruno."
    )
    assert from_json(to_json(record)) == record
