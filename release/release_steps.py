"""Prepare and check a release: `python release/release_steps.py COMMAND`."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import zipfile
from datetime import date
from email.parser import Parser
from pathlib import Path

from addresses import PLACEHOLDER, addresses, written

ROOT = Path(__file__).parents[1]

#: Files that state the version, each with the line that states it.
VERSIONS = {
    "pyproject.toml": r'^version = "(.*)"$',
    "sdcwidgets/__init__.py": r'^__version__ = "(.*)"$',
    "CITATION.cff": r"^version: (.*)$",
    "recipe/recipe.yaml": r'^  version: "(.*)"$',
}

#: Files that each wheel must contain; `*` is replaced by the version.
IN_WHEEL = (
    "sdcwidgets/py.typed",
    "sdcwidgets/site/index.html",
    "sdcwidgets/static/frontend/index.js",
    "sdcwidgets/tutorials/02-protect-a-table.ipynb",
    "sdcwidgets/notebooks/explore.ipynb",
    "sdcwidgets-*.dist-info/licenses/LICENSE",
    "sdcwidgets-*.dist-info/licenses/docs/site/LICENSES.txt",
    "sdcwidgets-*.dist-info/licenses/sdcwidgets/static/frontend/LICENSES.txt",
    "sdcwidgets-*.dist-info/licenses/sdcwidgets/widgets/vendored/LICENSES.txt",
)

#: Files that each source distribution must contain, too, below its folder.
IN_SDIST = (
    "CHANGELOG.md",
    "CITATION.cff",
    "repository.toml",
    "hatch_build.py",
    "release/addresses.py",
    "sdcwidgets/site/index.html",
    "tests/test_readme.py",
)


def versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version that each file states."""
    stated = {}
    for name, line in VERSIONS.items():
        match = re.search(line, (root / name).read_text("utf-8"), re.MULTILINE)
        stated[name] = match[1] if match is not None else ""
    return stated


