"""Units, and lines for the programs around PBeM, with the paths of this installation."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

IN_A_WHEEL = settings.ROOT / "pbem" / "samples"
IN_THE_SOURCE = settings.ROOT / "deploy"
AS_WRITTEN = "/srv/pbem/venv/bin"
PICTURES = (".png", ".py", ".pyc")


class Command(BaseCommand):
    help = "Copy what is shipped into DIR: units of systemd, lines for nginx, Caddy, Postfix, fail2ban, and the notes."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        shipped = IN_THE_SOURCE if IN_THE_SOURCE.is_dir() else IN_A_WHEEL
        here = str(Path(sys.executable).parent)
        try:
            for source in sorted(shipped.rglob("*")):
                if source.is_file() and source.suffix not in PICTURES:
                    copy = options["folder"] / source.relative_to(shipped)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    copy.write_text(source.read_text("utf-8").replace(AS_WRITTEN, here), "utf-8")
                    copy.chmod(source.stat().st_mode)
        except OSError as trouble:
            raise CommandError(f"They cannot be written: {trouble}") from trouble
        self.stdout.write(f"{options['folder']} has them.")
