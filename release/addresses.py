"""Write the addresses of repository.toml into the files that contain them: `python release/addresses.py`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parents[1]

#: Host of the addresses until a person has set them. No website can have it.
PLACEHOLDER = "example.org"

#: Files that contain an address. CITATION.cff is the last one, because the present addresses are read from it.
FILES = (
    "README.md",
    "SECURITY.md",
    "docs/how/try-online.md",
    "paper/paper.md",
    "recipe/recipe.yaml",
    ".github/ISSUE_TEMPLATE/config.yml",
    "CITATION.cff",
)


def addresses(root: Path = ROOT) -> dict[str, str]:
    """Return the addresses of the repository and of the documentation."""
    known: dict[str, str] = tomllib.loads((root / "repository.toml").read_text("utf-8"))
    return {name: address.rstrip("/") for name, address in known.items()}


def written(root: Path = ROOT) -> dict[str, str]:
    """Return the addresses that the files contain at present, as CITATION.cff states them."""
    text = (root / "CITATION.cff").read_text("utf-8")
    keys = {"repository": "repository-code", "documentation": "url"}
    found = {name: re.search(rf'^{key}: "(.*)"$', text, re.MULTILINE) for name, key in keys.items()}
    return {name: match[1] for name, match in found.items() if match is not None}


def project_urls(root: Path = ROOT) -> dict[str, str]:
    """Return the addresses that a package index shows."""
    known = addresses(root)
    repository = known["repository"]
    return {
        "Homepage": repository,
        "Documentation": known["documentation"],
        "Source": repository,
        "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
    }


def absolute_links(markdown: str, root: Path = ROOT) -> str:
    """Return Markdown whose links to files of the repository are absolute, as a package index needs them."""
    repository = addresses(root)["repository"]
    images = re.compile(r"(!\[[^\]]*\]\()(?![a-z]+:|#)([^)]+)")
    links = re.compile(r"(\]\()(?![a-z]+:|#)([^)]+)")
    markdown = images.sub(rf"\1{repository}/raw/HEAD/\2", markdown)
    return links.sub(rf"\1{repository}/blob/HEAD/\2", markdown)


def write(root: Path = ROOT) -> list[str]:
    """Replace the present addresses by the addresses in repository.toml, and return the changed files."""
    before, after = written(root), addresses(root)
    changed = []
    for name in FILES:
        file = root / name
        text = file.read_text("utf-8")
        replaced = text
        for key in before:
            replaced = replaced.replace(before[key], after[key])
            # The address of Binder contains the address of the repository as one part of a path.
            replaced = replaced.replace(quote(before[key], safe=""), quote(after[key], safe=""))
        if replaced != text:
            file.write_text(replaced, "utf-8")
            changed.append(name)
    return changed


if __name__ == "__main__":
    print(*write(), sep="\n")
