"""Writes the generated parts of these pages, or checks that they say what the code says.

A part stands between `<!-- generated: NAME ARGUMENTS -->` and `<!-- end -->`; NAME is one of `reference.PARTS`. Run
`.venv/bin/python docs/generate.py --write` after a change of what they describe.
"""

import re
import sys
from pathlib import Path

from reference import PARTS

PAGES = Path(__file__).parent
PART = re.compile(r"(<!-- generated: ([a-z-]+)((?: \S+)*) -->\n).*?(<!-- end -->)", re.DOTALL)


def rendered(page: str) -> str:
    """The page with every part as it has to be."""
    return PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]](*found[3].split())}\n\n{found[4]}", page)


def main(arguments: list[str]) -> int:
    """`--write` rewrites the pages, `--check` exits 1 and names those that differ."""
    if arguments not in (["--write"], ["--check"]):
        print("usage: docs/generate.py --write | --check", file=sys.stderr)
        return 2
    is_stale = False
    for path in sorted([*PAGES.glob("*.md"), *PAGES.glob("agents/*.md")]):
        page = path.read_text()
        if (whole := rendered(page)) == page:
            continue
        if arguments == ["--write"]:
            path.write_text(whole)
            print(f"wrote docs/{path.relative_to(PAGES)}")
        else:
            print(
                f"docs/{path.relative_to(PAGES)} is not what the code says: run docs/generate.py --write",
                file=sys.stderr,
            )
            is_stale = True
    return int(is_stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
