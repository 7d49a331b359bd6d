"""For translators: bring the catalogues up to what the sources say."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from pbem import catalog as messages


class Command(BaseCommand):
    help = "Collect the sentences to translate into pbem/locale, keeping what is translated."

    def handle(self, *args: Any, **options: Any) -> None:
        found = messages.collect(settings.ROOT)
        for path in messages.translations(settings.ROOT):
            catalog = messages.merge(path, found)
            messages.write(path, catalog)
            missing = sum(1 for message in catalog if message.id and not message.string)
            self.stdout.write(
                f"{path.relative_to(settings.ROOT)}: {len(catalog)} sentences, {missing} to translate"
            )
