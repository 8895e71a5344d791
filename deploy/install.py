"""Installs one folder of ours into /app, with its third-party wheels by the hashes of the lock. Run by the Dockerfile.

The folder is the argument, else FOLDER. Nothing is installed that the lock does not name with its hash; our own wheels
are built here and named with theirs. `/app/bin/serve` then runs the service, which by our rule is the package
`interpose_<name>`; for the library alone it is the command line. What a service adds to the library is also laid out
in /additions: the one layer that an image has for itself.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

TOOLS, APP, WHEELS, ADDITIONS, STATE = map(Path, ("/tools/bin", "/app", "/wheels-of-ours", "/additions", "/state"))
LIBRARY = "shared"
HASHED = ["--quiet", "--require-hashes", "--constraints", "requirements.lock"]
SERVE = """#!{python}
from runpy import run_module

run_module("{module}", run_name="__main__", alter_sys=True)
"""


def uv(*command: str | Path) -> None:
    """Run it to its end. Raises CalledProcessError."""
    subprocess.run([TOOLS / "uv", *command], check=True)  # noqa: S603 - our own installer


def build(folder: str) -> str:
    """Build the folder's wheel; the line that names it with its hash."""
    manifest = tomllib.loads(Path(folder, "pyproject.toml").read_text())
    name = manifest["project"]["name"]
    requirement = WHEELS / "backend.txt"
    requirement.write_text("\n".join(manifest["build-system"]["requires"]))
    uv("pip", "install", *HASHED, "--python", TOOLS / "python", "--requirement", requirement)
    hatchling = [TOOLS / "python", "-m", "hatchling", "build", "-t", "wheel", "-d", WHEELS]
    subprocess.run(hatchling, cwd=folder, check=True, capture_output=True)  # noqa: S603
    [wheel] = WHEELS.glob(f"{name.replace('-', '_')}-[0-9]*.whl")
    return f"{name} @ {wheel.as_uri()} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def install(folder: str) -> None:
    """Build ours, install all, say what `serve` runs."""
    own = WHEELS / "own.txt"
    own.write_text("".join(build(each) for each in dict.fromkeys([LIBRARY, folder])))
    uv("pip", "install", *HASHED, "--python", APP / "bin/python", "--requirement", own)
    module = "interpose.cli" if folder == LIBRARY else f"interpose_{Path(folder).name.replace('-', '_')}"
    serve = APP / "bin/serve"
    serve.write_text(SERVE.format(python=APP / "bin/python", module=module))
    serve.chmod(0o755)


def files() -> dict[Path, int]:
    """Every file of the environment, and when it was written."""
    return {path: path.lstat().st_mtime_ns for path in APP.rglob("*") if path.is_symlink() or path.is_file()}


def main() -> None:
    """The library into a new environment, or a service into the library's."""
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ["FOLDER"]
    if not APP.exists():
        uv("venv", "--quiet", "--python", "python", APP)
    for made in (WHEELS, STATE):
        made.mkdir(exist_ok=True)
    before = files()
    install(folder)
    for path, _ in files().items() - before.items():
        laid = ADDITIONS / path.relative_to("/")
        laid.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, laid, follow_symlinks=False)


if __name__ == "__main__":
    main()
