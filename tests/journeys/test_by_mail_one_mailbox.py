"""However an address is spelled, its reader is one; and there is an end to what we write on behalf of others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from pbem.admin.people.services import invite
from pbem.inbox.rate_limits.table import CAPS
from pbem.matches.models import Invitation, Match
from pbem.players.blocks import refuse
from pbem.players.models import Address
from pbem.players.services import fall_silent, register
from pbem.refusals import Code
from tests.journeys.test_by_mail_invitation import page_of
from tests.mail_fixtures import Correspondent, Post, play_address, unwrapped
from tests.returned_mail import complaint

TOM = "tom@gmail.com"
OTHERWISE = "T.o.m+Chess@googlemail.com"


@pytest.fixture
def tom(post: Post) -> Correspondent:
    return Correspondent(post, "Tom", TOM)


def written_to(post: Post) -> set[str]:
    return {address for address, box in post.mailboxes.boxes.items() if box}


def test_one_letter_to_a_mailbox_until_it_is_answered(
    post: Post, alice: Correspondent, bruno: Correspondent, tom: Correspondent
) -> None:
    assert alice.writes(f"CHALLENGE {TOM} loa").verdict == "ok"
    assert alice.writes(f"CHALLENGE {OTHERWISE} zertz").verdict == Code.INVITED_ALREADY
    assert bruno.writes(f"SFIDA {OTHERWISE} zertz").verdict == "ok"
    assert bruno.kinds() == ["invited"]
    assert written_to(post) == {alice.email, bruno.email, TOM}
    assert tom.answers(tom.letter, "YES Tom").verdict == "ok"
    assert tom.kinds() == ["invites", "welcome", "invites"], "now that he plays, Bruno's is a challenge"
    assert tom.answers(tom.letter, "YES").verdict == "ok"
    assert Match.objects.filter(seats__player=tom.player).count() == 2


@pytest.mark.parametrize("said_by", [TOM, OTHERWISE.lower()])
@pytest.mark.parametrize("again", [TOM, OTHERWISE, "tom+b@gmail.com"])
def test_peace_is_of_the_mailbox(
    post: Post, alice: Correspondent, bruno: Correspondent, said_by: str, again: str
) -> None:
    alice.writes(f"CHALLENGE {said_by} loa")
    reader = Correspondent(post, "Tom", said_by)
    asked = reader.letter
    reader.answers(asked, "NO")
    assert reader.writes("", to=page_of(asked)[1], subject="never").verdict == "ok"
    before = written_to(post)
    assert bruno.writes(f"SFIDA {again} zertz").verdict == "ok"
    assert (bruno.kinds(), reader.kinds()) == (["invited"], ["invites"])
    assert written_to(post) == before | {bruno.email}
    with pytest.raises(ValidationError, match="no letters"):
        invite(email=again, language="en", host="Olga", now=post.now)


def test_a_stranger_who_calls_a_letter_spam_is_left_in_peace_by_any_spelling(
    post: Post, alice: Correspondent, bruno: Correspondent, tom: Correspondent
) -> None:
    alice.writes(f"CHALLENGE {TOM} loa")
    assert post.deliver(complaint(tom.letter), tom.letter.envelope_sender, "").verdict == Code.COMPLAINT
    Invitation.objects.all().delete()
    bruno.writes(f"SFIDA {OTHERWISE} loa")
    assert bruno.kinds() == ["invited"]
    assert written_to(post) == {alice.email, bruno.email, TOM}


def test_a_player_is_one_by_any_spelling(post: Post, alice: Correspondent, tom: Correspondent) -> None:
    register(name="Tom", email=TOM, language="en", now=post.now)
    alice.writes(f"CHALLENGE {OTHERWISE} loa black")
    assert "Alice invites you" in unwrapped(tom.letter.text)
    assert tom.answers(tom.letter, "YES").verdict == "ok"
    assert Match.objects.get().players == ("Alice", "Tom")
    assert tom.writes(f"CHALLENGE {OTHERWISE} loa").verdict == Code.AGAINST_YOURSELF


def test_a_player_who_answers_that_they_want_none_is_asked_as_ever(
    post: Post, alice: Correspondent, tom: Correspondent
) -> None:
    register(name="Tom", email=TOM, language="en", now=post.now)
    alice.writes(f"CHALLENGE {OTHERWISE} loa")
    assert tom.answers(tom.letter, "No more letters please.").verdict == Code.CONFIRM_NEEDED
    assert tom.kinds() == ["invites", "confirm"]


@pytest.mark.parametrize("how", ["refuses Alice", "wants no letters"])
def test_nobody_gets_round_what_a_player_has_said(
    post: Post, alice: Correspondent, tom: Correspondent, how: str
) -> None:
    player = register(name="Tom", email=TOM, language="en", now=post.now)
    if how == "refuses Alice":
        refuse(player, alice.player, now=post.now)
    else:
        fall_silent(player, now=post.now)
    assert alice.writes(f"CHALLENGE {OTHERWISE} loa").verdict == "ok"
    assert alice.kinds() == ["invited"]
    assert written_to(post) == {alice.email}


def test_where_a_provider_minds_dots_they_are_two(post: Post, alice: Correspondent) -> None:
    for address in ("t.om@example.net", "tom@example.net"):
        assert alice.writes(f"CHALLENGE {address} loa").verdict == "ok"
    assert written_to(post) == {alice.email, "t.om@example.net", "tom@example.net"}


def test_who_writes_from_several_spellings_is_still_one_player(
    post: Post, alice: Correspondent, tom: Correspondent
) -> None:
    player = register(name="Tom", email=TOM, language="en", now=post.now)
    Address.objects.create(player=player, email=OTHERWISE.lower(), verified_at=post.now)
    alice.writes(f"CHALLENGE {TOM} loa")
    assert tom.answers(tom.letter, "YES").verdict == "ok"


# -- how many in a day ------------------------------------------------------------------------------------


def allow(monkeypatch: pytest.MonkeyPatch, cap: str, most: int) -> None:
    monkeypatch.setitem(CAPS, cap, replace(CAPS[cap], most=most))


@pytest.mark.parametrize("name", ["alice", "bruno"])
def test_so_many_invitations_a_day_for_all_players_together(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, post: Post,
    charlie: Correspondent, name: str,
) -> None:  # fmt: skip
    player: Correspondent = request.getfixturevalue(name)
    allow(monkeypatch, "invitations_day", 2)
    for address in ("anna@example.net", "berta@example.com"):
        assert charlie.writes(f"CHALLENGE {address} loa").verdict == "ok"
    for _ in range(5):
        row = player.writes("CHALLENGE carla@example.org loa\n\nHello Carla, shall we?")
        assert row.verdict == Code.INVITATIONS_USED_UP
    text = unwrapped(player.letter.text)
    assert ("tomorrow" if name == "alice" else "domani") in text
    assert "Hello Carla, shall we?" in text, "nothing of it is lost"
    assert "carla@example.org" not in written_to(post)
    assert player.writes("CHALLENGE Charlie loa").verdict == "ok", "players are challenged as ever"
    post.wait(days=1)
    for each in ("carla", "dora", "emma"):  # what was refused has cost none of the player's three
        allow(monkeypatch, "invitations_day", 10)
        assert player.writes(f"CHALLENGE {each}@example.org loa").verdict == "ok"
    assert "carla@example.org" in written_to(post)


def test_so_many_a_day_to_one_domain_and_all_that_belongs_to_it(
    monkeypatch: pytest.MonkeyPatch, post: Post, alice: Correspondent, bruno: Correspondent
) -> None:
    allow(monkeypatch, "invitations_domain", 1)
    assert alice.writes("CHALLENGE anna@gmail.com loa").verdict == "ok"
    assert bruno.writes("SFIDA berta@googlemail.com loa").verdict == Code.DOMAIN_USED_UP
    assert "domani" in bruno.letter.text
    assert bruno.writes("SFIDA berta@cs.example.net loa").verdict == "ok"
    assert alice.writes("CHALLENGE carla@math.example.net loa").verdict == Code.DOMAIN_USED_UP
    post.wait(days=1)
    assert alice.writes("CHALLENGE carla@math.example.net loa").verdict == "ok"


def test_what_is_refused_for_another_reason_is_not_counted(
    monkeypatch: pytest.MonkeyPatch, alice: Correspondent
) -> None:
    allow(monkeypatch, "invitations_day", 1)
    assert alice.writes(f"CHALLENGE {play_address()} loa").verdict == Code.OUR_OWN_ADDRESS
    assert alice.writes("CHALLENGE anna@example.net loa").verdict == "ok"


def test_none_at_all(monkeypatch: pytest.MonkeyPatch, alice: Correspondent) -> None:
    allow(monkeypatch, "invitations_day", 0)
    assert alice.writes("CHALLENGE anna@example.net loa").verdict == Code.INVITATIONS_USED_UP
