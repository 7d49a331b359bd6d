from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DeskConfig(AppConfig):
    name = "pbem.desk"
    verbose_name = _("Desk")

    def ready(self) -> None:
        # The wire of the bells, without which Celery would call a broker on localhost; the system checks.
        from pbem import celery, safety  # noqa: F401, PLC0415 - settings are complete only now
