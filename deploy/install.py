"""Installs the library into /app, then lays out in /additions/<name> what each service adds. Run by the Dockerfile.

Third-party wheels are installed by the hashes of the lock: nothing that it does not name gets in. Our own wheels are
built here and named with theirs. Each addition holds `/app/bin/serve`, which runs the service: by our rule that is the
package `interpose_<name>`, and the command line for `cli`, which adds nothing else.
"""

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

TOOLS, APP, WHEELS, ADDITIONS, STATE = map(Path, ("/tools/bin", "/app", "/wheels-of-ours", "/additions", "/state"))
LIBRARY = Path("shared")
HASHED = ["--quiet", "--require-hashes", "--constraints", "requirements.lock"]
SERVE = """#!{python}
from runpy import run_module

run_module("{module}", run_name="__main__", alter_sys=True)
"""


def uv(*command: str | Path) -> None:
    """Run it to its end. Raises CalledProcessError."""
    subprocess.run([TOOLS / "uv", *command], check=True)  # noqa: S603 - our own installer


def build(folder: Path) -> str:
    """Build the folder's wheel; the line that names it with its hash."""
    manifest = tomllib.loads((folder / "pyproject.toml").read_text())
    requirement = WHEELS / "backend.txt"
    requirement.write_text("\n".join(manifest["build-system"]["requires"]))
    uv("pip", "install", *HASHED, "--python", TOOLS / "python", "--requirement", requirement)
    hatchling: list[str | Path] = [TOOLS / "python", "-m", "hatchling", "build", "-t", "wheel", "-d", WHEELS]
    subprocess.run(hatchling, cwd=folder, check=True, capture_output=True)  # noqa: S603
    name = manifest["project"]["name"]
    [wheel] = WHEELS.glob(f"{name.replace('-', '_')}-[0-9]*.whl")
    return f"{name} @ {wheel.as_uri()} --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def install(*lines: str) -> None:
    """Our wheels of these lines into /app, with everything that they need."""
    own = WHEELS / "own.txt"
    own.write_text("".join(lines))
    uv("pip", "install", *HASHED, "--python", APP / "bin/python", "--requirement", own)


def lay_out(name: str, module: str, known: set[Path]) -> None:
    """Move what is in /app and was not known into the addition of that name, and say what `serve` runs."""
    for path in files() - known:
        laid = ADDITIONS / name / path.relative_to("/")
        laid.parent.mkdir(parents=True, exist_ok=True)
        path.rename(laid)
    # The installer takes an empty folder of metadata for a broken distribution.
    for folder in sorted((path for path in APP.rglob("*") if path.is_dir() and not path.is_symlink()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()
    serve = ADDITIONS / name / "app/bin/serve"
    serve.parent.mkdir(parents=True, exist_ok=True)
    serve.write_text(SERVE.format(python=APP / "bin/python", module=module))
    serve.chmod(0o755)


def files() -> set[Path]:
    """Every file of the environment."""
    return {path for path in APP.rglob("*") if path.is_symlink() or path.is_file()}


def library() -> None:
    """A new environment with the library, and an empty state folder."""
    WHEELS.mkdir()
    STATE.mkdir()
    uv("venv", "--quiet", "--python", "python", APP)
    install(build(LIBRARY))


def services() -> None:
    """The additions of every service and of the command line; /app holds the library alone again after each."""
    ours, known = build(LIBRARY), files()
    lay_out("cli", "interpose.cli", known)
    for manifest in sorted(Path("services").glob("*/pyproject.toml")):
        name = manifest.parent.name
        install(ours, build(manifest.parent))
        package = f"interpose_{name.replace('-', '_')}"
        if any(APP.glob(f"lib/*/site-packages/{package}/keeping.py")):
            # What it reads off its rules is kept where no running container can write.
            subprocess.run([APP / "bin/python", "-m", f"{package}.keeping"], check=True)  # noqa: S603
        lay_out(name, package, known)


if __name__ == "__main__":
    {"library": library, "services": services}[sys.argv[1]]()
