"""The link of a letter shows a board; only a known browser plays there."""

from __future__ import annotations

import re
from base64 import b32decode, b32encode
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from time_machine import travel

from games.clicks import clicks_of, path
from games.kit.drawing import DARK, DEFAULT, properties
from pbem.inbox.time_forfeits import flag_overdue
from pbem.matches.models import ConditionalLine, Match, Turn
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import PlayerBlock
from pbem.players.tokens import Keyring, Purpose, Token, mint, verify
from tests.mail_fixtures import MORNING, Correspondent, Post, registered
from tests.pbem.site.boards import Visitor, known, moving, path_of
from tests.pbem.site.test_browsers import code_in


@pytest.fixture(autouse=True)
def later(post: Post):
    with travel(post.now, tick=False):
        yield


@pytest.fixture
def anna(post: Post) -> Correspondent:
    return registered(post, "Anna", "en")


@pytest.fixture
def berto(post: Post) -> Correspondent:
    return registered(post, "Berto", "it")


def begun(first: Correspondent, second: Correspondent, game: str = "loa", **terms) -> Match:
    match = start(
        first=first.player,
        second=second.player,
        game=game,
        terms=Terms(**terms),
        now=first.post.now,
        rng=Random(7),
    )
    first.post.send()
    return match


def clicked(visitor: Visitor, match: Match, text: str) -> Visitor:
    """Clicks a canonical move on the board."""
    match = Match.objects.get(pk=match.pk)
    for click in clicks_of(match.current(), match.game.move(text), match.game.clicks or path):
        visitor.goes(visitor.links()[click])
    return visitor


def test_a_known_browser_clicks_and_plays(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    visitor = Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0]))
    assert "It is your turn." in visitor.text
    clicked(visitor, match, "b1-b3")
    assert not Turn.objects.exists(), "nothing is played by clicking"
    visitor.does("play", message="Hello!")
    assert "Your move is played." in visitor.text
    turn = Turn.objects.get()
    assert (turn.move, turn.message) == ("b1-b3", "Hello!")
    assert match.events.latest("pk").facts["by"] == "web"
    anna.post.send()
    assert "Hello!" in berto.letter.text
    assert berto.letter.kind == "turn"


