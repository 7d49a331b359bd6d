"""The web door, for gunicorn: `gunicorn pbem.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

from pbem.checks import refuse_unsafe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")

application = get_wsgi_application()
refuse_unsafe_settings()
