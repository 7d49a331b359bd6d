from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class DeskConfig(AppConfig):
    name = "pbem.desk"
    verbose_name = _("Admin")

    def ready(self) -> None:
        # Our Celery, without which tasks would go to a broker on localhost; the system checks; the groups.
        from pbem import celery, checks, squashed  # noqa: F401, PLC0415 - settings are complete only now
        from pbem.desk.people.groups import make_groups  # noqa: PLC0415

        # Of all our apps the permissions stand when the accounts have been migrated: they come later in the list.
        post_migrate.connect(make_groups, sender=apps.get_app_config("auth"))
