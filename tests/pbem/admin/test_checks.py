"""What Django can tell of the desk before anybody opens it: `manage.py check` may look before the desk is loaded."""

from importlib import import_module

from django.contrib import admin
from django.core.checks import run_checks

from pbem.matches.models import Match


def test_django_finds_no_mistake_in_the_desk() -> None:
    import_module("pbem.admin.urls")  # that of the site loads it with the first page
    assert admin.site.is_registered(Match)
    assert run_checks() == []
