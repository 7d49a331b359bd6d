"""Unsubscribe pages: the choice of letters, and one-click unsubscription (RFC 8058)."""

from functools import partial

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from pbem.inbox.recipient import DoNotContactRecipient, UnsubscribeRecipient
from pbem.inbox.resolver import resolve_recipient
from pbem.outbox.notifications import direct_messages
from pbem.players.models import Player
from pbem.players.services import choose, do_not_contact, stop
from pbem.players.subscriptions import WORDS, Subscription
from pbem.players.tokens import Purpose, address

ONE_CLICK = "List-Unsubscribe", "One-Click"


@never_cache
@csrf_exempt  # the sealed token is the permission; mail programs have no cookie
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """The page of subscriptions. GET changes nothing; POST is one click, or the form."""
    now = timezone.now()
    to = address(Purpose.UNSUBSCRIBE, token, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR)
    recipient = resolve_recipient(to, now)
    if not isinstance(recipient, UnsubscribeRecipient):
        raise Http404
    player, named = recipient.player, recipient.subscription
    name, value = ONE_CLICK
    done = request.method == "POST"
    if done and "choice" in request.POST:
        wanted = [sort for sort in Subscription if sort in request.POST]
        direct_messages.unsubscribe(player, partial(choose, player, wanted), now=now)
    elif done and request.POST.get(name) == value:
        direct_messages.unsubscribe(player, partial(stop, player, named, now=now), now=now)
    elif done:
        return HttpResponse(status=400)
    return _page(request, Player.objects.get(pk=player.pk), None if done else named, done=done)


@never_cache
@csrf_exempt  # as above
@require_http_methods(["GET", "HEAD", "POST"])
def never_again(request: HttpRequest, token: str) -> HttpResponse:
    """The opt-out page of a stranger. POST, by one click or the form, opts out."""
    now = timezone.now()
    to = address(Purpose.NEVER, token, settings.MAIL_DOMAIN, settings.MAIL_SEPARATOR)
    recipient = resolve_recipient(to, now)
    if not isinstance(recipient, DoNotContactRecipient):
        raise Http404
    name, value = ONE_CLICK
    done = request.method == "POST"
    if done and not (request.POST.get(name) == value or "choice" in request.POST):
        return HttpResponse(status=400)
    if done:
        do_not_contact(recipient.address, now=now)
    with override(recipient.language):
        page = render(request, "site/never_again.html", {"done": done})
    page.headers["Content-Language"] = recipient.language
    return page


def _page(request: HttpRequest, player: Player, named: Subscription | None, *, done: bool) -> HttpResponse:
    """The form of subscriptions, with the `named` one unticked."""
    sorts = [
        {
            "sort": sort,
            "words": words,
            "ticked": player.wants(sort) and sort is not named,
            "named": sort is named,
        }
        for sort, words in WORDS.items()
    ]
    with override(player.language):
        context = {"player": player, "sorts": sorts, "done": done}
        page = render(request, "site/unsubscribe.html", context)
    page.headers["Content-Language"] = player.language
    return page
