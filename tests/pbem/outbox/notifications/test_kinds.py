"""Every kind of letter has its row, and none has another."""

from django.utils.translation import override

from pbem.outbox.notifications.kinds import KINDS, in_words
from pbem.outbox.rendering.links import partials


def test_every_template_is_that_of_a_kind() -> None:
    named = {name.partition("-")[0] for suffix in ("txt", "html") for name in partials(suffix) if "-" in name}
    assert set(KINDS) == named


def test_names_are_in_the_language_of_whoever_looks() -> None:
    with override("it"):
        assert in_words("played") == "ricevuta"
