"""What a server measures of itself, for Prometheus. Numbers only: no table, no person, no address."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Final

from litestar import Response, get
from litestar.plugins.prometheus import PrometheusConfig
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from shopfloor.web.identity import AnyRequest
from shopfloor.web.problems import ProblemError
from shopfloor.web.services import Services, services
from shopfloor.web.stream import UNCOMPRESSED

BUCKETS: Final[list[str | float]] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5]

# Of every request: how many, how long, how they ended; by the pattern of the address. Streams last for hours.
REQUESTS: Final = PrometheusConfig(
    app_name="shopfloor",
    prefix="shopfloor",
    group_path=True,
    buckets=BUCKETS,
    exclude=["^/static", "^/healthz", "^/readyz", "^/metrics"],
    exclude_opt_key=next(iter(UNCOMPRESSED)),
)


class OfTables(Collector):
    """What the tables and those who follow them amount to, looked up when it is asked for."""

    def __init__(self, server: Services) -> None:
        self._server = server

    def collect(self) -> Iterator[Metric]:
        """The metrics, each with its meaning."""
        server = self._server
        tables = GaugeMetricFamily("shopfloor_tables", "Tables in the database, by status.", labels=["status"])
        for status, count in server.tables.count_by_status().items():
            tables.add_metric([status], count)
        yield tables
        stored = CounterMetricFamily(
            "shopfloor_log_entries", "Log entries that this process has stored.", labels=["kind", "by"]
        )
        for (kind, computer), count in server.tables.stored().items():
            stored.add_metric([kind, "computer" if computer else "person"], count)
        yield stored
        yield CounterMetricFamily(
            "shopfloor_storing_seconds", "Time spent on storing them.", value=server.tables.seconds_storing()
        )
        yield GaugeMetricFamily(
            "shopfloor_sessions", "Open pages and programs that follow a table here.", value=server.news.watches()
        )
        yield GaugeMetricFamily(
            "shopfloor_tables_followed", "Tables that somebody follows here.", value=server.news.watched()
        )
        thinking = GaugeMetricFamily("shopfloor_thoughts", "Decisions of computers.", labels=["state"])
        for state, count in server.thinkers.counts().items():
            thinking.add_metric([state], count)
        yield thinking


@get("/metrics", include_in_schema=False, sync_to_thread=True)
def metrics(request: AnyRequest) -> Response[bytes]:
    """The numbers, for whoever knows the token."""
    server = services(request)
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    wanted = server.settings.metrics
    if not wanted:
        raise ProblemError(404, "NOT_FOUND", "This server keeps its numbers to itself (SHOPFLOOR_METRICS is not set).")
    if not secrets.compare_digest(given.encode(), wanted.encode()):
        raise ProblemError(401, "BAD_TOKEN", "Send 'Authorization: Bearer TOKEN' with the token of SHOPFLOOR_METRICS.")
    own = CollectorRegistry()
    own.register(OfTables(server))
    return Response(generate_latest(REGISTRY) + generate_latest(own), media_type=CONTENT_TYPE_LATEST)
