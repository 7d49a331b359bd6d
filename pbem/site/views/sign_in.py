"""Signing in: an address, then the code that its mailbox gets. The answer to every address is the same."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from pbem.site import browsers
from pbem.site.page import personal, see


@require_http_methods(["GET", "HEAD", "POST"])
def address(request: HttpRequest) -> HttpResponse:
    """Asks for an address, and sends its players a code."""
    if request.method != "POST":
        return personal(request, "site/sign_in.html", {})
    said = request.POST.get("email", "").strip()[:254]
    answer = see(reverse("sign-in:code"))
    if not said or not browsers.begin(request, answer, said, browsers.players_at(said), now=timezone.now()):
        wrong = gettext("No more codes for today.") if said else ""
        return personal(request, "site/sign_in.html", {"wrong": wrong}, status=429 if said else 400)
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Asks for the code, and makes the browser known."""
    now = timezone.now()
    if request.method != "POST":
        if not browsers.is_begun(request, now):
            return HttpResponseRedirect(reverse("sign-in:address"))
        return personal(request, "site/code.html", {})
    finished = browsers.finish(request, request.POST.get("code", ""), now=now)
    if finished is None:
        wrong = gettext("That is not the code, or it is older than ten minutes.")
        return personal(request, "site/code.html", {"wrong": wrong}, status=403)
    board = finished.waiting.get("board")
    where = f"/b/{board}/" if board else reverse("account:matches")
    answer = see(where)
    browsers.keep(answer, finished)
    return answer


urlpatterns = [
    path("", address, name="address"),
    path("code/", code, name="code"),
]
