"""Every link of a page leads somewhere: to a file of the tree, and to a heading of it where it names one."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def dead_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    return [link for link in LINK.findall(_prose(page)) if "://" not in link and not _leads_somewhere(page, link)]


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(page: Path) -> set[str]:
    """The names that GitHub gives a page's headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(_prose(page))}


def _prose(page: Path) -> str:
    return FENCE.sub("", page.read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """A page links to files and headings that are there."""
    assert [] == dead_links(page)


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    """A missing file, a missing heading and a missing heading of another page are each found, and nothing else."""
    (tmp_path / "other.md").write_text("# A heading: with `code`\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[a](other.md) [b](other.md#a-heading-with-code) [c](#here) [d](https://example.com/x)\n"
        "[e](missing.md) [f](#there) [g](other.md#here)\n```\n[h](no-link.md)\n```\n"
    )

    assert ["missing.md", "#there", "other.md#here"] == dead_links(page)


def test_pages_are_found() -> None:
    """The list of pages is not empty by mistake."""
    assert {"README.md", "write-a-hook.md", "security.md", "template.md"} <= {page.name for page in PAGES}
