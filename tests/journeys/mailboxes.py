"""Alice's second mailbox, from the letter in which she asks for it to the day on which it is hers."""

from __future__ import annotations

from pbem.inbox.address_changes import carry_out_due
from pbem.players.models import Player
from pbem.refusals import Code
from tests.mail_fixtures import Correspondent, Post

WORK = "alice@work.example"


def at_work(post: Post) -> Correspondent:
    return Correspondent(post, "Alice", WORK)


def addresses() -> list[str]:
    return [address.email for address in Player.objects.called("Alice").addresses.verified()]  # type: ignore[union-attr]


def asks(alice: Correspondent, command: str = f"ADD ADDRESS {WORK}") -> Correspondent:
    """She asks, and says YES at home; the mailbox at work is asked."""
    assert alice.writes(command).verdict == Code.CONFIRM_NEEDED
    assert alice.answers(alice.letter, "YES ADDRESS").verdict == "ok"
    return at_work(alice.post)


def begins(alice: Correspondent, command: str = f"ADD ADDRESS {WORK}") -> Correspondent:
    """She says YES at work as well; the three days begin."""
    work = asks(alice, command)
    assert work.answers(work.letter, "YES").verdict == "ok"
    return work


def three_days(post: Post) -> None:
    """They pass, and the sweep comes by."""
    post.wait(days=3, minutes=2)
    post.live()
    carry_out_due(now=post.now)
    post.send()