def test_a_second_post_of_the_same_move_changes_nothing(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    client, link = known(anna.player, anna.post.now), path_of(match.seated[0])
    form = clicked(Visitor(client).goes(link), match, "b1-b3").form("play")
    assert client.post(link, form).status_code == 303
    again = client.post(link, form)
    assert again.status_code == 409
    assert "The board as it is now" in again.content.decode()
    assert Turn.objects.count() == 1


def test_the_move_of_an_unknown_browser_waits_for_the_code(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto, clock="3d/move")
    visitor = clicked(Visitor(Client()).goes(path_of(match.seated[0])), match, "b1-b3")
    link = visitor.path.partition("?")[0]
    with pytest.raises(AssertionError):
        visitor.form("resign")
    visitor.does("play")
    assert visitor.path == f"{link}code/"
    assert not Turn.objects.exists()
    anna.post.send()
    code = code_in(anna)
    other = Visitor(Client()).goes(f"{link}code/")
    assert other.path == link, "another browser has asked for no code"
    wrong = "B" * 6 if code != "B" * 6 else "C" * 6
    assert visitor.posts(visitor.path, {"code": wrong}).status == 422
    visitor.posts(visitor.path, {"code": code})
    assert "Your move is played." in visitor.text
    assert Turn.objects.get().move == "b1-b3"
    visitor.does("say", message="Now you know me")
    anna.post.send()
    assert "Now you know me" in berto.letter.text


def test_codes_are_capped(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    link = path_of(match.seated[0])
    said = [Client().post(link, {"deed": "sign_in"}).status_code for _ in range(6)]
    assert said == [303] * 5 + [429]


def test_a_strict_player_gives_a_code_every_thirty_days(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    player = anna.player
    player.strict = True
    player.save()
    client = known(player, anna.post.now)
    anna.post.wait(days=31)
    with travel(anna.post.now, tick=False):
        visitor = clicked(Visitor(client).goes(path_of(match.seated[0])), match, "b1-b3").does("play")
        assert visitor.path.endswith("/code/")
        anna.post.send()
        visitor.posts(visitor.path, {"code": code_in(anna)})
    assert Turn.objects.count() == 1


def test_a_line_is_played_and_planned(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    visitor = Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0]))
    for text in ("b1-b3", "a2-c2", "b8-b6"):
        for click in text.split("-"):
            visitor.goes(visitor.links()[click])
    assert "If Berto plays a2-c2, then b8-b6." in visitor.text
    visitor.does("play", planned="1")
    row = ConditionalLine.objects.get()
    assert (row.moves, row.said_at) == (["a2-c2", "b8-b6"], anna.post.now)
    assert "IF a2-c2 THEN b8-b6" in visitor.text
    for click in ("a4", "c4", "g8", ""):
        visitor.goes(visitor.links()[click] if click else max(visitor.links().values()))
    visitor.does("plan")
    answer = ConditionalLine.objects.get(number=2).moves[1]
    assert ConditionalLine.objects.count() == 2
    visitor.does("clear", number="1")
    assert ConditionalLine.objects.waiting().count() == 1
    match = Match.objects.get(pk=match.pk)
    play(match.seated[1], "a4-c4", now=anna.post.now)
    assert [turn.move for turn in match.live_turns()] == ["b1-b3", "a4-c4", answer]


def test_a_written_move_and_one_of_the_list(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto, "zertz")
    play(match.seated[0], "Wd4,a1", now=anna.post.now)
    client = known(berto.player, anna.post.now)
    link = path_of(moving(match))
    match.refresh_from_db()
    move = next(move for move in match.current().moves() if str(move).startswith("W"))
    written = match.game.write(match.current(), move, berto.player.notation)
    assert written.startswith("B"), "bianca"
    visitor = Visitor(client).goes(f"{link}?w={written.lower()}")
    assert "?s=W." in visitor.path
    assert visitor.form("play")
    refused = Visitor(client).goes(f"{link}?w=Bd4,e5")
    assert "role" in refused.content
    assert "Bd4,e5" in refused.text
    loa = begun(anna, berto)
    visitor = Visitor(known(anna.player, anna.post.now)).goes(path_of(loa.seated[0]))
    listed = visitor.page.xpath("//select/option/text()")
    assert len(listed) == loa.current().count()
    assert listed[0] in visitor.goes(f"{visitor.path}?w={listed[0]}").text


def test_a_draw_is_offered_accepted_and_needs_its_word(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    first = Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0]))
    first.goes("?ask=draw").does("draw")
    assert "Your draw offer is on its way." in first.text
    second = Visitor(known(berto.player, anna.post.now)).goes(path_of(match.seated[1]))
    second.does("accept")
    assert Match.objects.get(pk=match.pk).status == Match.Status.PLAYING
    assert "ask=accept" in second.path
    second.does("accept")
    assert Match.objects.get(pk=match.pk).outcome().reason == "agreed"


def test_an_offer_is_declined_or_withdrawn(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    first = Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0]))
    first.goes("?ask=draw").does("draw").does("decline")
    assert match.events.latest("pk").kind == "withdrawn"
    first.goes("?ask=draw").does("draw")
    Visitor(known(berto.player, anna.post.now)).goes(path_of(match.seated[1])).does("decline")
    assert Match.objects.get(pk=match.pk).draw_offered_by is None


def test_resigning_asks_first(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    visitor = Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0]))
    visitor.posts(visitor.path, {"deed": "resign"})
    assert Match.objects.get(pk=match.pk).status == Match.Status.PLAYING
    assert "Resign this match against Berto?" in visitor.text
    visitor.does("resign")
    assert Match.objects.get(pk=match.pk).outcome().reason == "resigned"
    assert visitor.status == 200
    assert "svg" in visitor.content


def test_a_takeback_is_asked_for_and_granted(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    play(match.seated[0], "b1-b3", now=anna.post.now)
    first = Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0]))
    first.does("undo")
    second = Visitor(known(berto.player, anna.post.now)).goes(path_of(match.seated[1]))
    assert "Anna propone di annullare 1. b1-b3." in second.text
    assert "Tocca a(d)" not in second.content
    second.does("accept")
    assert Match.objects.get(pk=match.pk).ply == 0
    assert "Tocca ad Anna" in second.text
    assert second.status == 200


def test_the_sides_are_changed_where_the_pie_rule_holds(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto, pie=True)
    play(match.seated[0], "b1-b3", now=anna.post.now)
    visitor = Visitor(known(berto.player, anna.post.now)).goes(path_of(moving(match))).does("swap")
    assert Match.objects.get(pk=match.pk).players == ("Berto", "Anna")
    assert visitor.status == 200


def test_a_question_is_not_asked_in_the_words_of_another(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    play(match.seated[0], "b1-b3", now=anna.post.now)
    Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0])).does("undo")
    visitor = Visitor(known(berto.player, anna.post.now)).goes(f"{path_of(match.seated[1])}?ask=accept")
    assert "Proponi la patta?" not in visitor.text
    assert visitor.form("accept")


