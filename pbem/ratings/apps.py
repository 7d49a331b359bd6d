from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "pbem.ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        from pbem.matches.events import subscribe  # noqa: PLC0415 - models exist only now
        from pbem.ratings.service import follow  # noqa: PLC0415

        subscribe(follow)
