"""Whether a process is ready, asked from beside it, as the health checks of containers do.

`python -m interpose.bus.readiness` asks and exits with 0 when it is ready: a worker at the Unix socket that
INTERPOSE_READY_SOCKET names, because with its key on the bus nobody may ask, only reply; a gateway over HTTP. It runs
every few seconds beside every process, so each half imports what it alone needs.
"""

import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

SOCKET, PORT = "INTERPOSE_READY_SOCKET", "INTERPOSE_HTTP_PORT"
USUAL_PORT = "8600"
PATIENCE_S = 4
"""How long the process may take to say it: one whose loop is stuck never does."""

Trouble = Callable[[], Awaitable[list[str]]]


@asynccontextmanager
async def answering(path: Path | None, trouble: Trouble) -> AsyncIterator[None]:
    """Answer at the socket for as long as this is open. `trouble` says why not ready; nothing = ready.

    Without a path nobody can ask. Only the same user of the same machine can.
    """
    if path is None:
        yield
        return
    import asyncio

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said = await trouble()
        writer.write(json.dumps({"ready": not said, "trouble": said}).encode() + b"\n")
        writer.close()

    # A socket that an earlier process left is replaced; ours stays behind as well, and nobody answers at it.
    server = await asyncio.start_unix_server(answer, path)
    try:
        yield
    finally:
        server.close()


def ask() -> list[str]:
    """Why the process beside this one is not ready; nothing = it is. Silence is a reason as well."""
    path = os.environ.get(SOCKET)
    try:
        said = _at_socket(path) if path and Path(path).exists() else _over_http(int(os.environ.get(PORT, USUAL_PORT)))
        return [str(sentence) for sentence in json.loads(said)["trouble"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [f"nobody says that it is ready: {error!r}"]


def _at_socket(path: str) -> bytes:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE_S)
        connection.connect(path)
        with connection.makefile("rb") as said:
            return said.readline()


def _over_http(port: int) -> bytes:
    from http.client import HTTPConnection, HTTPException

    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().read()
    except HTTPException as error:
        raise ValueError(f"what answers on port {port} speaks no HTTP: {error!r}") from error
    finally:
        connection.close()


def main() -> int:
    """Ask, and tell why not."""
    said = ask()
    for sentence in said:
        print(sentence, file=sys.stderr)
    return int(bool(said))


if __name__ == "__main__":
    sys.exit(main())
