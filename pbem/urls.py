"""URLs: the front page, the desk, unsubscribe links of letters, and monitoring."""

from django.conf import settings
from django.urls import URLResolver, include, path
from django.urls.resolvers import RoutePattern
from django.views.generic import TemplateView

from pbem.admin.people import sign_in as second_factor
from pbem.admin.people.sign_in import NewPassword, ask_for_link, sign_in_once
from pbem.health import health_json, healthz, metrics
from pbem.organiser import run_by
from pbem.outbox.signed_addresses import play_address

front = TemplateView.as_view(
    template_name="site/front.html", extra_context={"play_address": play_address(), "run_by": run_by}
)

# By module names, since include() would load the modules at once: a health check needs neither.
desk = URLResolver(RoutePattern("admin/"), "pbem.admin.urls", app_name="admin", namespace="admin")
providers = URLResolver(RoutePattern("mail/"), "pbem.inbox.transports.webhooks")

urlpatterns = [
    path("", front, name="front"),
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
