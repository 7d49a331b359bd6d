"""The frame of public pages: menu, translations, caching. No page sets a cookie or varies by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.html import format_html
from django.utils.http import parse_etags
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from pbem.organiser import run_by
from pbem.outbox.signed_addresses import play_address

Context = Mapping[str, Any]
BUILD = Path(__file__).stat().st_mtime_ns  # another release writes another page
FRESH = 15  # seconds for which texts that are costly are kept; a name that is hidden is gone after them
MENU = {
    "games": _("Games"),
    "matches": _("Matches"),
    "playing": _("Being played"),
    "competitions": _("Competitions"),
    "players": _("Players"),
    "ratings": _("Ratings"),
    "offers": _("Open offers"),
}


def page(
    request: HttpRequest,
    template: str,
    context: Context | Callable[[], Context],
    *,
    seconds: int = 60,
    indexed: bool = True,
    state: str = "",
) -> HttpResponse:
    """Renders a page that caches may keep for `seconds`, or never for 0; 304 when the visitor has it.

    A page that is `state` and nothing else is compared before it is made.
    """
    if request.method not in ("GET", "HEAD"):
        return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
    etag = _etag(f"{BUILD} {get_language()} {state}") if state else ""
    content = ""
    kept = parse_etags(
        request.headers.get("If-None-Match", "")
    )  # proxies that pack a page mark its tag as weak
    if not etag or not {etag, f"W/{etag}"} & set(kept):
        made = context() if callable(context) else context
        content = render_to_string(template, {**_frame(request, indexed=indexed), **made})
    response = HttpResponse(content, headers={"ETag": etag} if etag else {})
    caching = {"public": True, "max_age": seconds} if seconds else {"no_store": True}
    patch_cache_control(response, **caching)
    if not indexed:
        response.headers["X-Robots-Tag"] = "noindex"
    return compared(request, response)


def personal(request: HttpRequest, template: str, context: Context, *, status: int = 200) -> HttpResponse:
    """Renders a page for one reader alone, with forms; the headers of its folder say so."""
    frame = _frame(request, indexed=False) | {"translations": {}, "news": next(iter(request.GET), "")}
    content = render_to_string(template, {**frame, **context}, request)
    return HttpResponse(content, status=status, headers={"Content-Language": get_language() or "en"})


def compared(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Returns the response with its ETag, or 304 when the visitor has it."""
    response.headers.setdefault("ETag", _etag(response.content.decode()))
    found = get_conditional_response(request, response.headers["ETag"], None, response)
    return found if isinstance(found, HttpResponse) else response


def _etag(text: str) -> str:
    return f'"{sha256(text.encode()).hexdigest()[:32]}"'


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


def see(path: str) -> HttpResponseRedirect:
    """Leads to the page that shows what a post has done."""
    return HttpResponseRedirect(path, status=303)


def moment(when: datetime, said: str) -> SafeString:
    """Returns a moment as a machine reads it too: our script says it in the time zone of the visitor."""
    return format_html('<time datetime="{}">{}</time>', when.isoformat(), said)


def mailto(*lines: str) -> str:
    """Returns a link that opens an email to us, written already."""
    text = "\r\n".join(lines)
    return f"mailto:{play_address()}?body={quote(text)}"
