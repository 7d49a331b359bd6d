from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class AdminConfig(AppConfig):
    name = "pbem.admin"
    label = "desk"  # Django has an app called admin; tables and permissions bear this name
    verbose_name = _("Admin")

    def ready(self) -> None:
        # Imported for their effect: the Celery app (without it tasks go to a broker on localhost) and the
        # checks.
        from pbem import celery, checks, old_databases  # noqa: F401, PLC0415 - settings are complete only now
        from pbem.admin.people.groups import make_groups  # noqa: PLC0415

        # The permissions of all our apps exist when auth has been migrated: it comes after them in
        # INSTALLED_APPS.
        post_migrate.connect(make_groups, sender=apps.get_app_config("auth"))
