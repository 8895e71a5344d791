"""A stand-in for an OpenTelemetry collector: takes spans over HTTP and forgets them. `collector.py PORT`."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Collector(BaseHTTPRequestHandler):
    """Says 200 to all that is posted."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Read it whole, or the connection could not be kept."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Collector).serve_forever()
