from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class RobotsConfig(AppConfig):
    name = "pbem.robots"
    verbose_name = _("Robots")

    def ready(self) -> None:
        from pbem.matches.events import subscribe  # noqa: PLC0415 - models exist only now
        from pbem.robots.scheduling import follow  # noqa: PLC0415

        subscribe(follow)
        post_migrate.connect(_seat_robots, sender=self)


def _seat_robots(**facts: Any) -> None:
    from pbem.robots.services import create_missing  # noqa: PLC0415 - models exist only now

    create_missing(facts.get("apps"))
