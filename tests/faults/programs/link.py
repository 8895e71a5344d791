"""The line between one gateway and the broker: what comes is passed on, or held back without a word.

`link.py PORT`, to INTERPOSE_TEST_LINK_TO on this machine. SIGUSR1: the gateway hears nothing any more; SIGUSR2: nothing
of it arrives; SIGHUP: both go on, and what was held arrives late, as a network delivers what it could not. New lines
are taken all the while and held as well: nobody is ever told that there is nobody.
"""

import asyncio
import os
import signal
import sys
from contextlib import suppress

from diary import note

BLOCK_BYTES = 65_536


class Line:
    """Both directions, each open or not."""

    def __init__(self) -> None:
        self.down, self.up = asyncio.Event(), asyncio.Event()
        self.join()

    def join(self) -> None:
        """Everything goes on."""
        self.down.set()
        self.up.set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection to its end."""
        try:
            far_reader, far_writer = await asyncio.open_connection(
                "127.0.0.1", int(os.environ["INTERPOSE_TEST_LINK_TO"])
            )
        except OSError:
            writer.close()  # the broker itself is away: that is no fault of the line
            return
        await asyncio.gather(self._pass(reader, far_writer, self.up), self._pass(far_reader, writer, self.down))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_open: asyncio.Event) -> None:
        with suppress(OSError):
            while block := await reader.read(BLOCK_BYTES):
                await is_open.wait()
                writer.write(block)
                await writer.drain()
            await is_open.wait()
        writer.close()


async def main() -> None:
    """Pass on until killed."""
    line, loop = Line(), asyncio.get_running_loop()
    for number, do in ((signal.SIGUSR1, line.down.clear), (signal.SIGUSR2, line.up.clear), (signal.SIGHUP, line.join)):
        loop.add_signal_handler(number, do)
    server = await asyncio.start_server(line.take, "127.0.0.1", int(sys.argv[1]))
    note("listens")
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
