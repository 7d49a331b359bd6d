"""Every kind of letter has its row, and none has another."""

import pytest
from django.utils.translation import override

from pbem.outbox.notifications.kinds import FORMERLY, KINDS, in_words, number_of
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.outbox.rendering.compose import compose
from pbem.outbox.rendering.links import partials
from tests.mail_fixtures import Correspondent, Post


def test_every_template_is_that_of_a_kind() -> None:
    named = {name.partition("-")[0] for suffix in ("txt", "html") for name in partials(suffix) if "-" in name}
    assert set(KINDS) == named


def test_names_are_in_the_language_of_whoever_looks() -> None:
    with override("it"):
        assert in_words("played") == "ricevuta"


@pytest.mark.parametrize("former", FORMERLY)
def test_a_former_kind_is_known_as_the_kind_that_it_is_now(former: str) -> None:
    assert in_words(former) == str(KINDS[FORMERLY[former]].label)
    assert number_of(former) == number_of(FORMERLY[former])


def test_a_letter_that_waits_under_a_former_kind_is_composed(post: Post, alice: Correspondent) -> None:
    facts: dict[str, Section] = {
        "clocks": {"at": post.now.isoformat()},
        "erased": {},
        "status": {"only": None},
    }
    for former, fact in facts.items():
        row = write_to_player(
            alice.player, cause=former, section=fact | {"kind": FORMERLY[former]}, now=post.now
        )
        assert row
        now = compose(row)
        row.kind, row.sections = former, [fact | {"kind": former}]
        then = compose(row)
        assert (then.subject, then.text) == (now.subject, now.text)
