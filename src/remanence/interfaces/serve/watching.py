"""What a server tells of itself: metrics for Prometheus, spans for OpenTelemetry, logs as JSON lines.

None of it holds a memory's text, a query or an argument: routes by their pattern, status, times, ids of requests and
tokens. Of an unexpected error the log has its kind and where it was raised, not what it said.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from remanence.errors import InvalidInput
from remanence.interfaces.minds import Minds

_LOG = logging.getLogger("remanence.serve")
_ALWAYS = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message"}
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class JsonLines(logging.Formatter):
    """A log record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage() if not record.exc_info else record.msg,
        }
        told |= {name: value for name, value in record.__dict__.items() if name not in _ALWAYS}
        if record.exc_info and record.exc_info[1] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            told["error"] = type(record.exc_info[1]).__name__
            told["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
        return json.dumps(told, ensure_ascii=True, default=str)


def log_to_stderr(level: str = "info") -> None:
    """Send the logs of this process to standard error, one JSON object a line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("remanence", "uvicorn", "uvicorn.error", "mcp"):
        logger = logging.getLogger(name)
        logger.handlers = [handler] if name in ("remanence", "uvicorn", "mcp") else []
        logger.setLevel(level.upper() if name == "remanence" else logging.WARNING)
        logger.propagate = name == "uvicorn.error"


class Metrics:
    """Counters and times, in a registry of their own."""

    def __init__(self, minds: Minds) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = CollectorRegistry()
        self._minds = minds
        self._requests = Counter(
            "remanence_requests_total", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "remanence_request_seconds",
            "Seconds a request took.",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._running = Gauge("remanence_requests_running", "Requests being answered.", registry=self._registry)
        self._open = Gauge("remanence_namespaces_open", "Namespaces that are open.", registry=self._registry)
        self._upkeeps = Counter("remanence_upkeeps_total", "Runs of the upkeep.", ("outcome",), registry=self._registry)

    def began(self) -> None:
        self._running.inc()

    def ended(self, method: str, route: str, status: int, seconds: float) -> None:
        self._running.dec()
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def upkeep(self, outcome: str) -> None:
        self._upkeeps.labels(outcome).inc()

    async def route(self, request: Request) -> Response:
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        self._open.set(len(self._minds.open()))
        return Response(generate_latest(self._registry), 200, media_type=CONTENT_TYPE_LATEST)


def tracer(wanted: bool) -> Any:
    """A tracer of OpenTelemetry, which its own variables (OTEL_…) configure; None where none is wanted."""
    if not wanted:
        return None
    from opentelemetry import trace

    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):  # nobody has set one up in this process
        trace.set_tracer_provider(_provider())
    return trace.get_tracer("remanence")


def _provider() -> Any:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError as missing:
        raise InvalidInput(
            f'serve.tracing needs {missing.name}, which is not installed. Run: pip install "remanence[tracing]"'
        ) from None
    resource = Resource.create()
    named = resource.attributes.get(SERVICE_NAME, "")
    if not named or str(named).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: "remanence"}))
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class Watching:
    """ASGI middleware that counts, times, traces and logs each request by the pattern of its route."""

    def __init__(self, app: Callable[..., Awaitable[None]], metrics: Metrics, tracer: Any = None) -> None:
        self._app = app
        self._metrics = metrics
        self._tracer = tracer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = [500], time.perf_counter()

        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
            await send(message)

        self._metrics.began()
        try:
            if self._tracer is None:
                await self._app(scope, receive, sending)
            else:
                with self._tracer.start_as_current_span(f"{scope['method']} request") as span:
                    await self._app(scope, receive, sending)
                    span.update_name(f"{scope['method']} {_route(scope)}")
                    span.set_attribute("http.route", _route(scope))
                    span.set_attribute("http.response.status_code", status[0])
        finally:
            seconds, route = time.perf_counter() - began, _route(scope)
            self._metrics.ended(_method(scope), route, status[0], seconds)
            state = scope.get("state", {})
            grant = state.get("grant")
            _LOG.info(
                "request",
                extra={
                    "method": _method(scope),
                    "route": route,
                    "status": status[0],
                    "milliseconds": round(seconds * 1000, 2),
                    "request_id": state.get("request_id", ""),
                    "token": grant.name if grant else "",
                    "namespace": grant.namespace if grant else "",
                },
            )


def _route(scope: Any) -> str:
    """The pattern of the route; what matched none has no name of its own, since anybody can invent paths."""
    if scope.get("path") == "/mcp":
        return "/mcp"
    route = scope.get("route")
    return getattr(route, "path_format", None) or getattr(route, "path", None) or "other"


def _method(scope: Any) -> str:
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return scope["method"] if scope["method"] in known else "other"
