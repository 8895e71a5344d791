"""The smallest HTTP/1.1 client that keeps its connection: what it costs itself should not show."""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class HttpCaller:
    """One connection that sends the same call again and again; it is opened anew when the gateway found it idle."""

    port: int
    token: str
    body: bytes
    status: str = "200"
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = field(default=None)

    async def call(self) -> None:
        """One call to its end. Raises RuntimeError where the answer has another status."""
        if self._streams is None or self._streams[0].at_eof():
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        writer.write(self._request())
        head = await reader.readuntil(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
        answer = await reader.readexactly(int(fields[b"content-length"]))
        if head[9:12] != self.status.encode():
            raise RuntimeError(f"{head[:40]!r} {answer[:500]!r}")

    def _request(self) -> bytes:
        head = (
            f"POST /v1/calls HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(self.body)}\r\n\r\n"
        )
        return head.encode() + self.body
