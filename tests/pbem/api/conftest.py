"""Programs of players, with their tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from pbem.api.access import COUNTS
from pbem.players import api_tokens
from pbem.players.api_tokens import Scope
from pbem.players.models import Player
from tests.pbem.site.conftest import alice, bruno, carla, dora, later  # noqa: F401 - fixtures

ROOT = "/api/v1"


class Program:
    """Calls the API, with a token of the player if there is one."""

    def __init__(self, player: Player | None = None, *scopes: Scope) -> None:
        self.client = Client(raise_request_exception=True)
        self.headers: dict[str, str] = {}
        if player:
            _, text = api_tokens.create(player, scopes or tuple(Scope), now=timezone.now())
            self.headers["Authorization"] = f"Bearer {text}"

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"{ROOT}{path}", headers=self.headers | headers)

    def put(self, path: str, body: object, **headers: str) -> Any:
        return self._send("PUT", path, body, headers)

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        return self._send("POST", path, body, headers)

    def _send(self, method: str, path: str, body: object, headers: dict[str, str]) -> Any:
        kind = headers.pop("content_type", "application/json")
        told = {"data": b"" if body is None else body, "content_type": kind}
        return getattr(self.client, method.lower())(f"{ROOT}{path}", headers=self.headers | headers, **told)


Programs = Callable[..., Program]


@pytest.fixture(autouse=True)
def uncounted():
    COUNTS.clear()


@pytest.fixture
def visitor() -> Program:
    return Program()


def is_problem(answer: Any, status: int, code: str = "") -> dict[str, Any]:
    """Checks that it is one, and returns it."""
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == status
    assert told["type"].endswith(f"/en/api/#{code or status}")
    assert told["detail"]
    assert told.get("code", "") == code
    return told
