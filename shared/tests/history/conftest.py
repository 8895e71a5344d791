"""Small logs, written here from what the platforms' documents say of them, and a store to import them into."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interpose.history.formats import format_of
from interpose.history.importing import Importer, Tally
from interpose.history.reader import Past, Reader
from interpose.history.sources import Log, logs
from interpose.history.store import Store

AT = "2026-05-04T03:02:01.000Z"


def claude_call(call_id: str, tool: str, arguments: Any, **more: Any) -> dict[str, Any]:
    """An `assistant` line with one call."""
    block = {"type": "tool_use", "id": call_id, "name": tool, "input": arguments}
    message = {"role": "assistant", "content": [{"type": "text", "text": "I look"}, block]}
    return {"type": "assistant", "sessionId": "s1", "cwd": "/w", "timestamp": AT, "message": message} | more


def claude_result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    """A `user` line with one result."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content} | more
    return {"type": "user", "sessionId": "s1", "cwd": "/w", "timestamp": AT, "message": {"content": [block]}}


def codex_item(**payload: Any) -> dict[str, Any]:
    """A `response_item` line."""
    return {"timestamp": AT, "type": "response_item", "payload": payload}


class Told:
    """A witness that keeps what it is told."""

    def __init__(self) -> None:
        self.damage: list[tuple[str, int, str]] = []
        self.batches = 0

    def damaged(self, log: Log, number: int, message: str) -> None:
        self.damage.append((Path(log.name).name, number, message))

    def advanced(self, _log: Log, _offset: int) -> None:
        self.batches += 1


class History:
    """A store in a folder, and what an import into it comes to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "history.sqlite"
        self.told = Told()

    def write(self, name: str, *lines: Any, ends: str = "\n") -> Path:
        """A log of these lines: JSON, or text as it is."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("\n".join(texts) + ends if texts else "")
        return path

    def add(self, platform: str, *paths: Path, servers: tuple[str, ...] = ()) -> Tally:
        """Import them; what was damaged stands in `told`."""
        store, form = Store.open(self.path), format_of(platform)
        try:
            return Importer(store, form, self.told, servers).run(logs(paths, form))
        finally:
            store.close()

    def calls(self) -> list[Past]:
        """All that is stored, in the order in which it was."""
        reader = Reader.open(self.path)
        try:
            return sorted(reader.newest_first(), key=lambda past: past.id)
        finally:
            reader.close()


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path)


@pytest.fixture
def reader(history: History) -> Iterator[Callable[[], Reader]]:
    opened: list[Reader] = []

    def open_it() -> Reader:
        opened.append(Reader.open(history.path))
        return opened[-1]

    yield open_it
    for each in opened:
        each.close()
