"""A player's own pages, in a browser that has shown a code: matches, every setting, browsers, data."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest
from django.test import Client

from pbem.admin.people.services import suspend
from pbem.inbox.commands.topics import TOPICS
from pbem.matches.models import Match
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.site import browsers
from pbem.site.models import Browser, SignIn
from tests.mail_fixtures import Post, registered
from tests.pbem.site.conftest import LATER, match

PAGES = ("/me/", "/me/settings/", "/me/browsers/")


def code_of(written: Player) -> str:
    letter = OutboundMail.objects.filter(player=written).latest("pk")
    return next(section["letters"] for section in letter.sections if section["kind"] == "sign_in")


def visitor(csrf: bool = False) -> Client:
    return Client(headers={"accept-language": "en"}, enforce_csrf_checks=csrf)


def signed_in(who: Player) -> Client:
    client = visitor()
    assert client.post("/s/", {"email": who.email}).status_code == 303
    answer = client.post("/s/code/", {"code": code_of(who).lower()})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/me/")
    return client


def settings_of(client: Client) -> dict[str, str]:
    """The form as it is sent when nothing is touched."""
    html = client.get("/me/settings/").content.decode()
    said = dict(re.findall(r'<input type="text" name="(\w+)"[^>]* value="([^"]*)"', html))
    for name, options in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', html, re.DOTALL):
        said[name] = re.findall(r"<option selected>([^<]*)", options)[0]
    return said


def says(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


# Signing in


def test_the_answer_to_every_address_is_the_same(alice) -> None:
    said = []
    for address in (alice.email, "nobody@example.org", "no address"):
        client = visitor()
        answer = client.post("/s/", {"email": address})
        form = re.sub(r'value="\w{64}"', "", client.get("/s/code/").content.decode())
        wrong = re.sub(r'value="\w{64}"', "", client.post("/s/code/", {"code": "AAAAAA"}).content.decode())
        said.append((answer.status_code, answer.headers["Location"], sorted(answer.cookies), form, wrong))
    assert said[0] == said[1] == said[2]
    assert said[0][:2] == (303, "/s/code/")
    assert OutboundMail.objects.filter(player=None).count() == 0


def test_a_code_is_for_the_browser_that_asked_for_it(alice) -> None:
    first = visitor()
    first.post("/s/", {"email": alice.email})
    other = visitor()
    assert other.get("/s/code/").headers["Location"] == "/s/"
    assert other.post("/s/code/", {"code": code_of(alice)}).status_code == 403
    assert first.get("/me/").headers["Location"] == "/s/"
    assert first.post("/s/code/", {"code": code_of(alice)}).headers["Location"] == "/me/"
    assert first.get("/me/").status_code == 200


def test_wrong_codes_are_counted_and_codes_are_few(alice) -> None:
    client = visitor()
    client.post("/s/", {"email": alice.email})
    right = code_of(alice)
    for _ in range(browsers.MOST_TRIES):
        assert client.post("/s/code/", {"code": "BBBBBB"}).status_code == 403
    assert client.post("/s/code/", {"code": right}).status_code == 403
    statuses = [client.post("/s/", {"email": alice.email}).status_code for _ in range(6)]
    assert statuses == [303] * 4 + [429] * 2
    assert client.post("/s/", {"email": " "}).status_code == 400


def test_a_code_that_waited_for_a_board_leads_back_there(alice) -> None:
    client = visitor()
    client.post("/s/", {"email": alice.email})
    SignIn.objects.update(waiting={"board": "abc"})
    answer = client.post("/s/code/", {"code": code_of(alice)})
    assert answer.headers["Location"] == "/b/abc/"


def test_a_suspended_player_is_known_nowhere(alice) -> None:
    client = signed_in(alice)
    suspend(alice, now=LATER)
    for path in PAGES:
        assert client.get(path).headers["Location"] == "/s/"
    letters = OutboundMail.objects.count()
    assert visitor().post("/s/", {"email": alice.email}).status_code == 303
    assert OutboundMail.objects.count() == letters


# What all pages have


def test_pages_are_for_one_reader_and_write_nothing(alice, bruno) -> None:
    match(alice, bruno, over=False)
    client = signed_in(alice)
    before = [(kind, list(kind.objects.order_by("pk").values())) for kind in (Browser, SignIn, Player, Match)]
    for path in (*PAGES, "/s/", f"/me/{Match.objects.get().pk}.svg"):
        for answer in (client.get(path), client.head(path)):
            assert answer.status_code == 200
            assert "no-store" in answer.headers["Cache-Control"]
            assert browsers.COOKIE not in answer.cookies
            assert "script-src" not in answer.headers["Content-Security-Policy"]
            if not path.endswith(".svg"):
                assert answer.headers["X-Robots-Tag"] == "noindex"
                assert answer.headers["Referrer-Policy"] == "strict-origin"
                assert "'unsafe" not in answer.headers["Content-Security-Policy"]
    after = [(kind, list(kind.objects.order_by("pk").values())) for kind in (Browser, SignIn, Player, Match)]
    assert before == after


def test_every_form_needs_its_token(alice) -> None:
    cookies = signed_in(alice).cookies
    client = visitor(csrf=True)
    client.cookies = cookies
    for path in ("/s/", "/s/code/", "/me/settings/", "/me/browsers/"):
        assert client.post(path, {"deed": "all", "theme": "dark"}).status_code == 403
    assert Browser.objects.count() == 1
    assert Player.objects.get(pk=alice.pk).theme == "default"


def test_public_pages_and_robots_know_no_browser(alice) -> None:
    client = signed_in(alice)
    answer = client.get("/en/")
    assert not answer.cookies
    assert "Vary" not in answer.headers
    said = client.get("/robots.txt").content.decode()
    assert all(f"Disallow: /{folder}/" in said for folder in ("b", "s", "me", "api"))


def test_a_strict_players_browser_shows_a_code_every_thirty_days(alice) -> None:
    client = signed_in(alice)
    Player.objects.filter(pk=alice.pk).update(strict=True)
    Browser.objects.update(code_at=LATER - timedelta(days=31))
    assert client.get("/me/settings/").status_code == 200
    answer = client.post("/me/settings/", {"theme": "dark"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/s/?again")
    assert Player.objects.get(pk=alice.pk).theme == "default"
    client.post("/s/", {"email": alice.email})
    client.post("/s/code/", {"code": code_of(alice)})
    assert client.post("/me/settings/", {"theme": "dark"}).headers["Location"] == "/me/settings/?saved"
    assert Player.objects.get(pk=alice.pk).theme == "dark"


# Matches


def test_matches_that_wait_for_the_player_come_first_with_their_deadline(alice, bruno, carla) -> None:
    theirs, own = (
        start(first=first, second=second, game="loa", terms=terms, now=LATER, rng=Random(1))
        for first, second, terms in (
            (bruno, alice, Terms(clock="10d")),
            (alice, carla, Terms(clock="10d", private=True)),
        )
    )
    foreign = match(bruno, carla, over=False)
    match(alice, bruno)
    html = says(signed_in(alice), "/me/")
    assert re.findall(r'src="/me/(\d+)\.svg"', html) == [str(own.pk), str(theirs.pk)]
    assert html.index("Your turn") < html.index("Bruno's turn")
    [moment] = re.findall(r"Your turn</strong><br><time datetime=\"([^\"]*)\">[^<]*\(in [^<]*\)</time>", html)
    assert moment.startswith(f"{Match.objects.get(pk=own.pk).deadline:%Y-%m-%d}")
    assert re.findall(r'class="card"', html)
    assert len(re.findall(r'href="[^"]*/b/\w+/"', html)) == 2
    client = signed_in(alice)
    assert client.get(f"/me/{own.pk}.svg").headers["Content-Type"] == "image/svg+xml"
    for number in (foreign.pk, 10**30):
        assert client.get(f"/me/{number}.svg").status_code == 404


def test_challenges_are_told_and_the_page_speaks_the_players_language(alice, bruno) -> None:
    bruno.language = "it"
    bruno.save()
    assert "You have no match now" in says(signed_in(alice), "/me/")
    match(bruno, alice, over=False)
    Match.objects.update(status=Match.Status.PROPOSED, proposer=alice, deadline=None)
    assert "Your challenge, not answered yet" in says(signed_in(alice), "/me/")
    answer = signed_in(bruno).get("/me/")
    assert answer.headers["Content-Language"] == "it"
    assert '<html lang="it">' in answer.content.decode()
    assert "/b/" not in answer.content.decode()


# Settings


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.key)
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_topic_is_set_by_its_words(alice, topic, language: str) -> None:
    alice.language = language
    alice.save()
    client = signed_in(alice)
    form = settings_of(client)
    assert set(form) == {each.key for each in TOPICS}
    assert client.post("/me/settings/", form).headers["Location"] == "/me/settings/?saved"
    assert columns(alice) == {column: getattr(alice, column) for column in columns(alice)}
    usual = topic.value.usage(language).split(" | ")
    other = next(each for each in usual if topic.value.read(each.split()) and each != form[topic.key])
    answer = client.post("/me/settings/", form | {topic.key: other})
    if topic.key == "robot":
        assert answer.headers["Location"] == "/me/settings/?asked"
        assert not Player.objects.get(pk=alice.pk).program
        return
    assert answer.headers["Location"] == "/me/settings/?saved"
    changed = Player.objects.get(pk=alice.pk)
    for column, value in topic.value.read(other.split()).items():
        assert getattr(changed, column) == value
    assert settings_of(client)[topic.key] == topic.value.write(
        {column: getattr(changed, column) for column in topic.columns}, changed.language
    )


def columns(who: Player) -> dict[str, object]:
    found = Player.objects.get(pk=who.pk)
    return {column: getattr(found, column) for topic in TOPICS for column in topic.columns}


def test_what_is_no_value_is_refused_beside_its_field_and_the_rest_is_saved(alice) -> None:
    client = signed_in(alice)
    answer = client.post("/me/settings/", {"zone": "Nowhere", "night": "7-23", "theme": "dark"})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="zone-wrong"' in html
    assert 'id="night-wrong"' in html
    assert 'value="Nowhere"' in html
    assert 'id="theme-wrong"' not in html
    assert Player.objects.get(pk=alice.pk).theme == "dark"
    assert client.post("/me/settings/", {"night": "22-7"}).status_code == 303
    again = client.post("/me/settings/", {"night": "21-6"})
    assert again.status_code == 303, "second thoughts of the same day"
    Player.objects.update(calendar_since=LATER - timedelta(days=3))
    assert client.post("/me/settings/", {"night": "20-5"}).status_code == 422


def test_hours_move_the_deadline_as_those_of_a_letter_do(alice, bruno) -> None:
    mine = start(first=alice, second=bruno, game="loa", terms=Terms(clock="10d"), now=LATER, rng=Random(1))
    before = Match.objects.get(pk=mine.pk).deadline
    client = signed_in(alice)
    assert client.post("/me/settings/", {"night": "22-7"}).status_code == 303
    after = Match.objects.get(pk=mine.pk).deadline
    assert before
    assert after
    assert after > before


# Browsers and data


def test_browsers_are_listed_and_ended(alice, bruno) -> None:
    here, there, foreign = signed_in(alice), signed_in(alice), signed_in(bruno)
    rows = list(Browser.objects.order_by("pk"))
    html = says(here, "/me/browsers/")
    assert html.count('class="offers"') == 1
    assert html.count("this one") == 1
    assert here.post("/me/browsers/", {"deed": f"end-{rows[2].pk}"}).status_code == 404
    for wrong in ("", "x", "end", "end-x", "end-" + "9" * 30):
        assert here.post("/me/browsers/", {"deed": wrong}).status_code == 404
    assert (
        here.post("/me/browsers/", {"deed": f"end-{rows[1].pk}"}).headers["Location"] == "/me/browsers/?ended"
    )
    assert there.get("/me/").headers["Location"] == "/s/"
    answer = here.post("/me/browsers/", {"deed": f"end-{rows[0].pk}"})
    assert answer.headers["Location"] == "/s/"
    assert answer.cookies[browsers.COOKIE].value == ""
    assert here.get("/me/").headers["Location"] == "/s/"
    assert foreign.get("/me/").status_code == 200


def test_all_browsers_are_ended_at_once(alice) -> None:
    here, there = signed_in(alice), signed_in(alice)
    assert here.post("/me/browsers/", {"deed": "all"}).headers["Location"] == "/s/"
    for client in (here, there):
        assert client.get("/me/settings/").headers["Location"] == "/s/"
    assert there.post("/me/settings/", {"theme": "dark"}).headers["Location"] == "/s/"
    assert Player.objects.get(pk=alice.pk).theme == "default"


def test_a_post_keeps_the_browser_for_half_a_year(alice) -> None:
    client = signed_in(alice)
    Browser.objects.update(used_at=LATER - timedelta(days=170))
    answer = client.post("/me/settings/", {"theme": "dark"})
    assert answer.cookies[browsers.COOKIE]["max-age"] == 180 * 24 * 3600
    assert Browser.objects.get().used_at == LATER


def test_data_goes_to_the_mailbox_once_a_day(alice) -> None:
    client = signed_in(alice)
    assert client.post("/me/browsers/", {"deed": "data"}).headers["Location"] == "/me/browsers/?sent"
    letter = OutboundMail.objects.filter(player=alice).latest("pk")
    assert [section["kind"] for section in letter.sections] == ["my_data"]
    assert client.post("/me/browsers/", {"deed": "data"}).status_code == 429


# What a letter asks about


def test_a_program_is_let_in_by_a_yes_by_letter(post: Post) -> None:
    post.now = LATER
    walter = registered(post, "Walter", "it")
    client = signed_in(walter.player)
    assert client.post("/me/settings/", {"robot": "sì"}).headers["Location"] == "/me/settings/?asked"
    post.send()
    letter = walter.letter
    assert letter.kind == "browser_asks"
    assert "IMPOSTA ROBOT sì" in letter.text
    assert "SÌ ROBOT" in letter.text
    walter.answers(letter, "SÌ")
    assert not walter.player.program
    walter.answers(letter, "SÌ ROBOT", dmarc="fail")
    assert not walter.player.program
    assert walter.answers(letter, "SÌ ROBOT").verdict == "ok"
    assert walter.player.program


def test_a_no_leaves_all_as_it_is(post: Post) -> None:
    post.now = LATER
    walter = registered(post, "Walter", "en")
    client = signed_in(walter.player)
    client.post("/me/settings/", {"robot": "on"})
    post.send()
    assert walter.answers(walter.letter, "NO").verdict == "ok"
    assert not walter.player.program


def test_a_token_comes_after_a_yes_by_letter_and_is_ended_on_the_page(post: Post) -> None:
    post.now = LATER
    walter = registered(post, "Walter", "it")
    client = signed_in(walter.player)
    assert client.post("/me/browsers/", {"deed": "token"}).headers["Location"] == "/me/browsers/?asked"
    post.send()
    assert "CHIAVE gioca 90 giorni" in walter.letter.text
    walter.answers(walter.letter, "SÌ")
    assert not walter.player.api_tokens.exists()
    post.send()
    question = next(letter for letter in walter.letters if letter.kind == "browser_asks")
    assert walter.answers(question, "SÌ CHIAVE").verdict == "ok"
    token = walter.player.api_tokens.get()
    assert f'value="stop-{token.pk}"' in says(client, "/me/browsers/")
    other = registered(post, "Vera", "en")
    assert signed_in(other.player).post("/me/browsers/", {"deed": f"stop-{token.pk}"}).status_code == 404
    answer = client.post("/me/browsers/", {"deed": f"stop-{token.pk}"})
    assert answer.headers["Location"] == "/me/browsers/?stopped"
    assert not walter.player.api_tokens.exists()
