"""Caddy and nginx as our samples set them up, in front of a web on this machine: plain http on a high port."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.processes import ROOT, Process, wait_until
from tests.smtp_fixtures import free_port

SHIPPED = ROOT / "deploy"
UPSTREAM = "127.0.0.1:8000"
Address = tuple[str, int]


def _caddy(folder: Path, port: int, upstream: str) -> list[str]:
    shipped = (SHIPPED / "caddy/Caddyfile").read_text("utf-8").replace(UPSTREAM, upstream)
    site = shipped.replace("play.example.org", f"http://:{port}")
    file = folder / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}}\n{site}", "utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]


def _nginx(folder: Path, port: int, upstream: str) -> list[str]:
    """Of the sample the server with the certificate, without it."""
    shipped = (SHIPPED / "nginx/pbem.conf").read_text("utf-8").replace(UPSTREAM, upstream)
    server = "server {" + re.sub(r"    (listen|ssl_certificate).*\n", "", shipped.split("server {")[2])
    site = server.replace("server {", f"server {{\n    listen 127.0.0.1:{port};", 1)
    kept = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off;\npid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
        # As some have it, for whom an underscore is a letter like any other.
        f"http {{\naccess_log off;\nunderscores_in_headers on;\n{kept}{site}}}\n",
        "utf-8",
    )
    return ["nginx", "-e", "stderr", "-c", str(file)]


COMMANDS: Mapping[str, Callable[[Path, int, str], list[str]]] = {"caddy": _caddy, "nginx": _nginx}


def is_installed(name: str) -> bool:
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is not None


@contextmanager
def proxy(name: str, folder: Path, upstream: Address) -> Iterator[Address]:
    """Where it listens."""
    address = ("127.0.0.1", free_port())
    env = os.environ | {
        "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
        "PATH": f"{os.environ['PATH']}:/usr/sbin",
    }  # fmt: skip
    command = COMMANDS[name](folder, address[1], "{}:{}".format(*upstream))
    process = Process(command, env, folder / f"{name}.log")
    try:
        wait_until(lambda: process.ended is not None or process.holds(address[1]), f"{name} listens")
        assert process.ended is None, process.said
        yield address
    finally:
        process.stop()
