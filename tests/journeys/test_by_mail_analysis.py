"""A robot looks through a match that is over: asked for by mail, in either language, by those who played it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from django.conf import LazySettings as Settings
from PIL import Image

from games.engine.analysis import analyse
from games.engine.robot import think
from games.export import from_json, from_text
from games.protocol import Notation
from games.registry import find
from pbem.analysis.models import AnalysisJob, AnalysisRequest
from pbem.matches.models import Match
from pbem.matches.services import play, resign
from pbem.outbox import sending as outbox
from pbem.refusals import Code
from pbem.robots import studies
from pbem.robots.engine import Answer, seconds_used
from tests.journeys.test_by_mail_lyngk import SETUP
from tests.mail_fixtures import Correspondent, Post

# Two robots of level 2; the second gives it away twice.
MOVES = """g8-e6 h3xe6 c8xe6 h6xe6 b8-d6 a6xd6 f8-f6 h7-f5 d8-g5 h2-f4 c1xf4 a7-c5 b1-d3 a2-c4 d1-d4 a3-c3 e8-g6
h4-f2 f1xc4 h5-g4 e1-e3 a5-e5 c4xe6 a4-b3 e6-c4 e5xe3 g6xd6 e3-e4 g1xg4 f2-e2 f6xc3 b3-b2 c4-d5 b2-d2 c3-e3"""


SECONDS = 2.5


def shallow(module: str, question: Mapping[str, Any], limits: object, nodes: int = 800) -> Any:
    """As the process answers, with fewer nodes."""
    assert module == "games.engine.child"
    game, rules = find(question["game"])
    moves = [game.move(text) for text in question["moves"]]
    return Answer(analyse(game, game.start(rules, question["setup"]), moves, nodes=nodes).as_json(), SECONDS)


def works(post: Post, ask: Any = shallow) -> int:
    """The robots' worker; how much it has done."""
    done = sum(studies.study(pk, now=post.now, ask=ask) for pk in list(studies.due(now=post.now)))
    _leave(post)
    post.live()
    post.send()
    return done


def _leave(post: Post) -> None:
    """All letters, some of which are held back while others to the same domain leave."""
    post.live()
    while list(outbox.due(now=post.now)):
        post.send()


def played(match: Match, post: Post, most: int = 99) -> None:
    notation = Notation("en")
    for text in MOVES.split()[:most]:
        match.refresh_from_db()
        written = match.game.write(match.current(), match.game.move(text), notation)
        play(match.seated[match.to_move], written, now=post.now)
    _leave(post)
    post.live()
    post.send()


def last(person: Correspondent, kind: str) -> Any:
    return [letter for letter in person.reads() if letter.kind == kind][-1]


