"""What browsers are told with each page, and what nobody is told."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from pbem import embedded
from tests.smtp_fixtures import free_port


@pytest.mark.django_db
def test_only_the_desk_may_run_scripts_and_only_its_own() -> None:
    said = {
        path: Client().get(path).headers["Content-Security-Policy"]
        for path in ("/", "/admin/login/", "/admin/sign-in/", "/admin/second-factor/")
    }
    assert "script-src 'self' 'unsafe-inline' 'unsafe-eval'" in said["/admin/login/"]
    assert "frame-ancestors 'self'" in said["/admin/login/"]
    for path in ("/", "/admin/sign-in/", "/admin/second-factor/"):
        assert "unsafe-inline" not in said[path]
        assert "default-src 'none'" in said[path]
        assert "script-src" not in said[path]
        assert "frame-ancestors 'none'" in said[path]
    assert "script-src" not in Client().get("/", SCRIPT_NAME="/admin").headers["Content-Security-Policy"]
    for policy in said.values():
        assert "form-action 'self'" in policy
        assert "http:" not in policy


@pytest.mark.parametrize(("ask", "status"), [("GET /nothing HTTP/1.0", 404), ("NONSENSE", 400)])
def test_no_version_is_told(ask: str, status: int, settings: Settings, tmp_path: Path) -> None:
    settings.WEB_LISTEN, settings.STATIC_ROOT = f"127.0.0.1:{free_port()}", tmp_path
    host, _, port = settings.WEB_LISTEN.partition(":")
    with embedded._web(), socket.create_connection((host, int(port)), timeout=30) as line:
        line.sendall(f"{ask}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(4096), b"")).decode()
    head = answer.partition("\r\n\r\n")[0]
    assert "Server: PBeM" in head
    assert "Python" not in head
    assert f" {status} " in answer
