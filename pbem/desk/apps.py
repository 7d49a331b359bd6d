from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DeskConfig(AppConfig):
    name = "pbem.desk"
    verbose_name = _("Desk")

    def ready(self) -> None:
        from pbem import safety  # noqa: F401, PLC0415 - registers the system checks
