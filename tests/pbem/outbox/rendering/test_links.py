"""A link for each legal move: touched, it writes a letter that plays the move."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.inbox.models import OK
from pbem.matches.models import Match
from pbem.outbox.rendering.links import MOST_LINKS, mailto
from tests.mail_fixtures import Correspondent, Delivery
from tests.players_fixtures import Begin

CLIPPED = 102_000  # bytes of HTML, by Gmail


def links(letter: Delivery) -> list[str]:
    found = re.findall(r'href="(mailto:m[^"]*)"', letter.html)
    return [unescape(url) for url in found]


@pytest.mark.parametrize("game", ["loa", "insert"])
def test_each_legal_move_has_a_link_that_plays_it(begin: Begin, alice: Correspondent, game: str) -> None:
    match = begin(game)
    legal = {
        match.game.write(match.current(), move, alice.player.notation) for move in match.current().moves()
    }
    letter = alice.letter
    written = {}
    for url in links(letter):
        to, asked = urlsplit(url).path, parse_qs(urlsplit(url).query)
        assert unquote(to) == letter.reply_to
        assert asked["subject"] == [f"Re: {letter.subject}"]
        [body] = asked["body"]
        written[body] = unquote(to)
    assert set(written) == legal
    assert len(letter.html.encode()) < CLIPPED / 2
    row = alice.writes(max(written), to=letter.reply_to, subject=f"Re: {letter.subject}")
    assert row.verdict == OK
    match = Match.objects.get(pk=match.pk)
    assert match.game.write(
        match.start_position(), match.game.move(match.record().moves[0]), alice.player.notation
    )
    assert match.ply == 1


def test_where_there_are_many_moves_there_is_no_list(zertz: Match, alice: Correspondent) -> None:
    assert zertz.current().count() > MOST_LINKS
    assert links(alice.letter) == []
    assert "legal moves" not in alice.letter.text


def test_the_text_lists_them_in_72_columns(loa: Match, alice: Correspondent) -> None:
    lines = alice.letter.text.splitlines()
    start = next(at for at, line in enumerate(lines) if "one of the 36 legal moves" in line) + 1
    lines = [line for line in lines[start : lines.index("", start)] if line.startswith("    ")]
    assert sum(len(line.split()) for line in lines) == 20, "of a first match; all are buttons"
    assert max(map(len, lines)) <= 72


def test_whoever_is_not_to_move_has_none(loa: Match, bruno: Correspondent) -> None:
    assert links(bruno.letter) == []


@pytest.mark.parametrize(("word", "status"), [("SI", Match.Status.PLAYING), ("NO", Match.Status.DECLINED)])
def test_a_challenge_has_a_link_for_each_answer(
    alice: Correspondent, bruno: Correspondent, word: str, status: str
) -> None:
    alice.writes("CHALLENGE Bruno loa")
    written = {parse_qs(urlsplit(url).query)["body"][0]: urlsplit(url).path for url in links(bruno.letter)}
    assert set(written) == {"SI", "NO"}, "no accent, which a mail program may spoil"
    bruno.writes(word, to=unquote(written[word]), subject=f"Re: {bruno.letter.subject}")
    assert Match.objects.get().status == status


def test_nothing_in_a_link_is_taken_for_its_punctuation() -> None:
    url = mailto("m+abc@pbem.test", "Re: [3] Zèrtz & co: A - B", "Nd2,a3 = x+y?#")
    assert url.isascii()
    assert urlsplit(url).path == "m%2Babc@pbem.test"
    assert parse_qs(urlsplit(url).query) == {
        "subject": ["Re: [3] Zèrtz & co: A - B"],
        "body": ["Nd2,a3 = x+y?#"],
    }
