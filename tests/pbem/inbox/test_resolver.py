"""What an address of ours proves, and that nobody can make one up."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.inbox.models import Confirmation
from pbem.inbox.recipient import PlayRecipient
from pbem.inbox.resolver import resolve_recipient
from pbem.matches.models import Match, Seat
from pbem.matches.services import play, revoke_tokens, start
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player, new_salt
from tests.examples import examples
from tests.mail_fixtures import MORNING, Correspondent, Post, play_address


@pytest.fixture
def match(post: Post, alice: Correspondent, bruno: Correspondent) -> Match:
    match = start(first=alice.player, second=bruno.player, game="loa", now=MORNING, rng=Random(1))
    post.send()
    return match


def state(recipient: str, **later: float) -> str | None:
    return state_at(recipient, MORNING + timedelta(**later))


def state_at(recipient: str, now: datetime) -> str | None:
    resolved = resolve_recipient(recipient, now)
    return resolved.state if resolved else None


def test_play_proves_nothing(db: None) -> None:
    assert resolve_recipient(play_address().upper(), MORNING) == PlayRecipient(state="absent")


def test_a_move_address_is_current_then_stale_then_revoked(match: Match, alice: Correspondent) -> None:
    mine = alice.letter.reply_to
    assert state(mine, days=3000) == "current"
    play(match.seated[0], "b1-b3", now=MORNING)
    assert state(mine) == "stale"
    revoke_tokens(Seat.objects.get(player=alice.player))
    assert state(mine) == "revoked"
    revoke_tokens(Seat.objects.get(player=alice.player))
    assert state(mine) == "revoked"


def test_an_address_that_shouts_is_the_same(match: Match, alice: Correspondent) -> None:
    assert state(alice.letter.reply_to.upper()) == "current"


def test_a_changed_letter_anywhere_breaks_the_seal(match: Match, alice: Correspondent) -> None:
    local, _, domain = alice.letter.reply_to.partition("@")
    for place in range(len("m+"), len(local)):
        changed = "a" if local[place] != "a" else "b"
        assert resolve_recipient(f"{local[:place]}{changed}{local[place + 1 :]}@{domain}", MORNING) is None


def test_a_seal_is_good_for_one_purpose(match: Match, alice: Correspondent) -> None:
    for prefix in "cbuin":
        assert resolve_recipient(f"{prefix}{alice.letter.reply_to[1:]}", MORNING) is None


@pytest.mark.parametrize(
    "recipient", ["", "@", "play", "play@example.org", "m+@{}", "m@{}", "postmaster@{}", "x+y@{}"]
)
def test_other_addresses_are_not_ours(db: None, recipient: str) -> None:
    assert resolve_recipient(recipient.format(play_address().partition("@")[2]), MORNING) is None


def test_a_question_is_open_72_hours_and_once(alice: Correspondent, stranger: Correspondent) -> None:
    stranger.writes("REGISTER Dora")
    to = stranger.letter.reply_to
    assert state(to, hours=72) == "current"
    assert state(to, hours=72, seconds=1) == "stale"
    Confirmation.objects.update(used_at=MORNING)
    assert state(to) == "stale"
    Confirmation.objects.update(salt=new_salt())
    assert state(to) is None


def test_a_bounce_address_dies_with_its_letter(match: Match, alice: Correspondent) -> None:
    to = alice.letter.envelope_sender
    assert state(to) == "current"
    OutboundMail.objects.all().delete()
    assert state(to) is None


def test_a_goodbye_is_good_for_two_years_and_while_the_salt_lives(match: Match, alice: Correspondent) -> None:
    to = str(alice.letter.message["List-Unsubscribe"]).partition("mailto:")[2].partition("?")[0]
    assert state(to, days=730) == "current"
    assert state(to, days=731) is None
    Player.objects.update(salt=new_salt())
    assert state(to) is None


def test_where_bounces_messages_and_invitations_are_answered_lives_for_days(
    alice: Correspondent, bruno: Correspondent, stranger: Correspondent
) -> None:
    alice.writes(f"MESSAGE Bruno: hello\nCHALLENGE {stranger.email} loa")
    invitation = stranger.letter
    never = str(invitation.message["List-Unsubscribe"]).partition("mailto:")[2].partition("?")[0]
    lives = {
        bruno.letter.envelope_sender: 14,
        invitation.reply_to: 31,
        never: 730,
    }
    assert [to[:2] for to in lives] == ["b+", "i+", "n+"]
    for to, days in lives.items():
        assert [state(to, days=days), state(to, days=days + 1)] == ["current", None], to


def test_what_says_whose_it_is_says_so_for_thirty_days(alice: Correspondent, bruno: Correspondent) -> None:
    """Then the answer still comes to whom it is for, and is believed as one to play@ is."""
    alice.writes("MESSAGE Bruno: hello")
    message = bruno.letter.reply_to
    alice.writes("HELP")
    help_letter = alice.letter.reply_to
    assert (message[:2], help_letter[:2]) == ("w+", "l+")
    for to in (message, help_letter):
        assert [state(to, days=days) for days in (0, 30, 31)] == ["player", "player", "absent"], to
    assert [state(message, days=days) for days in (90, 91)] == ["absent", None]
    assert state(help_letter, days=3000) == "absent"


def test_the_address_of_a_turn_dies_some_weeks_after_it(zertz: Match, alice: Correspondent) -> None:
    old, played = alice.letter.reply_to, alice.post.now
    alice.post.wait(days=100)
    assert state_at(old, alice.post.now) == "current", "whoever thinks for long has thought for long"
    assert alice.answers(alice.letter, "Wd4, a1").verdict == "ok"
    played = alice.post.now
    assert [state_at(old, played + timedelta(days=days)) for days in (0, 28, 29)] == [
        "stale",
        "stale",
        "absent",
    ]


def test_the_address_of_the_last_turn_dies_some_weeks_after_the_match(
    zertz: Match, alice: Correspondent
) -> None:
    alice.answers(alice.letter, "RESIGN")
    alice.answers(alice.letter, "YES RESIGN")
    [last] = {letter.reply_to for letter in alice.letters if letter.reply_to.startswith("m+")}
    ended = alice.post.now
    assert [state_at(last, ended + timedelta(days=days)) for days in (28, 29)] == ["current", "absent"]


@examples(200)
@given(
    text=st.text(alphabet="abcdefghijklmnopqrstuvwxyz234567", min_size=32, max_size=32),
    prefix=st.sampled_from("mcbuwinl"),
)
def test_nobody_guesses_an_address(db: None, text: str, prefix: str) -> None:
    assert resolve_recipient(f"{prefix}+{text}@{play_address().partition('@')[2]}", MORNING) is None


@examples(200)
@given(recipient=st.text(max_size=80))
def test_resolving_never_raises(db: None, recipient: str) -> None:
    resolve_recipient(recipient, MORNING)
