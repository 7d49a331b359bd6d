"""Every kind of letter has its row, and none has another."""

from django.conf import settings
from django.utils.translation import override

from pbem.outbox.notifications.kinds import KINDS, in_words


def test_every_template_is_that_of_a_kind() -> None:
    files = {file.stem for file in (settings.ROOT / "templates" / "mail").iterdir() if file.is_file()}
    assert set(KINDS) == files - {"letter", "section"}


def test_names_are_in_the_language_of_whoever_looks() -> None:
    with override("it"):
        assert in_words("played") == "ricevuta"
