from functools import partial

from django.apps import AppConfig
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _


class InboxConfig(AppConfig):
    name = "pbem.inbox"
    verbose_name = _("Incoming email")

    def ready(self) -> None:
        from pbem.inbox.data_export import written_by  # noqa: PLC0415 - models exist only now
        from pbem.outbox.data_export import add_source  # noqa: PLC0415
        from pbem.players.names import reserve  # noqa: PLC0415

        reserve(partial(import_string, "pbem.inbox.commands.acceptance.RESERVED"))
        add_source(written_by)
