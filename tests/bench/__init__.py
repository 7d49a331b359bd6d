"""The bench: every figure of the service beside a peer or a ceiling that ran in the same minute.

What it measures in its own process works on an empty database in a temporary folder.
"""

import atexit
import os
from tempfile import TemporaryDirectory

import django
from django.apps import apps

HOUSE = TemporaryDirectory(prefix="pbem-bench-")
atexit.register(HOUSE.cleanup)
os.environ.setdefault("XDG_RUNTIME_DIR", HOUSE.name)  # the PostgreSQL from a wheel warns where there is none

if not apps.ready:
    if "DJANGO_SETTINGS_MODULE" not in os.environ:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "pbem.settings",
            "DEVELOPMENT": "1",
            "VAR": HOUSE.name,
            "EMAIL_URL": f"file://{HOUSE.name}/letters",
        }
    django.setup()
