"""Every game is played at its board by links and forms alone; the record is that of the same moves by mail."""

from __future__ import annotations

from random import Random

import pytest
from time_machine import travel

from games.registry import names
from pbem.matches.models import Match, Seat
from pbem.matches.services import start
from tests.mail_fixtures import Correspondent, Post, registered
from tests.pbem.site.boards import Visitor, known, moving, path_of

LONGEST = 60  # half-moves
OF_A_VARIANT = 16
QUICK = {"zertz": 8, "trapdoor": 6}


@pytest.fixture(autouse=True)
def later(post: Post):
    with travel(post.now, tick=False):
        yield


def clicked(visitor: Visitor, rng: Random) -> None:
    """Chooses a move at random, click by click."""
    while links := visitor.links():
        if visitor.page.xpath("//form//input[@name='deed' and @value='play']"):
            break
        visitor.goes(links[rng.choice(sorted(links))])


def played(game: str, longest: int, post: Post) -> None:
    people = [registered(post, "Anna", "en"), registered(post, "Berto", "it")]
    rng = Random(game)
    match = start(first=people[0].player, second=people[1].player, game=game, now=post.now, rng=rng)
    clients = {each.player.pk: known(each.player, post.now) for each in people}
    while (
        (fresh := Match.objects.get(pk=match.pk)).moving and fresh.status == "playing" and fresh.ply < longest
    ):
        seat = moving(match)
        visitor = Visitor(clients[seat.player_id]).goes(path_of(seat))
        clicked(visitor, rng)
        visitor.does("play")
        post.send()
        assert visitor.status == 200, visitor.text
        assert Match.objects.get(pk=match.pk).ply > fresh.ply
    record = Match.objects.get(pk=match.pk).record()
    by_mail = start(
        first=people[0].player, second=people[1].player, game=game, setup=match.setup, now=post.now, rng=rng
    )
    post.send()
    for turn in Match.objects.get(pk=match.pk).live_turns():
        now_there = Match.objects.get(pk=by_mail.pk)
        if turn.ply == now_there.ply:  # forced passes come by themselves
            mails(people, moving(by_mail), turn.move)
    other = Match.objects.get(pk=by_mail.pk).record()
    assert (other.moves, other.result) == (record.moves, record.result)


def mails(people: list[Correspondent], seat: Seat, move: str) -> None:
    match = seat.match
    writer = next(each for each in people if each.player.pk == seat.player_id)
    written = match.game.write(match.current(), match.game.move(move), writer.player.notation)
    letter = next(each for each in reversed(writer.letters) if f"[{match.pk}]" in each.subject)
    assert writer.answers(letter, written).verdict == "ok", written


@pytest.mark.parametrize("game", sorted(QUICK))
def test_the_first_moves(game: str, post: Post) -> None:
    played(game, QUICK[game], post)


@pytest.mark.prove
@pytest.mark.parametrize("game", names())
def test_every_game_to_its_end(game: str, post: Post) -> None:
    played(game, OF_A_VARIANT if ":" in game else LONGEST, post)
