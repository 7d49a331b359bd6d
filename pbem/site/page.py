"""The frame of public pages: menu, translations, caching. No page sets a cookie or varies by one."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from pbem.organiser import run_by

MENU = {"games": _("Games")}


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    seconds: int = 60,
    indexed: bool = True,
) -> HttpResponse:
    """Renders a page that caches may keep for `seconds`; 304 when the visitor has it."""
    content = render_to_string(template, _frame(request, indexed=indexed) | dict(context or {}))
    response = HttpResponse(content)
    patch_cache_control(response, public=True, max_age=seconds)
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    etag = f'"{sha256(response.content).hexdigest()[:32]}"'
    response.headers["ETag"] = etag
    found = get_conditional_response(request, etag, None, response)
    return found if isinstance(found, HttpResponse) else response


def translations(request: HttpRequest) -> dict[str, str]:
    """Returns the path of the page in each language."""
    own = f"/{get_language()}/"
    return {code: request.path.replace(own, f"/{code}/", 1) for code, _name in settings.LANGUAGES}


def _frame(request: HttpRequest, *, indexed: bool) -> dict[str, Any]:
    menu = [(reverse(f"site:{name}"), title) for name, title in MENU.items()]
    return {
        "menu": [
            {"path": path, "name": title, "here": request.path.startswith(path)} for path, title in menu
        ],
        "site": settings.SITE_URL,
        "canonical": request.path,
        "translations": translations(request),
        "LANGUAGE_CODE": get_language(),
        "run_by": run_by(),
        "indexed": indexed,
    }
