"""A sign-in that works once, for an organiser who has no password yet."""

from django.contrib.auth import get_user_model, login
from django.contrib.auth.tokens import default_token_generator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect


def sign_in_once(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """The token dies with this sign-in, which it contains the time of (Django's password reset token)."""
    user = get_user_model().objects.filter(pk=pk, is_staff=True, is_active=True).first()
    if user is None or not default_token_generator.check_token(user, token):
        raise Http404
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("admin:index")
