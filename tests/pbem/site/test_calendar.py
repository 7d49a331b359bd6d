"""A player's deadlines at a secret address: what calendar programs read there, and what ends it."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from icalendar import Calendar, Component

from pbem.admin.people.erasure import erase
from pbem.admin.people.services import suspend
from pbem.matches.models import Match, Seat
from pbem.matches.services import play, resign, start
from pbem.matches.terms import Terms
from pbem.outbox.signed_addresses import board_url, calendar_url
from pbem.players.models import Player, new_salt
from tests.mail_fixtures import Post, registered
from tests.pbem.site.conftest import LATER
from tests.pbem.site.test_account import says, signed_in

HERE = "/me/browsers/"


def begun(first: Player, second: Player, clock: str = "10d") -> Match:
    return start(first=first, second=second, game="loa", terms=Terms(clock=clock), now=LATER, rng=Random(1))


def address_of(player: Player) -> str:
    """The path of the calendar that the player has asked for."""
    client = signed_in(player)
    assert client.post(HERE, {"deed": "calendar"}).headers["Location"] == f"{HERE}?calendar"
    [address] = re.findall(r"<pre>https?://[^/]*(/c/\w{32}\.ics)</pre>", says(client, HERE))
    return address


def events(path: str) -> list[Component]:
    answer = Client().get(path)
    assert answer.status_code == 200
    return Calendar.from_ical(answer.content).walk("VEVENT")


def test_it_has_the_players_own_deadlines_and_no_others(alice, bruno, carla) -> None:
    mine, theirs, third = begun(alice, bruno), begun(bruno, alice), begun(bruno, carla)
    begun(alice, carla, "")
    path, other = address_of(alice), address_of(bruno)
    [event] = events(path)
    assert event["uid"].startswith(f"match-{mine.pk}@")
    assert event["dtstart"].dt == Match.objects.get(pk=mine.pk).deadline
    assert event["summary"] == f"Deadline: Lines of Action against Bruno [{mine.pk}]"
    assert {str(each["uid"]).partition("@")[0] for each in events(other)} == {
        f"match-{theirs.pk}",
        f"match-{third.pk}",
    }
    assert mine.moving
    play(mine.moving, "b1-b3", now=LATER)
    assert events(path) == []
    resign(Match.objects.get(pk=theirs.pk).seated[0], now=LATER)
    assert f"match-{theirs.pk}@" not in "".join(str(each["uid"]) for each in events(other))


def test_an_event_is_that_of_the_file_in_the_letter(post: Post) -> None:
    post.now = LATER
    anna, berto = (registered(post, name, language) for name, language in (("Anna", "en"), ("Berto", "it")))
    berto.writes("IMPOSTA CALENDARIO sì")
    match = begun(anna.player, berto.player)
    post.send()
    anna.answers(anna.letter, "b1-b3")
    [file] = berto.letter.attachments.values()
    [told], [shown] = Calendar.from_ical(file).walk("VEVENT"), events(address_of(berto.player))
    assert shown.to_ical() == told.to_ical()
    assert (shown["sequence"], shown["summary"]) == (
        1,
        f"Scadenza: Lines of Action contro Anna [{match.pk}]",
    )


def test_the_calendar_says_whose_zone_it_is_and_when_to_ask_again(alice, bruno) -> None:
    begun(alice, bruno)
    Player.objects.filter(pk=alice.pk).update(zone="Asia/Tokyo")
    raw = Client().get(address_of(alice)).content.decode()
    assert raw.startswith("BEGIN:VCALENDAR\r\n")
    assert raw.endswith("END:VCALENDAR\r\n")
    for line in ("NAME:PBeM", "X-WR-TIMEZONE:Asia/Tokyo", "REFRESH-INTERVAL;VALUE=DURATION:PT15M"):
        assert f"\r\n{line}\r\n" in raw
    assert all(len(line.encode()) <= 75 for line in raw.split("\r\n"))


def test_the_reader_alone_keeps_it_for_a_quarter_of_an_hour(alice, bruno, browser: Client) -> None:
    begun(alice, bruno)
    path = address_of(alice)
    answer = browser.get(path)
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert set(answer.headers["Cache-Control"].split(", ")) == {"private", "max-age=900"}
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert not answer.cookies
    etag = answer.headers["ETag"]
    again = browser.get(path, headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert browser.head(path).status_code == 200
    assert browser.post(path).status_code == 405
    assert "Disallow: /c/\n" in browser.get("/robots.txt").content.decode()


def test_a_new_address_ends_the_old_one_and_none_ends_it_too(alice, bruno, browser: Client) -> None:
    begun(alice, bruno)
    assert "/c/" not in says(signed_in(alice), HERE)
    first, foreign = address_of(alice), address_of(bruno)
    second = address_of(alice)
    assert browser.get(first).status_code == 404
    assert len(events(second)) == 1
    assert signed_in(alice).post(HERE, {"deed": "calendar-none"}).status_code == 303
    assert browser.get(second).status_code == 404
    assert "/c/" not in says(signed_in(alice), HERE)
    assert browser.get(foreign).status_code == 200
    assert calendar_url(Player.objects.get(pk=alice.pk)) == ""


@pytest.mark.parametrize("wrong", ["a" * 32, "short", "%00", "c" + "7" * 31])
def test_what_we_have_not_made_is_not_there(alice, browser: Client, wrong: str) -> None:
    assert browser.get(f"/c/{wrong}.ics").status_code == 404


def test_other_links_of_the_player_are_no_addresses_of_it(alice, bruno, browser: Client) -> None:
    match = begun(alice, bruno)
    Player.objects.filter(pk=alice.pk).update(calendar_salt=new_salt())
    Seat.objects.filter(pk=match.seated[0].pk).update(salt=Player.objects.get(pk=alice.pk).calendar_salt)
    token = board_url(Seat.objects.get(pk=match.seated[0].pk), 0).split("/")[-2]
    assert browser.get(f"/c/{token}.ics").status_code == 404
    own = calendar_url(Player.objects.get(pk=alice.pk)).rpartition("/")[2].removesuffix(".ics")
    assert browser.get(f"/b/{own}/").status_code == 404


def test_it_is_gone_while_its_player_is_suspended_and_when_they_are_erased(
    alice, bruno, browser: Client
) -> None:
    match = begun(alice, bruno)
    path = address_of(alice)
    suspend(alice, now=LATER)
    assert browser.get(path).status_code == 404
    Player.objects.filter(pk=alice.pk).update(suspended_at=None)
    assert browser.get(path).status_code == 200
    with pytest.raises(ValidationError):
        erase(Player.objects.get(pk=alice.pk), now=LATER)
    resign(Match.objects.get(pk=match.pk).seated[0], now=LATER)
    erase(Player.objects.get(pk=alice.pk), now=LATER + timedelta(days=1))
    assert Player.objects.get(pk=alice.pk).calendar_salt is None
    Player.objects.filter(pk=alice.pk).update(suspended_at=None)
    assert browser.get(path).status_code == 404


def test_no_message_brings_it_to_others(post: Post) -> None:
    post.now = LATER
    anna, berto = (registered(post, name, "en") for name in ("Anna", "Berto"))
    begun(anna.player, berto.player)
    post.send()
    path = address_of(anna.player)
    anna.answers(anna.letter, f"b1-b3\n\nLook: https://play.example.org{path} is mine")
    assert path[3:35] not in berto.letter.text
    assert "is mine" in berto.letter.text
