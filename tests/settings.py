"""The settings of the tests: the service's own, as on a developer's machine."""

import os

os.environ.setdefault("DEVELOPMENT", "1")

from pbem.settings import *  # noqa: F403

WHITENOISE_AUTOREFRESH = True  # tests read static files where they lie; nothing was collected
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher"
]  # the real one is slow because it must be
HEALTH_SECONDS = 0  # what a test has changed is seen at once