def section(version: str, root: Path = ROOT) -> tuple[str, str]:
    """Return the date and the text of a version in the changelog, both empty if there is none."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    heading = rf"^## \[?{re.escape(version)}\]?(?: - (\d{{4}}-\d\d-\d\d))?$(.*?)(?=^## |\Z)"
    match = re.search(heading, text, re.MULTILINE | re.DOTALL)
    return ("", "") if match is None else (match[1] or "", match[2].strip())


def released_on(root: Path = ROOT) -> str:
    """Return the date that CITATION.cff states."""
    match = re.search(r"^date-released: (.*)$", (root / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    return match[1] if match is not None else ""


def problems(root: Path = ROOT) -> list[str]:
    """Return the problems of a release of the present files: versions, dates and addresses that do not agree."""
    stated = versions(root)
    version = stated["pyproject.toml"]
    wrong = []
    if len({*stated.values()}) > 1:
        wrong.append(f"The versions differ: {stated}.")
    day, changes = section(version, root)
    if not changes:
        wrong.append(
            f"CHANGELOG.md has no section for {version}. Run `python release/release_steps.py prepare {version}`."
        )
    elif day != released_on(root):
        wrong.append(
            f"CHANGELOG.md states the date {day or 'none'}, CITATION.cff {released_on(root) or 'none'}."
        )
    known = addresses(root)
    if known != written(root):
        wrong.append("Some files have other addresses than repository.toml. Run `make addresses`.")
    if any(PLACEHOLDER in address for address in known.values()):
        wrong.append("repository.toml has placeholders. Set both addresses and run `make addresses`.")
    return wrong


def git_problems(version: str, root: Path = ROOT) -> list[str]:
    """Return uncommitted changes and an existing tag."""
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True
    )
    wrong = [f"There are uncommitted changes:\n{status.stdout}"] if status.stdout else []
    tags = subprocess.run(
        ["git", "tag", "--list", f"v{version}"], cwd=root, capture_output=True, text=True, check=True
    )
    return wrong + ([f"The tag v{version} exists."] if tags.stdout else [])


def notes(version: str, root: Path = ROOT) -> str:
    """Return the changelog section of a version, or the unreleased changes if the version has no section yet."""
    return section(version, root)[1] or section("Unreleased", root)[1]


def prepare(version: str, day: str, root: Path = ROOT) -> None:
    """Write the version and the date into all files, and close the changelog section Unreleased."""
    for name, line in VERSIONS.items():
        file = root / name
        text = file.read_text("utf-8")
        match = re.search(line, text, re.MULTILINE)
        if match is None:
            raise SystemExit(f"{name} has no line with the version.")
        file.write_text(text[: match.start(1)] + version + text[match.end(1) :], "utf-8")
    citation = root / "CITATION.cff"
    text = citation.read_text("utf-8")
    citation.write_text(
        re.sub(r"^date-released: .*$", f"date-released: {day}", text, flags=re.MULTILINE), "utf-8"
    )
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text("utf-8")
    if not section("Unreleased", root)[1]:
        raise SystemExit("CHANGELOG.md has no changes under Unreleased.")
    heading = f"## Unreleased\n\n## {version} - {day}\n"
    text = re.sub(r"^## \[?Unreleased\]?\n", heading, text, count=1, flags=re.MULTILINE)
    changelog.write_text(text.replace(" Nothing has been released yet.", ""), "utf-8")


def missing_files(folder: Path) -> list[str]:
    """Return missing files of the wheel and the source distribution in a folder, and relative links."""
    wheels, sources = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    if len(wheels) != 1 or len(sources) != 1:
        return [
            f"{folder} has {len(wheels)} wheels and {len(sources)} source distributions instead of one of each."
        ]
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = wheel.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        described = Parser().parsestr(wheel.read(metadata).decode())
    version = described["Version"]
    wanted = [name.replace("*", version) for name in IN_WHEEL]
    missing = [f"{wheels[0].name}: {name}" for name in wanted if name not in names]
    with tarfile.open(sources[0]) as source:
        present = source.getnames()
    missing += [
        f"{sources[0].name}: {name}" for name in IN_SDIST if f"sdcwidgets-{version}/{name}" not in present
    ]
    description = str(described.get_payload())
    relative = re.findall(r"\]\((?!https?:|#|mailto:)([^)]+)\)", description)
    return missing + [f"The description has a relative link: {link}" for link in relative]


def tag(version: str, root: Path = ROOT) -> None:
    """Set the tag of a version, with its changelog section as message."""
    # git would remove the headings of the section, because they begin with its sign for comments.
    command = ["git", "tag", "--annotate", "--cleanup=whitespace", f"v{version}", "--file=-"]
    subprocess.run(command, cwd=root, input=section(version, root)[1], text=True, check=True)


def set_or_show_tag(version: str, rehearsal: bool) -> None:
    """Set the tag of a version and print the next step; in a rehearsal, only print the tag."""
    if rehearsal:
        lines = len(notes(version).splitlines())
        print(
            f"dist/ has sdcwidgets {version}. The tag v{version} was not set; its message would have {lines} lines."
        )
        return
    tag(version)
    print(
        f"dist/ has sdcwidgets {version}; the tag is v{version}. Push the tag and upload dist/*.whl and dist/*.tar.gz."
    )


def main(arguments: list[str] | None = None) -> int:
    """Run one command, and return 1 if it finds a problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare", help="write version and date into all files")
    preparing.add_argument("version")
    preparing.add_argument("--date", default=date.today().isoformat())
    checking = commands.add_parser("check", help="check versions, dates, addresses and the state of git")
    checking.add_argument("--rehearsal", action="store_true", help="print problems, but succeed")
    commands.add_parser("notes", help="print the changelog section of the version")
    tagging = commands.add_parser("tag", help="set the tag of the version")
    tagging.add_argument("--rehearsal", action="store_true", help="print the tag instead of setting it")
    contents = commands.add_parser("contents", help="check the files of a folder with wheel and sdist")
    contents.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    version = versions()["pyproject.toml"]
    if options.command == "prepare":
        prepare(options.version, options.date)
        return 0
    if options.command == "notes":
        print(notes(version))
        return 0
    if options.command == "tag":
        set_or_show_tag(version, options.rehearsal)
        return 0
    wrong = (
        missing_files(options.folder) if options.command == "contents" else problems() + git_problems(version)
    )
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return int(bool(wrong) and not getattr(options, "rehearsal", False))


if __name__ == "__main__":
    sys.exit(main())
