"""Mail programs that answer our letters."""

from tests.programs.program import Original, Way
from tests.programs.table import PROGRAMS, WAYS

__all__ = ["PROGRAMS", "WAYS", "Original", "Way"]
