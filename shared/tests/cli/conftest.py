"""The command line in this process, and a small HTTP server that plays the gateway's part byte by byte."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from interpose.cli.main import main


class Ran:
    """How one command ended and what it wrote."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


@pytest.fixture
def interpose(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Run a command in an empty folder with an empty home."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INTERPOSE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str) -> Ran:
        code = main(list(arguments))
        return Ran(code, *capsys.readouterr())

    return run


class Peer:
    """A server that answers what it was told to, and keeps what it was asked."""

    def __init__(self) -> None:
        self.status = 200
        self.body = b"{}"
        self.hangs_up = False
        self.asked: list[dict[str, Any]] = []
        peer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                peer._answer(self)

            do_GET = do_POST  # noqa: N815 - the standard library's own spelling

            def log_message(self, *arguments: Any) -> None:
                """Quiet: pytest shows what matters."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        data = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        self.asked.append(
            {"path": request.path, "headers": dict(request.headers), "body": json.loads(data) if data else None}
        )
        if self.hangs_up:
            request.connection.close()
            return
        request.send_response(self.status)
        request.send_header("Content-Length", str(len(self.body)))
        request.end_headers()
        request.wfile.write(self.body)

    def answers(self, status: int, **answer: Any) -> None:
        """From now on: this status and this JSON."""
        self.status, self.body = status, json.dumps(answer).encode()

    def close(self) -> None:
        """Stop and wait."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def peer() -> Iterator[Peer]:
    """One server of the test's own."""
    server = Peer()
    yield server
    server.close()
