"""Copies the sample units and configuration lines, with the paths of this installation."""

import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from pbem.operator import setting_up

IN_A_WHEEL = settings.ROOT / "pbem" / "samples"
IN_THE_SOURCE = settings.ROOT / "deploy"
PICTURES = (".png", ".py", ".pyc")
IMAGES = "docker"  # a container has paths of its own


class Command(BaseCommand):
    help = "Copy what is shipped into DIR: units of systemd, lines for nginx, Caddy, Postfix, fail2ban, and the notes."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        shipped = IN_THE_SOURCE if IN_THE_SOURCE.is_dir() else IN_A_WHEEL
        folder: Path = options["folder"]
        here = paths(folder)
        try:
            for source in sorted(shipped.rglob("*")):
                if source.is_file() and source.suffix not in PICTURES:
                    inside = source.relative_to(shipped)
                    copy = folder / inside
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    copy.write_text(
                        placed(source.read_text("utf-8"), {} if IMAGES in inside.parts else here), "utf-8"
                    )
                    copy.chmod(source.stat().st_mode)
        except OSError as trouble:
            raise CommandError(f"They cannot be written: {trouble}") from trouble
        self.stdout.write(f"{folder} has them.")


def paths(samples: Path) -> Mapping[str, str]:
    """Returns the paths in the samples with those of this installation; unknown ones are left out."""
    file = setting_up.where(os.environ)
    here = {
        "/srv/pbem/venv/bin": str(Path(sys.executable).parent),
        "/srv/pbem/samples": str(samples.resolve()),
    }
    if file.exists():
        here[setting_up.USUAL] = str(file.resolve())
        here["/srv/pbem/var"] = _var(file) or "/srv/pbem/var"
    return here


def _var(file: Path) -> str:
    """Returns the last VAR of the settings file; "" when there is none."""
    try:
        read = list(setting_up.read(file.read_text("utf-8", "replace")))
    except OSError as trouble:
        raise CommandError(
            f"{file} cannot be read, which says where VAR lies: {trouble.strerror}."
        ) from trouble
    said = [each.value for each in read if isinstance(each, setting_up.Setting) and each.name == "VAR"]
    return said[-1] if said else ""


def placed(text: str, here: Mapping[str, str]) -> str:
    """Replaces the paths of the samples, in one pass: a path of ours may begin like one of them."""
    if not here:
        return text
    return re.sub("|".join(map(re.escape, here)), lambda written: here[written[0]], text)
