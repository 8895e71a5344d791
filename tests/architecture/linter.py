"""Import rules of the whole workspace: `python tests/architecture/linter.py [ROOT]`, with its own exit code.

The rules stand in `[tool.importlinter]` of pyproject.toml, where the word `services/*` in a list means every member's
package. It is spelled out here, from the folders, so that a new service is under the rules without an edit.
"""

import json
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from importlinter.cli import lint_imports

EVERY_SERVICE = "services/*"


def check(root: Path) -> int:
    """Check the sources below this root, not those that may be installed beside us; 0 = every rule is kept."""
    services = sorted(found.parent for found in root.glob(f"{EVERY_SERVICE}/pyproject.toml"))
    sys.path[:0] = [str(folder / "src") for folder in (root / "shared", *services)]
    rules = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]
    packages = [f"interpose_{folder.name.replace('-', '_')}" for folder in services]
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as told:
        told.write("\n".join(_toml(rules, packages)))
        told.flush()
        return lint_imports(told.name, cache_dir=str(root / ".import_linter_cache"), no_logo=True)


def _toml(rules: dict[str, Any], packages: list[str]) -> Iterator[str]:
    contracts = rules.pop("contracts")
    for heading, table in [
        ("[tool.importlinter]", rules),
        *(("[[tool.importlinter.contracts]]", c) for c in contracts),
    ]:
        yield heading
        for key, value in table.items():
            # JSON strings, booleans and lists of strings are TOML as they are.
            yield f"{key} = {json.dumps(_spelled_out(value, packages))}"


def _spelled_out(value: Any, packages: list[str]) -> Any:
    if not isinstance(value, list):
        return value
    return [name for item in value for name in (packages if item == EVERY_SERVICE else [item])]


if __name__ == "__main__":
    sys.exit(check(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
