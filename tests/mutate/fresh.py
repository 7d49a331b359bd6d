"""A plugin of pytest: imports one module from another file than its own, which the environment names."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

NAME, FILE = "MUTATED_NAME", "MUTATED_FILE"


class _Loader(SourceFileLoader):
    def get_data(self, path: str) -> bytes:
        return Path(os.environ[FILE]).read_bytes() if path.endswith(".py") else super().get_data(path)

    def path_stats(self, path: str) -> dict[str, float]:
        raise OSError("nothing that was compiled before is of use")


class _Finder:
    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != os.environ.get(NAME):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = _Loader(name, str(spec.origin))
        return spec


sys.meta_path.insert(0, _Finder)
