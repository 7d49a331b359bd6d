from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ContestsConfig(AppConfig):
    name = "pbem.contests"
    verbose_name = _("Contests")
