"""What the pages say of the code is what the code says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interpose.contracts.limits import MIB
from interpose.embedded.nats_config import FILE_STORE_BYTES, MAX_PAYLOAD_BYTES
from interpose.embedded.stream import DUPLICATE_WINDOW_S, WANTED
from interpose_gateway.adapters.arriving import BODY_S
from interpose_gateway.core.entry import DEFAULT_BUDGET_MS
from interpose_gateway.core.evaluated.report import LEASE_ROOM_S, REPEATS_KNOWN_S, ROOM_S
from interpose_gateway.settings import GatewaySettings

SOURCES = ("shared/src", "services")


def check(docs: Path) -> subprocess.CompletedProcess[str]:
    """Let the generator check the pages beside it."""
    command = [sys.executable, str(docs / "generate.py"), "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def source(root: Path) -> str:
    """The text of everything that runs."""
    paths = [path for folder in SOURCES for path in (root / folder).glob("**/*.py") if "tests" not in path.parts]
    return "\n".join(path.read_text() for path in sorted(paths))


def test_the_generated_parts_are_up_to_date(root: Path) -> None:
    """No page differs from what its generator would write."""
    checked = check(root / "docs")

    assert (0, "") == (checked.returncode, checked.stderr)


@pytest.mark.parametrize(
    ("page", "said", "wrong"),
    [
        ("configuration.md", "1 to 600000", "1 to 700000"),
        ("security.md", "`_INBOX_client.>`", "`_INBOX.>`"),
        ("write-a-hook.md", "goes on, with a warning", "stopped"),
        ("tools.md", "`ListDir`", "`Directory`"),
    ],
)
def test_a_page_that_says_something_else_is_found(root: Path, tmp_path: Path, page: str, said: str, wrong: str) -> None:
    """One word changed in a generated part, and the check names the page."""
    shutil.copytree(root / "docs", tmp_path / "docs")
    changed = tmp_path / "docs" / page
    assert said in changed.read_text()
    changed.write_text(changed.read_text().replace(said, wrong, 1))

    checked = check(tmp_path / "docs")

    assert 1 == checked.returncode
    assert page in checked.stderr


def test_every_variable_of_the_code_is_explained(root: Path) -> None:
    """Each `INTERPOSE_*` that the code names stands on the configuration's page."""
    page = (root / "docs/configuration.md").read_text()
    named = set(re.findall(r"\bINTERPOSE_[A-Z0-9_]*[A-Z0-9]\b", source(root)))

    assert named
    assert set() == {name for name in named if name not in page}


def test_every_settings_class_has_its_table(root: Path) -> None:
    """Each class that reads the environment is on the configuration's page."""
    page = (root / "docs/configuration.md").read_text()
    # The one that reads the environment for all of them has no variable of its own.
    classes = re.findall(r"^class (\w+)\((?!BaseSettings)\w*Settings\):", source(root), re.MULTILINE)
    shown = re.findall(r"<!-- generated: environment \S+:(\w+) -->", page)

    assert classes
    assert sorted(classes) == sorted(shown)


def test_a_second_record_of_a_call_is_known_while_anybody_may_write_one() -> None:
    """The broker's window for repetitions is longer than the time for a report and the longest lease together."""
    longest_s = next(
        each.le for each in GatewaySettings.model_fields["evaluation_ttl_s"].metadata if hasattr(each, "le")
    )

    assert REPEATS_KNOWN_S < DUPLICATE_WINDOW_S
    assert longest_s < REPEATS_KNOWN_S - 10 * (ROOM_S + LEASE_ROOM_S)


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("security.md", f"The broker takes messages of at most {MAX_PAYLOAD_BYTES // MIB} MiB."),
        ("security.md", f"the stream is full ({FILE_STORE_BYTES // MIB // 1024} GiB of the store)"),
        ("security.md", f"A body must arrive within {BODY_S} s."),
        ("security.md", f"stream `{WANTED.name}`"),
        ("security.md", f"for {DUPLICATE_WINDOW_S // 60} minutes"),
        ("security.md", f"({GatewaySettings.model_fields['most_in_flight'].default} calls at once)"),
        ("write-a-hook.md", f"Without one it is {DEFAULT_BUDGET_MS // 1000} s plus"),
    ],
)
def test_figures_in_sentences_are_those_of_the_code(root: Path, page: str, sentence: str) -> None:
    """A number that stands in a sentence is the number that the code holds."""
    assert sentence in (root / "docs" / page).read_text()
