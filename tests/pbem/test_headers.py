"""What browsers are told with each page, and what nobody is told."""

from __future__ import annotations

import socket
import threading

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client

from pbem.web import Web
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
        assert "default-src 'none'" in said[path]
        assert "script-src" not in said[path]
        assert "frame-ancestors 'none'" in said[path]
    assert "script-src" not in Client().get("/", SCRIPT_NAME="/admin").headers["Content-Security-Policy"]
    for policy in said.values():
        assert "form-action 'self'" in policy
        assert "http:" not in policy


@pytest.mark.parametrize(("ask", "status"), [("GET /favicon.ico HTTP/1.0", 404), ("NONSENSE", 400)])
def test_no_version_is_told(ask: str, status: int) -> None:
    web = Web("127.0.0.1", free_port())
    web.set_app(WSGIHandler())
    thread = threading.Thread(target=web.serve_forever)
    thread.start()
    try:
        with socket.create_connection(("127.0.0.1", web.server_port), timeout=30) as line:
            line.sendall(f"{ask}\r\n\r\n".encode())
            answer = b"".join(iter(lambda: line.recv(4096), b"")).decode()
    finally:
        web.shutdown()
        thread.join()
        web.server_close()
    assert "Python" not in answer.partition("\r\n\r\n")[0]
    assert f" {status} " in answer or "Error code: 400" in answer
