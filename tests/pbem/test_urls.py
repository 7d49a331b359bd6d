"""Who asks whether the service is well loads no desk; who asks for the desk does."""

from __future__ import annotations

import subprocess
import sys

import pytest

ASKED = """
import sys, django
django.setup()
from django.urls import resolve, reverse
resolve("/health/"), resolve("/"), resolve("/u/1/")
print("pbem.admin.admin" in sys.modules, "unfold.admin" in sys.modules)
print(reverse("admin:matches_match_changelist"), resolve("/admin/").view_name, "pbem.admin.admin" in sys.modules)
"""


@pytest.mark.prove
def test_the_desk_is_loaded_when_it_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", ASKED], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.splitlines() == ["False False", "/admin/matches/match/ admin:index True"]
