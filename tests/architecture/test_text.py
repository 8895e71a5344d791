"""What stands in committed files: no address of a machine or a registry, and nothing too long to be read in one go."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

LINES_OF_A_FILE = 300
LINES_OF_A_TEST_FILE = 600
"""An exam is read test by test, never whole: it may hold twice as many rows."""
LINES_OF_A_FUNCTION = 60
LONGER_ON_PURPOSE = {
    "tests/embedded/test_examples_of_help.py test_every_example_does_what_its_command_promises": "one story in order",
}
"""What may be longer: a file, or a file and its function, and why."""

# Put together here, so that this file does not contain what it forbids.
REGISTRIES = [
    ".".join(words)
    for words in [
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("crates", "io"),
        ("rubygems", "org"),
        ("proxy", "golang", "org"),
        ("docker", "io"),
        ("ghcr", "io"),
        ("quay", "io"),
        ("gcr", "io"),
        ("registry", "k8s", "io"),
    ]
]
FOLDERS = ["work", "root", "home", "Users", "tmp", "private"]
IN_EXAMPLES = ["/home/somebody", "/home/data", "/root/.openclaw/"]
"""Paths of nobody's machine: the home that examples of output name, what examples of attacks want deleted, and where
the original specification keeps its scripts. Globs of all of them (`/home/*`) are nobody's either."""
FORBIDDEN = re.compile(
    "|".join(
        [
            *map(re.escape, REGISTRIES),
            rf"(?<![\w.~}}*-])(?!{'|'.join(map(re.escape, IN_EXAMPLES))})/(?:{'|'.join(FOLDERS)})/(?!\*|tmp/\*)",
        ]
    )
)


@pytest.fixture(scope="session")
def committed(root, run_program) -> dict[str, str]:
    """Every text file under version control: path → text. A file with a NUL byte is no text."""
    listed = run_program("git", "ls-files", "-z", cwd=root).stdout.split("\0")
    return {name: text for name in listed if name for text in _text(root / name)}


def _text(path: Path) -> Iterator[str]:
    data = path.read_bytes() if path.is_file() else b"\0"
    if b"\0" not in data:
        yield data.decode()


def test_no_file_names_a_registry_or_a_machine_path(committed) -> None:
    """Whoever clones the tree meets no host that this was fetched from and no folder of the machine it was made on."""
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in committed.items()
        for number, line in enumerate(text.splitlines(), 1)
        if FORBIDDEN.search(line)
    ]

    assert [] == found


@pytest.mark.parametrize(
    ("line", "is_forbidden"),
    [
        *[(f"index = https://{host}/simple", True) for host in REGISTRIES],
        *[(f"see /{folder}/someone", True) for folder in FOLDERS],
        *[(f'"/{folder}/x"', True) for folder in FOLDERS],
        *[(f"see {path}", False) for path in IN_EXAMPLES],
        *[(f"paths: [/{folder}/*]", False) for folder in FOLDERS],
        ("the folder src/work/ of a tree", False),
        ("read ./home/keys", False),
        ("https://docs.slack.dev/reference/block-kit", False),
    ],
)
def test_the_pattern_finds_what_it_should(line, is_forbidden) -> None:
    """The pattern finds each host and each folder, and leaves a path inside the tree alone."""
    assert is_forbidden == bool(FORBIDDEN.search(line))


def test_no_resolver_file_with_hosts_is_committed(committed) -> None:
    """The lock is the one hashed list without hosts; the resolver's own file, which records them, stays out."""
    assert [] == [name for name in committed if Path(name).name == "uv.lock"]


def test_no_file_is_too_long(committed) -> None:
    """A file that cannot be read in one go is split, or stands above with its reason."""
    limits = {name: LINES_OF_A_TEST_FILE if is_test(name) else LINES_OF_A_FILE for name in committed}
    too_long = {name for name, text in committed.items() if name.endswith(".py") and text.count("\n") > limits[name]}

    assert set() == too_long - LONGER_ON_PURPOSE.keys()


def test_no_function_is_too_long(committed) -> None:
    """A function fits on a screen, or stands above with its reason."""
    too_long = {
        f"{name} {node.name}"
        for name, text in committed.items()
        if name.endswith(".py")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LINES_OF_A_FUNCTION
    }

    assert set() == too_long - LONGER_ON_PURPOSE.keys()


def is_test(name: str) -> bool:
    """Whether it stands in a folder of tests."""
    return "tests" in Path(name).parts
