from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OutboxConfig(AppConfig):
    name = "pbem.outbox"
    verbose_name = _("Outgoing letters")

    def ready(self) -> None:
        from pbem.competitions.news import subscribe as hear_of_contests  # noqa: PLC0415
        from pbem.matches.events import subscribe  # noqa: PLC0415 - models exist only now
        from pbem.outbox.notifications.announcements import tell as tell_of_contest  # noqa: PLC0415
        from pbem.outbox.notifications.direct_messages import tell_of_absence, tell_watchers  # noqa: PLC0415
        from pbem.outbox.notifications.match_events import part, tell  # noqa: PLC0415

        subscribe(tell)
        subscribe(tell_of_absence)
        subscribe(part)
        subscribe(tell_watchers)
        hear_of_contests(tell_of_contest)
