"""What a wheel has beside the modules: templates and samples, which lie elsewhere here, and compiled translations."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree, ignore_patterns

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parents[1]
NOT_RUN = ignore_patterns("*.py", "*.png", "docs", "__pycache__")


class Build(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib) / "pbem"
        copytree(ROOT / "templates", package / "templates", dirs_exist_ok=True)
        copytree(ROOT / "deploy", package / "samples", ignore=NOT_RUN, dirs_exist_ok=True)
        for source in (ROOT / "pbem" / "locale").glob("*/LC_MESSAGES/django.po"):
            compiled = package / source.relative_to(ROOT / "pbem").with_suffix(".mo")
            compiled.parent.mkdir(parents=True, exist_ok=True)
            with source.open("rb") as catalogue, compiled.open("wb") as file:
                write_mo(file, read_po(catalogue))
