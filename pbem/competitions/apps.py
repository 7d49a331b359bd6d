from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CompetitionsConfig(AppConfig):
    name = "pbem.competitions"
    label = "contests"  # of its tables and permissions
    verbose_name = _("Competitions")
