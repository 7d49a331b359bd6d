"""Receipts: for a newcomer's first three moves, then for who asks, and always as an alarm: bytes in, bytes out."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from pbem.matches.models import Match
from pbem.players.models import Address, Player
from pbem.players.services import choose
from pbem.players.subscriptions import Subscription
from tests.mail_fixtures import Correspondent, Delivery, Post, unwrapped

LAST = {
    "Alice": "That was the last receipt: from now on we write only if a move cannot be played.",
    "Bruno": "Questa era l'ultima ricevuta: d'ora in poi ti scriviamo solo se una mossa non si può giocare.",
}
UNVOUCHED = {
    "Alice": "Your mail provider did not confirm that this email is yours.",
    "Bruno": "Il tuo gestore di posta non ha confermato che questa email è tua.",
}
ELSEWHERE = {
    "Alice": "This email and the last came from different addresses of yours.",
    "Bruno": "Questa email è arrivata da un altro tuo indirizzo rispetto all'ultima.",
}


class Table:
    """A match with its turn letters, which are answered even where the newest letter is another one."""

    def __init__(self, match: Match, alice: Correspondent, bruno: Correspondent) -> None:
        self.match, self.sides, self.plies = match, (alice, bruno), count(match.ply)
        self.turns = {"Alice": alice.letter, "Bruno": bruno.letter}

    def plays(self, dmarc: str = "pass", email: str = "") -> list[Delivery]:
        """The next move; what its author gets for it."""
        ply = next(self.plies)
        author, other = self.sides[ply % 2], self.sides[1 - ply % 2]
        author.reads(), other.reads()
        headers = {"From": f"{author.name} <{email or author.email}>"}
        move = str(Match.objects.get(pk=self.match.pk).current().sample(Random(ply)))
        assert author.answers(self.turns[author.name], move, dmarc=dmarc, headers=headers).verdict == "ok"
        [self.turns[other.name]] = other.reads()
        return author.reads()


@pytest.fixture
def table(loa: Match, alice: Correspondent, bruno: Correspondent) -> Table:
    return Table(loa, alice, bruno)


def has_picture(letter: Delivery) -> bool:
    return any(part.get_content_type() == "image/png" for part in letter.message.walk())


def test_a_newcomer_gets_three_and_the_third_says_that_they_stop(table: Table) -> None:
    for number in (1, 2, 3):
        for who in table.sides:
            [receipt] = table.plays()
            assert receipt.kind == "played"
            assert has_picture(receipt)
            assert (LAST[who.name] in unwrapped(receipt.text)) == (number == 3)
    for _ in (4, 5):
        for _who in table.sides:
            assert table.plays() == []
    alice, bruno = table.sides
    assert alice.writes("SET RECEIPTS on").verdict == bruno.writes("IMPOSTA RICEVUTE sì").verdict == "ok"
    for who in table.sides:
        [receipt] = table.plays()
        assert receipt.kind == "played"
        assert not has_picture(receipt)
        assert LAST[who.name] not in unwrapped(receipt.text)


def test_the_first_three_are_those_of_all_matches(post: Post, table: Table) -> None:
    alice, bruno = table.sides
    table.plays()
    alice.writes("CHALLENGE Bruno loa first")
    bruno.answers(bruno.letter, "SÌ")
    other = Table(Match.objects.latest("pk"), alice, bruno)
    for last in (False, True):
        [receipt] = other.plays()
        assert (LAST["Alice"] in unwrapped(receipt.text)) == last
        other.plays()
    assert other.plays() == []


def test_who_wants_none_still_gets_one_that_no_provider_vouches_for(table: Table) -> None:
    Player.objects.update(receipts=False)
    for who in table.sides:
        assert table.plays() == [], who.name
    for who in table.sides:
        [receipt] = table.plays(dmarc="none")
        assert UNVOUCHED[who.name] in unwrapped(receipt.text)
        assert not has_picture(receipt)
    for _who in table.sides:
        assert table.plays() == []


def test_it_does_not_wait_for_a_digest(table: Table) -> None:
    Player.objects.update(receipts=True, cadence="daily")
    alice = table.sides[0]
    alice.answers(table.turns["Alice"], "b1-b3", dmarc="none")
    assert alice.kinds()[-1:] == ["played"]


def test_who_wants_none_still_gets_one_after_an_email_from_another_address(table: Table, post: Post) -> None:
    Player.objects.update(receipts=False)
    for who in table.sides:
        email = f"{who.name.lower()}@work.example"
        Address.objects.create(player=who.player, email=email, verified_at=post.now)
    for _who in table.sides:
        assert table.plays() == []
    for who in table.sides:
        [receipt] = table.plays(email=f"{who.name.lower()}@work.example")
        assert ELSEWHERE[who.name] in unwrapped(receipt.text)
    for who in table.sides:  # from there again
        assert table.plays(email=f"{who.name.lower()}@work.example") == []
    alice = table.sides[0]
    move = Match.objects.get(pk=table.match.pk).current().sample(Random(0))
    assert alice.writes(f"{table.match.pk}: {move}").verdict == "ok"  # to play@, from the first address
    assert ELSEWHERE["Alice"] in unwrapped(alice.letter.text)


def test_who_wants_none_still_hears_that_a_planned_move_was_played(table: Table) -> None:
    Player.objects.update(receipts=False)
    alice, bruno = table.sides
    alice.answers(table.turns["Alice"], "b1-b3\nIF a2-c2 THEN b3-b1")
    alice.reads(), bruno.reads()
    bruno.answers(bruno.letter, "a2-c2")
    assert (alice.kinds(), bruno.kinds()) == (["cascade"], ["cascade"])


def test_those_of_a_newcomer_are_no_wish_until_they_ask(alice: Correspondent) -> None:
    choose(alice.player, set(Subscription) - {Subscription.NEWS})
    assert (alice.player.news, alice.player.receipts) == (False, None)
    choose(alice.player, [Subscription.NEWS])
    assert (alice.player.news, alice.player.receipts) == (True, False)
    assert alice.writes("START RECEIPTS").verdict == "ok"
    assert alice.player.receipts is True
