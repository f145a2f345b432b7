"""Serves the metrics of all nodes of this machine and of the supervisor, on an address of their own."""

from __future__ import annotations

from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector

from server.process.settings import BadSetting


class SupervisorMetrics:
    """What the supervisor itself counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        text = "Nodes that were restarted, by why: they died or hung"
        self.restarts = Counter("cheeseboard_node_restarts", text, ["why"], registry=self.registry)
        for why in ("died", "hung"):
            self.restarts.labels(why)

    def restarted(self, why: str) -> None:
        """Count a restart."""
        self.restarts.labels(why).inc()

    def serve(self, host: str, port: int, folder: str) -> WSGIServer:
        """Serve them with the sum of what the nodes write into this folder, in a thread of its own."""
        MultiProcessCollector(self.registry, folder)  # type: ignore[no-untyped-call]
        try:
            server, _ = start_http_server(port, host, self.registry)
        except OSError as fault:
            raise BadSetting(
                f"port {port} on {host} cannot be used for metrics ({fault.strerror}): set METRICS_PORT to another "
                "one, or to 0 for none"
            ) from None
        return server
