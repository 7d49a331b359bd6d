"""How gunicorn serves the web: `gunicorn pbem.wsgi --config python:pbem.gunicorn`, or `pbem web`."""

import os

from gunicorn.glogging import Logger

from pbem.redaction import Redaction


class Log(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Its handlers are not those of the settings."""

    def setup(self, cfg: object) -> None:
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.addFilter(Redaction())


logger_class = Log
bind = os.environ.get("WEB_LISTEN", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 4
timeout = 60  # a webhook may bring 32 MiB
graceful_timeout = 20
max_requests = 20_000  # whatever grows begins anew
max_requests_jitter = 2_000
forwarded_allow_ips = os.environ.get("TRUSTED_PROXIES", "127.0.0.1,::1")
forwarder_headers = (
    ""  # by itself it takes SCRIPT_NAME from a proxy, and a proxy may pass on what a visitor wrote
)
control_socket_disable = (
    True  # one more way in, which nobody uses; it would lie in a home that units cannot write
)
