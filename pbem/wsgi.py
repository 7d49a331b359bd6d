"""The WSGI application for gunicorn: `gunicorn pbem.wsgi`."""

import gc
import os
from contextlib import suppress

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import URLResolver, get_resolver

from pbem.checks import refuse_unsafe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pbem.settings")

with suppress(OSError):
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise warns when it is missing
application = get_wsgi_application()
refuse_unsafe_settings()


def _load(resolver: URLResolver) -> None:
    """Loads the modules of all pages, which is otherwise done by each worker at the first visit."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            _load(pattern)


_load(get_resolver())
gc.collect()
gc.freeze()  # scanning shared pages for garbage would copy them
