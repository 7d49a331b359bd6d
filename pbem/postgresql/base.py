"""The server takes 65,535 values in a statement, and Django 5 writes as many rows into one as it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.backends.postgresql import base, operations

MOST = 65_535


class DatabaseOperations(operations.DatabaseOperations):
    def bulk_batch_size(self, fields: Sequence[Any], objs: Sequence[Any]) -> int:
        """Rows in a statement. An UPDATE of many names the key of a row again with each value."""
        return max(1, MOST // (2 * len(fields) + 1))


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
