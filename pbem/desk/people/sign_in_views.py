"""How the staff come in without a password, or to a new one: by a link in a letter."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from pbem.desk.people.sign_in_link import mail_links
from pbem.desk.people.throttle import client_address


@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_link(request: HttpRequest) -> HttpResponse:
    """Nobody learns here who is of the staff."""
    asked = request.method == "POST"
    if asked:
        address = client_address(request, settings.TRUSTED_PROXIES)
        mail_links(request.POST.get("email", "")[:320], address, now=timezone.now())
    return render(request, "site/ask_for_link.html", {"asked": asked})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_once(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """A button, since mail programs look at links before people do. The token dies with the sign-in."""
    user = get_user_model().objects.filter(pk=pk, is_staff=True, is_active=True).first()
    if user is None or not default_token_generator.check_token(user, token):
        raise Http404
    if request.method != "POST":
        return render(request, "site/sign_in_once.html", {"who": user.get_username()})
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("admin:index")


class NewPassword(PasswordResetConfirmView):
    template_name = "site/new_password.html"
    success_url = reverse_lazy("admin:login")
