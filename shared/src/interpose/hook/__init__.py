"""Writing hooks and tools: `Hook`, `Tool`, the verdicts, and the worker that serves them on the bus."""
