"""Reading what the programs wrote down (`programs/diary.py`)."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Diary:
    """The folder of all diaries."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to write into it."""
        return {"INTERPOSE_TEST_DIARY": str(self.folder)}

    def of(self, event: str, instance: str = "") -> list[dict[str, Any]]:
        """Everything of one kind, of one instance where it is named. A line that is half written is not there yet."""
        paths = sorted(self.folder.glob(f"{instance}-*.jsonl" if instance else "*.jsonl"))
        lines = [line for path in paths for line in path.read_text().splitlines(keepends=True)]
        found = [json.loads(line) for line in lines if line.endswith("\n")]
        return [each for each in found if each["event"] == event]
