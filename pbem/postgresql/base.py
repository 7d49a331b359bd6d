"""Limits the rows in a statement: the server takes 65,535 values, and Django 5 sets no limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.postgresql import base, operations

MOST = 65_535


class DatabaseOperations(operations.DatabaseOperations):
    def bulk_batch_size(self, fields: Sequence[Any], objs: Sequence[Any]) -> int:
        """Returns the rows in a statement; a bulk UPDATE repeats the key of the row for each value."""
        return max(1, MOST // (2 * len(fields) + 1))


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
