"""TOKEN: a player's program gets a key by mail, after a YES that names it, at the registered address alone."""

from __future__ import annotations

import re

import pytest

from pbem.outbox.models import OutboundMail
from pbem.players import api_tokens
from pbem.players.api_tokens import MOST, Scope
from pbem.players.models import ApiToken
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

TEXT = re.compile(r"pbem_[a-z2-7]{40}")


@pytest.mark.parametrize(
    ("line", "yes", "stop"),
    [
        ("TOKEN play 90 days", "YES TOKEN", "TOKEN STOP"),
        ("CHIAVE gioca 90 giorni", "SÌ CHIAVE", "CHIAVE BASTA"),
        ("TOKEN read, play", "YES TOKEN", "TOKEN STOP"),
    ],
)
def test_it_comes_after_a_yes_that_names_it(
    post: Post, bruno: Correspondent, line: str, yes: str, stop: str
) -> None:
    assert bruno.writes(line).verdict == Code.CONFIRM_NEEDED
    assert not ApiToken.objects.exists()
    asked = bruno.letter
    assert bruno.answers(asked, "SÌ").verdict != "ok"
    assert bruno.answers(asked, yes).verdict == "ok"
    letter = bruno.letter
    [text] = TEXT.findall(letter.text)
    found = api_tokens.find(text, post.now)
    assert found is not None
    assert found.player == bruno.player
    assert found.scopes == "read play"
    assert (found.expires_at - post.now).days in (89, 90)
    assert text in letter.html
    assert not OutboundMail.objects.filter(text__contains=text).exists(), "what we keep has no secret"
    assert text not in repr(list(OutboundMail.objects.values_list("sections")))
    assert bruno.writes("TOKEN").verdict == "ok"
    assert not TEXT.findall(bruno.letter.text)
    assert f"{found.pk}: leggi, gioca, " in bruno.letter.text
    assert bruno.writes(stop).verdict == "ok"
    assert api_tokens.find(text, post.now) is None


def test_one_of_several_is_stopped(post: Post, alice: Correspondent) -> None:
    (first, _), (second, _) = (api_tokens.create(alice.player, [Scope.OFFER], now=post.now) for _ in range(2))
    assert alice.writes(f"TOKEN STOP {first.pk}").verdict == "ok"
    assert list(ApiToken.objects.all()) == [second]
    assert f"{second.pk}: read, offer, " in alice.letter.text


@pytest.mark.parametrize("dmarc", ["none", "fail"])
def test_nobody_gets_one_for_another(alice: Correspondent, dmarc: str) -> None:
    """A plain YES is not enough, nor one that stands in the forged email itself."""
    alice.writes("TOKEN play 365 days\nYES TOKEN", dmarc=dmarc)
    assert not ApiToken.objects.exists()
    assert alice.letter.to == "alice@example.org"


@pytest.mark.parametrize(
    "line",
    ["TOKEN play 366 days", "TOKEN play 0 days", "Token of my love", "TOKEN STOPPED", "Tokens, anyone?"],
)
def test_what_is_none(alice: Correspondent, line: str) -> None:
    alice.writes(line)
    assert not ApiToken.objects.exists()


def test_too_many(post: Post, alice: Correspondent) -> None:
    for _ in range(MOST):
        api_tokens.create(alice.player, [], now=post.now)
    alice.writes("TOKEN play 9 days")
    assert alice.answers(alice.letter, "YES TOKEN").verdict == Code.TOO_MANY_TOKENS


def test_a_quoted_token_is_not_passed_on(post: Post, alice: Correspondent, bruno: Correspondent, loa) -> None:
    _, text = api_tokens.create(alice.player, [], now=post.now)
    alice.writes(f"SAY {loa.pk} my key is {text}")
    assert "my key is" in bruno.letter.text
    assert text not in bruno.letter.text
