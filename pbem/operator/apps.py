from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OperatorConfig(AppConfig):
    name = "pbem.operator"
    verbose_name = _("Operator")
