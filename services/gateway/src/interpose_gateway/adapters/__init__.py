"""The core's ports, each over one real thing: the bus, the stream, a file, HTTP, metrics."""
