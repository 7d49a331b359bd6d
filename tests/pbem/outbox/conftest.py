"""The letters, written once for all who read them or look at them: nobody changes a letter."""

import copyreg
import fcntl
import pickle
from collections.abc import Callable
from functools import cache

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from games.protocol import Game
from games.registry import AnyGame, games
from tests.pbem.outbox.correspondence import Correspondence, Letter

# A game holds functions; another process has it under the same name.
copyreg.pickle(Game, lambda game: (by_key, (game.key,)))
Letters = dict[str, Letter]
Written = Callable[[str], Letters]


def by_key(key: str) -> AnyGame:
    return games()[key]


@pytest.fixture(scope="session")
def written(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Written:
    """The whole correspondence in a language. Of several test processes one writes it, and the others wait for that."""
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if folder.name.startswith("popen-") else folder

    def write(language: str) -> Letters:
        with django_db_blocker.unblock(), transaction.atomic():
            letters = Correspondence(language).write()
            transaction.set_rollback(True)
        return letters

    @cache
    def read(language: str) -> Letters:
        with (shared / f"letters-{language}").open("ab+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not file.tell():
                pickle.dump(write(language), file)
                file.flush()
            file.seek(0)
            return pickle.load(file)

    return read
