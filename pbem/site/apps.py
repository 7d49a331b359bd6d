from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SiteConfig(AppConfig):
    name = "pbem.site"
    verbose_name = _("Site")

    def ready(self) -> None:
        from pbem.outbox.data_export import add_source  # noqa: PLC0415 - models exist only now
        from pbem.site.browsers import kept  # noqa: PLC0415

        add_source(kept)
