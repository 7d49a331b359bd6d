"""Rows about contests."""

from pbem.contests.models.challenge import Challenge
from pbem.contests.models.circuit import Circuit, Stage
from pbem.contests.models.contest import Contest, Edition, Table
from pbem.contests.models.entrant import Entrant

__all__ = ["Challenge", "Circuit", "Contest", "Edition", "Entrant", "Stage", "Table"]