def test_chat_is_counted_as_in_letters(anna: Correspondent, berto: Correspondent, monkeypatch) -> None:
    monkeypatch.setattr("pbem.inbox.handling.talk.take_place", lambda *cap: None)
    match = begun(anna, berto)
    visitor = Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0]))
    assert visitor.does("say", message="hello").status == 409


ALL = {"swap", "sign_in", "play", "plan", "clear", "draw", "accept", "decline", "resign", "undo", "say"}


def posted(client: Client, link: str) -> set[int]:
    """Every deed that there is, with a fitting move."""
    more = {"move": "b1-b3", "agreed": "RESIGN", "message": "x", "number": "1"}
    return {client.post(link, {"deed": deed, **more}).status_code for deed in sorted(ALL)}


def facts() -> list[object]:
    """What a deed would change."""
    rows = Match.objects.values_list("ply", "status", "draw_offered_by", "seats__salt")
    return [sorted(map(str, rows)), Turn.objects.count(), OutboundMail.objects.count()]


def test_words_that_would_not_arrive_are_not_lost_in_silence(
    anna: Correspondent, berto: Correspondent
) -> None:
    match = begun(anna, berto)
    PlayerBlock.objects.create(player=berto.player, refused=anna.player, blocked=True, since=anna.post.now)
    visitor = Visitor(known(anna.player, anna.post.now)).goes(path_of(match.seated[0])).goes("?s=b1.b3")
    visitor.does("play", message="Hello!")
    assert visitor.status == 409
    assert not match.turns.exists()
    visitor.goes(path_of(match.seated[0])).goes("?s=b1.b3").does("play")
    assert match.turns.get().move == "b1-b3"


