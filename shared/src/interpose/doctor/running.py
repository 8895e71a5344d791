"""What runs: leftovers, the gateway and its door, the workers behind every hook, where spans go."""

import asyncio
import os
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

from interpose import __version__
from interpose.client.http import Gateway
from interpose.contracts.url import is_loopback
from interpose.doctor.finding import Finding, bad, note, ok
from interpose.embedded.home import Home
from interpose.embedded.state import RunState
from interpose.embedded.status import ServiceStatus, Status, read_status
from interpose.embedded.tokens import LOCAL
from interpose.errors import GatewayUnreachable

OTLP = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
CONNECT_S = 2


def check_processes(state: RunState | None) -> Iterator[Finding]:
    """Whether `interpose up` runs, and nothing is left of one that was killed."""
    if state is not None and state.supervisor.lives:
        yield ok("processes", f"`interpose up` runs as process {state.supervisor.pid}")
        return
    left = [child for child in state.children if child.lives] if state is not None else []
    if left:
        said = ", ".join(f"{child.name} ({child.pid})" for child in left)
        yield bad("processes", f"left over from a run that was killed: {said}", "`interpose up` ends them and starts")
    else:
        yield bad("processes", "nothing runs here", "start with `interpose up`")


async def check_running(home: Home) -> list[Finding]:
    """The gateway, its door and every worker. Raises NotRunning when nothing runs."""
    status = await read_status(home)
    found = [check_gateway(status), *await asyncio.to_thread(check_door, home, status.gateway.url)]
    return [*found, *(check_service(service) for service in status.services)]


def check_gateway(status: Status) -> Finding:
    """Whether calls can be decided now."""
    gateway = status.gateway
    if gateway.ready:
        return ok("gateway", f"{gateway.url} decides calls, revision {gateway.revision}")
    said = "; ".join(gateway.trouble) or "it is not ready"
    return bad("gateway", f"{gateway.url} refuses every call: {said}", "mend that; `interpose logs gateway` tells more")


def check_door(home: Home, url: str) -> Iterator[Finding]:
    """Nobody without a token, the local one, and how far the port reaches. No call is made: the probe has no body."""
    try:
        stranger, _ = Gateway(url).call({})
        known, answer = Gateway(url, _token(home)).call({})
    except GatewayUnreachable as error:
        yield bad("door", str(error), "`interpose logs gateway`")
        return
    if stranger == 401:
        yield ok("door", "a call without a token is turned away")
    else:
        yield bad("door", f"a call without a token is answered {stranger}", f"look at what listens on {url}")
    if known == 401:
        said = f"the gateway turns the token {home.token(LOCAL)} away: {answer.get('reason')}"
        yield bad("token", said, f"`interpose clients rotate {LOCAL}` writes it and the clients file anew")
    else:
        yield ok("token", f"{home.token(LOCAL)} is known")
    yield check_reach(url)


def check_reach(url: str) -> Finding:
    """Beyond this machine tokens travel as they are."""
    host = urlsplit(url).hostname or ""
    if is_loopback(host):
        return ok("reach", f"only this machine can connect to {url}")
    said = f"{url} is open to the network, and tokens travel there in clear"
    return note("reach", said, "put TLS in front of it, or bind to 127.0.0.1")


def check_service(service: ServiceStatus) -> Finding:
    """Whether somebody answers, in the version that is installed here."""
    check = f"{service.role} {service.name}"
    if not service.workers:
        if service.ready:
            return note(check, "nobody serves it, and nobody needs it", "remove the package, or leave it")
        said = f"no worker, and {', '.join(service.needed_by)} need it: their calls are refused"
        return bad(check, said, f"`interpose logs {service.name}`, or serve it with `interpose run FILE.py`")
    others = sorted({worker.version for worker in service.workers} - {__version__})
    is_ours = any(worker.pid is not None for worker in service.workers)
    if is_ours and others and service.role == "service":
        said = f"workers of version {', '.join(others)} beside interpose {__version__}"
        return note(check, said, "restart with `interpose down` and `interpose up`, or install one version of all")
    return ok(check, f"{len(service.workers)} present")


def check_spans() -> Finding:
    """Whether the collector that the environment names can be reached."""
    endpoint = next((os.environ[name] for name in OTLP if os.environ.get(name)), None)
    if endpoint is None:
        remedy = "set OTEL_EXPORTER_OTLP_ENDPOINT to see calls in a tracing dashboard"
        return note("spans", "spans are not exported; trace ids stand on records all the same", remedy)
    where = urlsplit(endpoint)
    try:
        socket.create_connection((where.hostname or "", where.port or _port(where.scheme)), CONNECT_S).close()
    except (OSError, ValueError) as error:
        return bad("spans", f"the collector at {endpoint} cannot be reached: {error}", "start it, or mend the variable")
    return ok("spans", f"the collector at {endpoint} can be reached")


def _port(scheme: str) -> int:
    return 443 if scheme == "https" else 80


def _token(home: Home) -> str:
    try:
        return home.token(LOCAL).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return "unreadable"
