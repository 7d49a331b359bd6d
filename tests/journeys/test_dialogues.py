"""Each short dialogue of `dialogues/` goes as it stands there."""

import pytest
from pytest_django import Settings

from tests.journeys.dialogue import Dialogue, dialogues, play
from tests.mail_fixtures import Post

ALL = list(dialogues())


@pytest.mark.parametrize("dialogue", ALL, ids=[dialogue.name for dialogue in ALL])
def test_dialogue(post: Post, settings: Settings, dialogue: Dialogue) -> None:
    if dialogue.dmarc == "unsaid":
        settings.AUTHSERV_IDS = []
    play(post, dialogue)
