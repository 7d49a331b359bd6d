"""Every kind of letter has its row, and none has another."""

from django.conf import settings
from django.utils.translation import override

from pbem.outbox.notifications.kinds import KINDS, in_words


def test_every_folder_of_templates_is_a_kind() -> None:
    folders = {folder.name for folder in (settings.ROOT / "templates" / "mail").iterdir() if folder.is_dir()}
    assert set(KINDS) == folders - {"parts"}


def test_names_are_in_the_language_of_whoever_looks() -> None:
    with override("it"):
        assert in_words("played") == "ricevuta"
