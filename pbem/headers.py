"""What browsers are told about each page: where its scripts, styles and pictures may come from, who may frame it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Policy = dict[str, str]
# A page of ours without scripts: whatever somebody brings into it does not run.
PLAIN: Policy = {
    "default-src": "'none'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
# The desk's library reads the expressions of its pages (Alpine), and they show letters in frames of their own.
DESK: Policy = PLAIN | {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval'",
    "object-src": "'none'",
    "frame-ancestors": "'self'",
}
# Everybody's letters, in development alone.
LETTERS: Policy = DESK
BY_PATH = (
    ("/admin/sign-in/", PLAIN),
    ("/admin/new-password/", PLAIN),
    ("/admin/second-factor/", PLAIN),
    ("/admin/", DESK),
    ("/letters/", LETTERS),
)


class Headers:
    """A middleware of Django's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        response.headers.setdefault("Content-Security-Policy", _written(_policy(request.path_info)))
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response


def _policy(path: str) -> Policy:
    return next((policy for start, policy in BY_PATH if path.startswith(start)), PLAIN)


def _written(policy: Policy) -> str:
    return "; ".join(f"{name} {value}" for name, value in policy.items())
