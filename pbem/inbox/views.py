"""The way out of the letters, as mail programs press it (RFC 8058). Looking at the page changes nothing."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from pbem.inbox.addressing import resolve
from pbem.players.services import fall_silent
from pbem.players.tokens import Purpose, address


@csrf_exempt  # the sealed token is the permission; a mail program has no cookie of ours
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    now = timezone.now()
    to = address(Purpose.UNSUBSCRIBE, token, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR)
    addressed = resolve(to, now)
    if addressed is None or addressed.player is None:
        raise Http404
    if request.method == "POST":
        fall_silent(addressed.player, now=now)
    with override(addressed.player.language):
        return render(
            request, "site/unsubscribe.html", {"player": addressed.player, "done": request.method == "POST"}
        )
