"""The WSGI application for gunicorn: `gunicorn pbem.wsgi`."""

import os
from contextlib import suppress

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from pbem.checks import refuse_unsafe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")

with suppress(OSError):
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise warns when it is missing
application = get_wsgi_application()
refuse_unsafe_settings()
