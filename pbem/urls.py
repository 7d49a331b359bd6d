"""URLs: the public pages, the desk, unsubscribe links of letters, and monitoring."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import URLResolver, include, path, reverse
from django.urls.resolvers import LocalePrefixPattern, RoutePattern

from pbem.admin.people import sign_in as second_factor
from pbem.admin.people.sign_in import NewPassword, ask_for_link, sign_in_once
from pbem.health import health_json, healthz, metrics


def front(request: HttpRequest) -> HttpResponse:
    """Leads to the front page in the visitor's language, which the middleware has chosen."""
    return HttpResponseRedirect(reverse("site:front"))


def icon(request: HttpRequest) -> HttpResponse:
    """Leads programs that look for an icon in one place to the one that pages name."""
    return HttpResponsePermanentRedirect(static("site/icon.svg"))


CLOSED = ("admin", "letters", "u", "n", "b", "s", "me", "c", "api")


def robots(request: HttpRequest) -> HttpResponse:
    """Tells search engines what is for people alone, and where the others are."""
    closed = "".join(f"Disallow: /{folder}/\n" for folder in CLOSED)
    maps = "".join(
        f"Sitemap: {settings.SITE_URL}/{language}/sitemap.xml\n" for language, _ in settings.LANGUAGES
    )
    lines = "Disallow: /*?line=\n"  # as many as there are games to be played
    return HttpResponse(f"User-agent: *\n{closed}{lines}\n{maps}", content_type="text/plain")


# By module names, since include() would load the modules at once: a health check needs none of them.
desk = URLResolver(RoutePattern("admin/"), "pbem.admin.urls", app_name="admin", namespace="admin")
site = URLResolver(LocalePrefixPattern(), "pbem.site.urls", app_name="site", namespace="site")
bulletins = URLResolver(LocalePrefixPattern(), "pbem.bulletin.web", app_name="bulletin", namespace="bulletin")
account = URLResolver(RoutePattern("me/"), "pbem.site.views.account", app_name="account", namespace="account")
sign_in = URLResolver(RoutePattern("s/"), "pbem.site.views.sign_in", app_name="sign-in", namespace="sign-in")
api = URLResolver(RoutePattern("api/v1/"), "pbem.api.app", app_name="api", namespace="api")
calendars = URLResolver(RoutePattern("c/"), "pbem.site.views.calendar")
boards = URLResolver(RoutePattern("b/"), "pbem.site.board.views")
providers = URLResolver(RoutePattern("mail/"), "pbem.inbox.transports.webhooks")

urlpatterns = [
    path("", front, name="front"),
    path("favicon.ico", icon),
    path("robots.txt", robots),
    site,
    bulletins,
    account,
    sign_in,
    api,
    boards,
    calendars,
    providers,
    path("", include("pbem.inbox.urls")),
    path(
        "admin/sign-in/", ask_for_link, name="admin_password_reset"
    ),  # the name to which the desk's form links
    path("admin/sign-in/<int:pk>/<str:token>/", sign_in_once, name="sign-in-once"),
    path("admin/new-password/<str:uidb64>/<str:token>/", NewPassword.as_view(), name="new-password"),
    path("admin/second-factor/", second_factor.page, name="second-factor"),
    path("health/", healthz, name="health"),
    path("health/json/", health_json, name="vitals"),
    path("metrics/", metrics, name="metrics"),
    desk,
]

if settings.DEVELOPMENT:
    # In production this page would reveal all letters, and send in any player's name.
    urlpatterns.append(path("letters/", include("pbem.demo.urls")))
