"""What is read off the rules that are shipped, kept beside Python's own compiled files: reading it takes seconds.

It is found again only while the rules, all code here and Python are what they were, and is made anew where it is
missing, torn or of something else. As with those files, who may write there may as well write the code. `python -m
interpose_sanitizer.keeping` makes it beforehand: `make setup` does, and what installs an image.
"""

import contextlib
import hashlib
import importlib.util
import marshal
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

_Kept = TypeVar("_Kept")
_DIGEST = hashlib.sha256().digest_size


def kept(name: str, patterns: Iterable[str], make: Callable[[], _Kept]) -> _Kept:
    """What is made of these patterns, of lists, sets, texts and numbers; from an earlier time, if it was kept then.

    Of each name one is kept, the last. Raises what `make` raises.
    """
    place = Path(importlib.util.cache_from_source(__file__)).with_name(f"rules.{name}.kept")
    made_of = _made_of(patterns)
    found = _read(place, made_of)
    if found is None:
        made: Any = make()
        if not sys.dont_write_bytecode:
            # Nobody has to be able to write there: it only takes longer to start.
            with contextlib.suppress(OSError):
                _write(place, made_of, marshal.dumps(made))
        return cast(_Kept, made)
    # As Python loads its code, and of whoever wrote that.
    return cast(_Kept, marshal.loads(found))  # noqa: S302


def _made_of(patterns: Iterable[str]) -> bytes:
    made_of = hashlib.sha256(_code())
    for pattern in patterns:
        made_of.update(hashlib.sha256(pattern.encode()).digest())
    return made_of.digest()


@cache
def _code() -> bytes:
    """What all that could have a say in it comes down to."""
    code = hashlib.sha256(f"{sys.implementation.cache_tag} {unicodedata.unidata_version} {marshal.version}".encode())
    here = Path(__file__).parent
    for path in sorted([*here.rglob("*.py"), *here.glob("*.txt")]):
        code.update(hashlib.sha256(path.read_bytes()).digest())
    return code.digest()


def _read(place: Path, made_of: bytes) -> bytes | None:
    try:
        content = place.read_bytes()
    except OSError:
        return None
    said, digest, found = content[:_DIGEST], content[_DIGEST : 2 * _DIGEST], content[2 * _DIGEST :]
    return found if said == made_of and digest == hashlib.sha256(found).digest() else None


def _write(place: Path, made_of: bytes, content: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
        file.write(made_of + hashlib.sha256(content).digest() + content)
    # An image is made by somebody else than who runs it.
    Path(file.name).chmod(0o644)
    Path(file.name).replace(place)


def main() -> None:
    """Keep all of it, whatever Python is told about files of its own."""
    from interpose_sanitizer import looking

    sys.dont_write_bytecode = False
    looking.prepare()


if __name__ == "__main__":
    main()
