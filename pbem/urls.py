"""The web: a front page, the desk, and the way out of the letters."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

from pbem.desk.views import sign_in_once, well
from pbem.inbox.transports.webhooks import inbound, tracking
from pbem.inbox.views import never_again, unsubscribe
from pbem.outbox.rendering.reply import play_address

front = TemplateView.as_view(template_name="site/front.html", extra_context={"play_address": play_address()})

# Here and not at every start: a door, a worker, a beat and a pipe have no use for the desk, which is a third of
# the time that a process takes to start, and a quarter of its memory.
admin.autodiscover()

urlpatterns = [
    path("", front, name="front"),
    path("mail/<slug:name>/inbound/", inbound, name="inbound"),
    path("mail/mailgun/inbound_mime/", inbound, {"name": "mailgun"}, name="inbound-mime"),
    path("mail/<slug:name>/tracking/", tracking, name="tracking"),
    path("u/<str:token>/", unsubscribe, name="unsubscribe"),
    path("n/<str:token>/", never_again, name="never-again"),
    path("admin/sign-in/<int:pk>/<str:token>/", sign_in_once, name="sign-in-once"),
    path("health/", well, name="health"),
    path("admin/", admin.site.urls),
]

if settings.DEVELOPMENT:
    # A mailbox for everybody: elsewhere anybody could read all letters there, and write in anybody's name.
    urlpatterns.append(path("letters/", include("pbem.demo.urls")))
