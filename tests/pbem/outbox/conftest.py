"""The letters, written once for all who read them or look at them: nobody changes a letter."""

from collections.abc import Callable
from functools import cache

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.pbem.outbox.correspondence import Correspondence, Letter

Letters = dict[str, Letter]
Written = Callable[[str], Letters]


@pytest.fixture(scope="session")
def written(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Written:
    """The whole correspondence in a language."""

    @cache
    def write(language: str) -> Letters:
        with django_db_blocker.unblock(), transaction.atomic():
            letters = Correspondence(language).write()
            transaction.set_rollback(True)
        return letters

    return write