def test_both_read_what_their_match_was_about(
    loa: Match, alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    played(loa, post)
    for person, button in ((alice, "ANALYSE"), (bruno, "ANALIZZA")):
        result = last(person, "result")
        assert f"    {button}\r\n" in result.text
        assert person.answers(result, button).verdict == "ok"
        assert person.letter.kind == "analysed"
    assert AnalysisJob.objects.count() == 1, "it is looked through once"
    assert works(post) == 1
    assert works(post) == 0
    for person, decided, figures in (
        (
            alice,
            "The match was decided by 15... f2-e2: Bruno's chance fell from 47% to 0%.",
            "15... f2-e2 ??",
        ),
        (bruno, "La partita è stata decisa da 15... f2-e2: le possibilità di Bruno", "15... f2-e2 ??"),
    ):
        letter = person.letter
        assert (letter.kind, letter.subject) == ("analysis", alice.letter.subject)
        assert decided in " ".join(letter.text.split())
        assert figures in " ".join(letter.text.split())
        assert max(len(line) for line in letter.text.splitlines() if "http" not in line) <= 72
        assert len(letter.raw) <= 60_000
        pictures = [part for part in letter.message.walk() if part.get_content_type() == "image/png"]
        curve = Image.open(BytesIO(pictures[0].get_payload(decode=True)))
        assert curve.size == (1280, 480)
        assert len(pictures[0].get_payload(decode=True)) <= 12_000
    assert alice.answers(alice.letter, f"ANALYZE {loa.pk}").verdict == "ok"
    assert alice.letter.kind == "analysis", "what was found is not looked for again"
    assert not AnalysisRequest.objects.filter(told_at=None).exists()
    bruno.answers(bruno.letter, "FORMULARIO")
    files = bruno.letter.attachments
    assert from_text(files[f"loa-{loa.pk}.txt"]).moves == tuple(MOVES.split())
    assert "\n; 15... f2-e2 ??" in files[f"loa-{loa.pk}.txt"].replace("\r\n", "\n")
    assert from_json(files[f"loa-{loa.pk}.json"]).moves == tuple(MOVES.split())
    assert json.loads(files[f"loa-{loa.pk}.json"])["analysis"]["decided"] == 29


@pytest.mark.parametrize("game", ["tzaar first", f"lyngk first setup={SETUP}"])
def test_turns_of_several_parts_are_looked_through(
    game: str, alice: Correspondent, bruno: Correspondent, post: Post
) -> None:
    alice.writes(f"CHALLENGE Bruno {game}")
    bruno.answers(bruno.letter, "SÌ")
    match = Match.objects.get()
    while match.status == Match.Status.PLAYING:
        seat, position = match.seated[match.to_move], match.current()
        move = think(match.game, position, 1, f"{match.ply}").move
        play(seat, match.game.write(position, move, seat.player.notation), now=post.now)
        match = Match.objects.get()
    _leave(post)
    assert alice.answers(last(alice, "result"), "ANALYSE").verdict == "ok"
    assert bruno.answers(last(bruno, "result"), "ANALIZZA").verdict == "ok"
    assert works(post, partial(shallow, nodes=60)) == 1
    for person, better, words in ((alice, "better was:", "In words: "), (bruno, "meglio era:", "A parole: ")):
        said = person.letter.text
        assert (person.letter.kind, better in said, words in said) == ("analysis", True, True)
        assert max(len(line) for line in said.splitlines() if "http" not in line) <= 72


def test_who_may_ask_and_how_often(
    loa: Match, alice: Correspondent, bruno: Correspondent, charlie: Correspondent, post: Post, begin: Any
) -> None:
    assert alice.answers(alice.letter, "ANALYSE").verdict == Code.ANALYSED_AT_THE_END
    played(loa, post, most=7)
    match = Match.objects.get(pk=loa.pk)
    resign(match.seated[0], now=post.now)
    assert charlie.writes(f"ANALYSE {loa.pk}").verdict == Code.NO_SUCH_MATCH
    short = begin("insert")
    resign(short.seated[0], now=post.now)
    assert alice.writes(f"ANALYSE {short.pk}").verdict == Code.TOO_SHORT_TO_ANALYSE
    assert not AnalysisJob.objects.exists()
    for _ in range(5):
        other = Match.objects.get(pk=loa.pk)
        other.pk = None
        other.save()
        for seat in match.seated:
            other.seats.create(side=seat.side, player=seat.player)
        assert alice.writes(f"ANALYSE {other.pk}").verdict == "ok"
    assert alice.writes(f"ANALYSE {loa.pk}").verdict == Code.TOO_MANY_ANALYSES
    assert bruno.writes(f"ANALIZZA {loa.pk}").verdict == "ok"


def test_one_that_dies_is_tried_again_and_one_that_fails_says_so(
    loa: Match, alice: Correspondent, post: Post
) -> None:
    played(loa, post, most=7)
    match = Match.objects.get(pk=loa.pk)
    resign(match.seated[1], now=post.now)
    alice.writes(f"ANALYSE {loa.pk}")

    class Killed(BaseException):
        pass

    def killed(*asked: object) -> None:
        raise Killed

    with pytest.raises(Killed):
        works(post, killed)
    assert works(post) == 0, "its lease has not run out"
    post.now += timedelta(hours=1)
    assert works(post, lambda *asked: Answer("nonsense", 1.5)) == 1
    assert works(post, lambda *asked: Answer("nonsense", 1.5)) == 1
    assert (AnalysisJob.objects.get().status, AnalysisJob.objects.get().seconds) == ("failed", 3.0)
    assert alice.letter.kind == "analysis"
    assert "No robot could analyse" in alice.letter.text
    assert alice.writes(f"ANALYSE {loa.pk}").verdict == "ok"
    assert works(post) == 1
    assert "Bruno was not behind when it ended" in " ".join(alice.letter.text.split())


def test_where_the_robots_have_used_up_the_day_it_comes_tomorrow(
    loa: Match, alice: Correspondent, bruno: Correspondent, post: Post, settings: Settings
) -> None:
    settings.ROBOT_CPU_PER_DAY = SECONDS
    played(loa, post, most=7)
    resign(Match.objects.get(pk=loa.pk).seated[1], now=post.now)
    AnalysisJob.objects.create(
        match=loa, kind="hint", ply=0, status="done", created_at=post.now, due_at=post.now, done_at=post.now,
        seconds=SECONDS,
    )  # fmt: skip
    for person, words in ((alice, "usually by tomorrow"), (bruno, "di solito entro domani")):
        assert person.writes(f"ANALYSE {loa.pk}").verdict == "ok"
        assert words in " ".join(person.letter.text.split())
    assert works(post) == 0
    assert not list(studies.due(now=post.now)), "nor is it looked at again at once"
    post.wait(hours=25)
    assert works(post) == 1
    assert (alice.letter.kind, seconds_used(post.now)) == ("analysis", SECONDS)
