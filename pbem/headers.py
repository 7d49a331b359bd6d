"""Security headers of each page: the sources of scripts, styles and pictures, and framing."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from pbem.base_settings import LANGUAGES

Policy = dict[str, str]
# A page without scripts: injected ones do not run.
PLAIN: Policy = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
# The public pages: a file of script and a file of style, and no text becomes markup.
SITE: Policy = PLAIN | {
    "script-src": "'self'",
    "img-src": "'self'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}
# A board for the pages of others.
EMBED: Policy = SITE | {"frame-ancestors": "*"}
# Boards and the pages of a player: no script at all.
BOARD: Policy = {name: values for name, values in SITE.items() if name != "script-src"}
# The desk's library evaluates expressions in its pages (Alpine), and the desk shows letters in frames.
DESK: Policy = PLAIN | {
    "default-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval'",
    "object-src": "'none'",
    "frame-ancestors": "'self'",
}
# The mail program, in development only.
LETTERS: Policy = DESK
# Pages of one person. Their addresses may be secrets: none is sent on, kept or listed. A Referer without a path is, as
# browsers that send none say "Origin: null", which Django's check of forms refuses.
PRIVATE = ("/b/", "/s/", "/me/")
ALONE = {"Referrer-Policy": "strict-origin", "Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
BY_PATH = (
    ("/admin/sign-in/", PLAIN),
    ("/admin/new-password/", PLAIN),
    ("/admin/second-factor/", PLAIN),
    ("/admin/", DESK),
    ("/letters/", LETTERS),
    *((folder, BOARD) for folder in PRIVATE),
    *((f"/{language}/embed/", EMBED) for language, _name in LANGUAGES),
    *((f"/{language}/", SITE) for language, _name in LANGUAGES),
)


class Headers:
    """A Django middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        response.headers.setdefault("Content-Security-Policy", _written(_policy(request.path_info)))
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        if request.path_info.startswith(PRIVATE):
            for name, value in ALONE.items():
                response.headers[name] = value
        return response


def _policy(path: str) -> Policy:
    return next((policy for start, policy in BY_PATH if path.startswith(start)), PLAIN)


def _written(policy: Policy) -> str:
    return "; ".join(f"{name} {value}" for name, value in policy.items())
