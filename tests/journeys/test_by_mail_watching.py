"""Following a match by mail: the board after each move, late if wished, and nothing else."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pbem.matches import observers as watched_matches
from pbem.matches.arbitration import void
from pbem.matches.models import Match, Watching
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post, registered
from tests.players_fixtures import Begin


@pytest.fixture
def dario(post: Post) -> Correspondent:
    """Somebody who reads Italian, and plays nobody."""
    return registered(post, "Dario", "it")


@pytest.mark.prove
def test_a_watcher_gets_the_board_after_each_move_and_the_result_but_no_word(
    loa: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, dario: Correspondent
) -> None:
    charlie.writes(f"WATCH {loa.pk}")
    assert charlie.kinds() == ["watching"]
    assert "A letter comes after each move." in " ".join(charlie.letter.text.split())
    dario.writes(f"OSSERVO {loa.pk}")
    assert "Arriva una lettera dopo ogni mossa." in " ".join(dario.letter.text.split())
    alice.answers(alice.letter, "d1-d3\nOnly for you, Bruno.\nNOTE secret plan")
    for watcher, said in (
        (charlie, "d1-d3: Alice moves from d1 to d3."),
        (dario, "d1-d3: Alice muove da d1 a d3."),
    ):
        assert watcher.letter.kind == "watched"
        assert said in watcher.letter.text
        assert watcher.letter.reply_to.startswith("l+")
        assert "Only for you" not in watcher.letter.raw.decode()
        assert "secret plan" not in watcher.letter.raw.decode()
    assert bruno.answers(charlie.letter, "a4-c4").verdict in ("ok", Code.NO_MOVE_FOUND)
    assert charlie.answers(charlie.letter, "a4-c4").verdict == Code.NO_MOVE_FOUND
    assert charlie.writes(f"{loa.pk} a4-c4").verdict in (Code.NO_SUCH_MATCH, Code.NO_MOVE_FOUND)
    charlie.writes(f"SHOW {loa.pk} LAST 2")
    assert charlie.letter.kind == "strip"
    dario.writes(f"NON OSSERVO {loa.pk}")
    assert dario.letter.kind == "unwatched"
    charlie.reads()
    dario.reads()
    bruno.answers(bruno.letter, "ABBANDONO")
    bruno.answers(bruno.letter, "SÌ ABBANDONO")
    assert dario.kinds() == []
    assert charlie.kinds() == ["watched"]
    text = " ".join(charlie.letter.text.split())
    assert "Alice – Bruno, which you watched, is over. Bruno resigns, and Alice wins." in text
    assert f"loa-{loa.pk}.json" in charlie.letter.files


def test_a_watcher_may_be_some_turns_late(
    loa: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent
) -> None:
    charlie.writes(f"WATCH {loa.pk} DELAY 2")
    assert "You see the board 2 turns late" in " ".join(charlie.letter.text.split())
    charlie.reads()
    for player, move in ((alice, "d1-d3"), (bruno, "a4-c4")):
        player.answers(player.letter, move)
    assert charlie.kinds() == []
    assert charlie.writes(f"SHOW {loa.pk} AT 1").verdict == Code.NO_SUCH_TURN
    charlie.reads()
    alice.answers(alice.letter, "c8-c5")
    assert charlie.kinds() == ["watched"]
    assert "d1-d3: Alice moves from d1 to d3." in charlie.letter.text
    assert "c4" not in charlie.letter.text.partition("In words:")[0].replace("a4-c4", "c4")
    assert "c8-c5" not in charlie.letter.raw.decode()
    for verb in ("SHOW", "DESCRIBE", "HISTORY", "RECORD", "GAMES", "STATUS"):
        charlie.writes(verb if verb in ("GAMES", "STATUS") else f"{verb} {loa.pk}")
        seen = charlie.letter.text + "".join(charlie.letter.attachments.values())
        assert "a4-c4" not in seen, verb
        assert "c8-c5" not in seen, verb


def test_who_may_not_watch_is_told_why(
    begin: Begin,
    loa: Match,
    alice: Correspondent,
    bruno: Correspondent,
    charlie: Correspondent,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    private = begin("zertz private")
    assert charlie.writes(f"WATCH {private.pk}").verdict == Code.NOT_WATCHABLE
    assert charlie.writes("WATCH 4711").verdict == Code.NOT_WATCHABLE
    assert alice.writes(f"WATCH {loa.pk}").verdict == Code.OWN_MATCH
    assert charlie.writes(f"UNWATCH {loa.pk}").verdict == Code.NOT_WATCHING
    monkeypatch.setattr(watched_matches, "MOST_WATCHED", 0)
    assert charlie.writes(f"WATCH {loa.pk}").verdict == Code.TOO_MANY_WATCHED
    assert not Watching.objects.exists()


def test_who_watches_can_choose_another_way(loa: Match, charlie: Correspondent) -> None:
    charlie.writes(f"WATCH {loa.pk} DELAY 3")
    charlie.writes(f"WATCH {loa.pk}\nGAMES")
    [watching] = Watching.objects.all()
    loa.refresh_from_db()
    assert (watching.delay, loa.watchers) == (0, 1)
    assert "You are watching:" in charlie.letter.text
    charlie.writes(f"UNWATCH {loa.pk}")
    loa.refresh_from_db()
    assert loa.watchers == 0


def test_a_move_of_a_match_that_nobody_watches_asks_for_nobody(loa: Match, alice: Correspondent) -> None:
    with CaptureQueriesContext(connection) as queries:
        alice.answers(alice.letter, "d1-d3")
    tables = ("matches_watching", "matches_note", "players_message")
    assert [query["sql"] for query in queries if any(table in query["sql"] for table in tables)] == []


def test_whoever_watches_hears_that_the_match_is_void(loa: Match, charlie: Correspondent) -> None:
    charlie.writes(f"WATCH {loa.pk}")
    loa.refresh_from_db()
    void(loa, now=charlie.post.now, reason="A mistake.")
    charlie.post.send()
    assert "Alice – Bruno, which you watched, was declared void by the organiser." in " ".join(
        charlie.letter.text.split()
    )
    assert "A mistake." not in charlie.letter.text
