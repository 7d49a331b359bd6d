from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class InboxConfig(AppConfig):
    name = "pbem.inbox"
    verbose_name = _("Letters that arrive")
