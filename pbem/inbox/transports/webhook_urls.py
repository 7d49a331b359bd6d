"""Where mail providers bring letters and what became of ours, below `mail/`."""

from django.urls import path

from pbem.inbox.transports.webhooks import inbound, tracking

urlpatterns = [
    path("<slug:name>/inbound/", inbound, name="inbound"),
    path("mailgun/inbound_mime/", inbound, {"name": "mailgun"}, name="inbound-mime"),
    path("<slug:name>/tracking/", tracking, name="tracking"),
]
