"""A broker that is reached through TLS has to prove who it is."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from celery import Celery
from kombu.exceptions import OperationalError

from tests.pbem.operator.installation import read_anew, surrounded_by
from tests.relay import certificate


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[int]:
    """The port of a server that anybody may have put there."""
    _, tls = certificate(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with suppress(OSError), tls.wrap_socket(connection, server_side=True) as heard:
                        heard.recv(1000)
                        heard.sendall(b"+OK\r\n" * 10)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def test_a_certificate_that_nobody_vouches_for_is_not_believed(stranger: int) -> None:
    environment = {"DEVELOPMENT": "1", "CELERY_BROKER_URL": f"rediss://localhost:{stranger}/0"}
    with surrounded_by(environment), read_anew():
        app = Celery(set_as_current=False)
        app.config_from_object("django.conf:settings", namespace="CELERY")
        broker = app.connection_for_write()
        with pytest.raises(OperationalError, match="certificate verify failed"):
            broker.ensure_connection(max_retries=1, timeout=5)
        broker.release()