def test_a_browser_of_somebody_else_does_nothing(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    before, link = facts(), path_of(match.seated[0])
    client = known(berto.player, anna.post.now)
    assert posted(client, link) == {409}
    page = Visitor(client).goes(link)
    assert page.page.xpath("//svg")
    assert not page.page.xpath("//form | //svg//a")
    assert facts() == before


def test_stale_revoked_and_older_links_do_nothing(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    stale, other = path_of(match.seated[0]), path_of(match.seated[1], 0)
    play(match.seated[0], "b1-b3", now=anna.post.now)
    revoked = path_of(match.seated[0])
    match.seated[0].revoke_tokens()
    client = known(anna.player, anna.post.now)
    before = facts()
    for link in (stale, other, revoked):
        assert posted(client, link) == {409}
        page = Visitor(client).goes(link)
        assert page.status == 200
        assert not page.page.xpath("//form | //svg//a")
    assert "b1-b3" not in Visitor(Client()).goes(revoked).text
    assert facts() == before


def test_no_other_token_is_a_link_to_a_board(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    link = path_of(match.seated[0])
    reply = anna.letter.reply_to.partition("+")[2].partition("@")[0]
    sealed = link.split("/")[2]
    for token in (reply, sealed[:-1] + "a" if sealed[-1] != "a" else sealed[:-1] + "b", "x", "ceaa"):
        answer = Client().get(f"/b/{token}/")
        assert answer.status_code == 404
    assert Client().post(f"/b/{reply}/", {"deed": "resign"}).status_code == 404
    assert anna.writes("b1-b3", to=f"board+{sealed}@pbem.localhost").verdict != ""


@given(st.data())
def test_a_flipped_bit_is_nobodys(data) -> None:
    ring, salt = Keyring({1: bytes(32)}), bytes(16)
    raw = bytearray(b32decode(mint(ring, Token(Purpose.BOARD, 5, 3), salt).upper()))
    bit = data.draw(st.integers(0, len(raw) * 8 - 1))
    raw[bit // 8] ^= 1 << bit % 8
    assert not verify(ring, Purpose.BOARD, b32encode(bytes(raw)).decode(), salt)


def test_looking_writes_nothing(
    anna: Correspondent, berto: Correspondent, django_assert_max_num_queries
) -> None:
    match = begun(anna, berto)
    link = path_of(match.seated[0])
    for client in (Client(), known(anna.player, anna.post.now)):
        for where in ("", "?s=b1", "?s=b1.b3", "?s=nonsense", "?w=b1-b3", "?ask=resign", "?turn=1", "code/"):
            for method in (client.get, client.head):
                with django_assert_max_num_queries(16) as queries:
                    method(link + where)
                assert all(query["sql"].startswith("SELECT") for query in queries), where


def test_what_the_pages_say_to_browsers(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    client = Client(enforce_csrf_checks=True)
    answer = client.get(path_of(match.seated[0]))
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Referrer-Policy"] == "strict-origin", "never with a path, which is the secret"
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src" not in policy
    assert "default-src 'none'" in policy
    assert "form-action 'self'" in policy
    assert set(answer.cookies) <= {"csrftoken"}
    for deed in sorted(ALL):
        assert client.post(path_of(match.seated[0]), {"deed": deed}).status_code == 403
    for form in Visitor(Client()).goes(path_of(match.seated[0])).page.xpath("//form[@method='post']"):
        assert form.xpath(".//input[@name='csrfmiddlewaretoken']")
    for where in ("/", "/en/", "/it/games/", "/en/privacy/", "/robots.txt"):
        assert not Client().get(where).cookies


def test_an_ended_or_suspended_one_sees_its_board(anna: Correspondent, berto: Correspondent) -> None:
    match = begun(anna, berto)
    link = path_of(match.seated[0])
    player = anna.player
    player.suspended_at = MORNING
    player.save()
    before = facts()
    assert posted(Client(), link) == {409}
    assert facts() == before
    assert Visitor(Client()).goes(link).page.xpath("//svg")


def link_in(reader: Correspondent) -> str:
    found = re.search(
        r"^(?:On a board|Sul tavoliere): http://\S+?(/b/\S+/)\r?$", reader.letter.text, re.MULTILINE
    )
    return found[1] if found else ""


def test_the_letter_of_a_turn_has_a_link(anna: Correspondent, berto: Correspondent, settings) -> None:
    match = begun(anna, berto)
    link = link_in(anna)
    assert link == path_of(match.seated[0])
    assert f'{link}"' in anna.letter.html
    assert not link_in(berto), "it is not the turn of Berto"
    berto.writes("IMPOSTA LINKTAVOLIERE no")
    play(match.seated[0], "b1-b3", now=anna.post.now)
    anna.post.send()
    assert berto.letter.kind == "turn"
    assert not link_in(berto)
    berto.writes("IMPOSTA LINKTAVOLIERE sì")
    settings.DEVELOPMENT = False
    berto.writes("MOSTRA")
    assert not link_in(berto), "this machine is nowhere else"
    settings.SITE_URL = "https://play.example.org"
    berto.writes("MOSTRA")
    assert "https://play.example.org/b/" in berto.letter.text
    berto.writes("IMPOSTA ROBOT sì")
    berto.answers(berto.letter, "SÌ PROGRAMMA")
    berto.writes("MOSTRA")
    assert "/b/" not in berto.letter.text


def test_a_digest_has_a_link_for_each_of_ten_matches(anna: Correspondent, berto: Correspondent) -> None:
    anna.writes("SET CADENCE daily 8")
    for many in (10, 11):
        while Match.objects.count() < many:
            begun(anna, berto)
        for match in Match.objects.filter(ply=0):
            for text in ("b1-b3", "a2-c2"):
                play(moving(match), text, now=anna.post.now)
        anna.post.wait(days=1)
        anna.post.digest()
        sections = anna.letter.text.count("/b/")
        assert sections in ((10, 1) if many == 10 else (0, 1)), "each turn is told once"


def test_the_pictures_of_boards_have_their_colours() -> None:
    style = Path(str(finders.find("site/board.css"))).read_text("utf-8")
    assert f".clicks svg {{ {properties(DEFAULT)} }}" in style
    assert f"(prefers-color-scheme: dark) {{ .clicks svg {{ {properties(DARK)} }} }}" in style


def test_no_time_runs_out_on_a_move_that_waits_for_its_code(
    anna: Correspondent, berto: Correspondent
) -> None:
    match, post = begun(anna, berto, clock="3d/move"), anna.post
    match.refresh_from_db()
    post.now = match.deadline - timedelta(minutes=1)
    with travel(post.now, tick=False):
        visitor = clicked(Visitor(Client()).goes(path_of(match.seated[0])), match, "b1-b3").does("play")
        post.send()
    post.wait(minutes=8)
    post.live()
    assert flag_overdue(now=post.now) == 0
    with travel(post.now, tick=False):
        assert "Your move is played." in visitor.posts(visitor.path, {"code": code_in(anna)}).text
    assert Match.objects.get(pk=match.pk).ply == 1


def test_time_runs_out_when_no_code_comes(anna: Correspondent, berto: Correspondent) -> None:
    match, post = begun(anna, berto, clock="3d/move"), anna.post
    match.refresh_from_db()
    with travel(match.deadline - timedelta(minutes=1), tick=False):
        Client().post(path_of(match.seated[0]), {"deed": "play", "move": "b1-b3"})
    for minutes, over in ((5, 0), (30, 1)):
        post.now = match.deadline + timedelta(minutes=minutes)
        post.live()
        assert flag_overdue(now=post.now) == over
