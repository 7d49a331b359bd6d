"""Tokens of the API: only their hashes are kept, they end with their days and with their players."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from pbem.admin.people import services as desk
from pbem.admin.people.erasure import erase
from pbem.outbox.after_restore import restored
from pbem.players import api_tokens
from pbem.players.api_tokens import LONGEST, MOST, Scope
from pbem.players.models import ApiToken, Player
from pbem.refusals import Code, Refused

NOW = timezone.now()


@pytest.fixture
def ada(db) -> Player:
    return Player.objects.create(name="Ada")


def test_the_text_finds_the_token_and_is_not_kept(ada: Player) -> None:
    row, text = api_tokens.create(ada, [Scope.PLAY], 30, now=NOW)
    assert text.startswith("pbem_")
    assert len(text) == 45
    found = api_tokens.find(text, NOW)
    assert found == row
    assert found.player == ada
    assert [scope for scope in Scope if api_tokens.allows(found, scope)] == [Scope.READ, Scope.PLAY]
    kept = repr(list(ApiToken.objects.values_list()))
    assert text not in kept
    assert text[5:] not in kept
    assert api_tokens.text_of(row) == text, "for the letter that shows it"


def test_others_are_no_tokens(ada: Player) -> None:
    _, text = api_tokens.create(ada, [], now=NOW)
    for other in ("", text[:-1], text.upper(), text[:-1] + ("a" if text[-1] != "a" else "b"), text + "a"):
        assert api_tokens.find(other, NOW) is None


def test_it_ends_with_its_days_and_never_lasts_longer_than_a_year(ada: Player) -> None:
    _, text = api_tokens.create(ada, [], 1000, now=NOW)
    assert api_tokens.find(text, NOW + timedelta(days=LONGEST, seconds=-1))
    assert api_tokens.find(text, NOW + timedelta(days=LONGEST)) is None


def test_one_or_all_are_stopped(ada: Player) -> None:
    (first, one), (_, two), (_, three) = (api_tokens.create(ada, [], now=NOW) for _ in range(3))
    other = Player.objects.create(name="Bea")
    assert api_tokens.stop(other, first.pk) == 0
    assert api_tokens.stop(ada, first.pk) == 1
    assert [bool(api_tokens.find(text, NOW)) for text in (one, two, three)] == [False, True, True]
    assert api_tokens.stop(ada) == 2
    assert api_tokens.find(three, NOW) is None


def test_a_player_has_so_many(ada: Player) -> None:
    for _ in range(MOST):
        api_tokens.create(ada, [], 1, now=NOW)
    with pytest.raises(Refused) as refused:
        api_tokens.create(ada, [], now=NOW)
    assert refused.value.code == Code.TOO_MANY_TOKENS
    api_tokens.create(ada, [], now=NOW + timedelta(days=1))


def test_a_suspension_ends_them(ada: Player) -> None:
    _, text = api_tokens.create(ada, [], now=NOW)
    desk.suspend(ada, now=NOW)
    desk.readmit(ada)
    assert api_tokens.find(text, NOW) is None


def test_a_restore_ends_them(ada: Player) -> None:
    """One that was stopped since the backup would be valid again."""
    _, text = api_tokens.create(ada, [], now=NOW)
    restored(now=NOW)
    assert api_tokens.find(text, NOW) is None


def test_an_erasure_deletes_them(ada: Player) -> None:
    api_tokens.create(ada, [], now=NOW)
    erase(ada, now=NOW)
    assert not ApiToken.objects.exists()
