"""The desk, the public pages and the API are loaded when they are asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

ASKED = """
import sys, django
django.setup()
from django.urls import resolve, reverse
resolve("/health/"), resolve("/"), resolve("/u/1/")
print("pbem.admin.admin" in sys.modules, "unfold.admin" in sys.modules, "pbem.site.views.front" in sys.modules)
print("ninja" in sys.modules, resolve("/api/v1/games").view_name, "ninja" in sys.modules)
print(reverse("site:front"), resolve("/en/").view_name, "pbem.site.views.front" in sys.modules)
print(reverse("admin:matches_match_changelist"), resolve("/admin/").view_name, "pbem.admin.admin" in sys.modules)
"""


@pytest.mark.prove
def test_the_desk_the_public_pages_and_the_api_are_loaded_when_they_are_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", ASKED], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.splitlines() == [
        "False False False",
        "False api:list_games True",
        "/en/ site:front True",
        "/admin/matches/match/ admin:index True",
    ]
