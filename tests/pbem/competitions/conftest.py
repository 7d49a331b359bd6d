"""Alice, Bruno, Dora and Emil have signed up; Charlie was suspended since."""

import pytest

from pbem.players.models import Player
from pbem.players.services import register
from tests.mail_fixtures import MORNING


@pytest.fixture
def players(db: None) -> list[Player]:
    languages = {"Alice": "en", "Bruno": "it", "Dora": "en", "Emil": "it"}
    return [
        register(name=name, email=f"{name.lower()}@example.org", language=language, now=MORNING)
        for name, language in languages.items()
    ]


@pytest.fixture
def charlie(db: None) -> Player:
    player = register(name="Charlie", email="charlie@example.org", language="en", now=MORNING)
    Player.objects.filter(pk=player.pk).update(suspended_at=MORNING)
    return player
