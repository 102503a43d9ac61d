"""Report the licences of all packages: `python release/licences.py [CSV]`.

The report has the dependencies of the base and of the extras, the scripts and style sheets that the wheel contains,
and the packages that are used in tests and for the documentation only. The program fails if a dependency or a bundled
script has a licence that is not listed in `ACCEPTED`. For packages of the last group, the licence is only reported.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]

#: Files with the licences of bundled scripts. Each entry begins with "NAME VERSION, LICENCE".
BUNDLED = (
    "sdcwidgets/static/frontend/LICENSES.txt",
    "sdcwidgets/widgets/vendored/LICENSES.txt",
    "docs/site/LICENSES.txt",
)

#: Licences of dependencies and bundled scripts. Each allows use with software under BSD-3-Clause, without conditions
#: for that software; a changed copy of a file under MPL-2.0 would have to be published.
ACCEPTED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CNRI-Python",
    "HPND",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "MPL-2.0",
    "OFL-1.1",
    "PSF-2.0",
    "Python-2.0",
    "Unlicense",
    "W3C",
    "Zlib",
}

#: Identifiers for the words that packages without an SPDX expression use.
IDENTIFIERS = {
    "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "apache software license 2.0": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psfl": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
}


@dataclass(frozen=True, order=True)
class Package:
    """A package with its licence and the group of its uses."""

    group: str
    name: str
    version: str
    licence: str


def licence_of(package: Distribution) -> str:
    """Return the licence of an installed distribution as an SPDX expression, or its own words."""
    metadata = package.metadata
    if expression := metadata.get("License-Expression"):
        return str(expression)
    marks = [mark for mark in metadata.get_all("Classifier") or [] if mark.startswith("License ::")]
    words = [mark.rpartition(" :: ")[2] for mark in marks if not mark.endswith("OSI Approved")]
    stated = (metadata.get("License") or "").strip().split("\n")[0]
    stated = "" if stated == "UNKNOWN" else stated
    if not words or len(stated) in range(1, 20):
        words = [stated] if stated else words
    return " AND ".join(IDENTIFIERS.get(word.lower(), word) for word in words) or "unknown"


def required(requirements: list[str]) -> dict[str, Distribution]:
    """Return the installed distributions that some requirements lead to, by their names."""
    known: dict[str, Distribution] = {}
    seen = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        key = (name, *sorted(requirement.extras))
        if key in seen:
            continue
        seen.add(key)
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system or version of Python, or Spark
            continue
        known[name] = package
        extras = [*requirement.extras, ""]
        for line in package.requires or []:
            below = Requirement(line)
            if below.marker is None or any(below.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(below)
    return known


def grouped(groups: dict[str, list[object]], name: str) -> list[str]:
    """Return the requirements of a dependency group and of the groups that it includes."""
    lines: list[str] = []
    for entry in groups[name]:
        if isinstance(entry, dict):
            lines += grouped(groups, entry["include-group"])
        else:
            lines.append(str(entry))
    return lines


def dependencies() -> Iterator[Package]:
    """Yield the Python packages of the base, of the extras, and of the dependency groups."""
    described = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project, groups = described["project"], described["dependency-groups"]
    base = required(project["dependencies"])
    extras = required([line for lines in project["optional-dependencies"].values() for line in lines])
    development = required([line for name in groups for line in grouped(groups, name)])
    known: set[str] = {"sdcwidgets"}
    for group, packages in (("base", base), ("extra", extras), ("development", development)):
        for name in sorted(packages.keys() - known):
            yield Package(group, name, packages[name].version, licence_of(packages[name]))
        known |= packages.keys()


def bundled(root: Path = ROOT) -> Iterator[Package]:
    """Yield the scripts and style sheets that the wheel contains."""
    for file in BUNDLED:
        text = (root / file).read_text("utf-8")
        for entry in re.split(r"\n-{80}\n\n(?=\S+ \d\S*, \S+\n\n)", text):
            match = re.match(r"(\S+) (\S+), (\S+)\n\n(?=.{200})", entry, re.DOTALL)
            if match is None:
                raise SystemExit(
                    f"{file} has an entry without name, version, licence and text: {entry[:60]!r}"
                )
            yield Package("bundled", match[1], match[2], match[3])


def older_licence(folder: Path) -> str:
    """Return the licence of a package of npm that states a list of licences, as packages did before 2015."""
    file = folder / "package.json"
    stated = json.loads(file.read_text("utf-8")).get("licenses", []) if file.is_file() else []
    return " OR ".join(entry["type"] for entry in stated) or "unknown"


def scripts() -> Iterator[Package]:
    """Yield the packages of npm that build and test the scripts."""
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    inside = {package.name for package in bundled()}
    for path, package in locked.items():
        name = path.rpartition("node_modules/")[2]
        if name and name not in inside:
            licence = package.get("license") or older_licence(ROOT / path)
            yield Package("development", f"npm:{name}", package["version"], licence)


def refused(packages: list[Package]) -> list[Package]:
    """Return the dependencies and bundled scripts with a licence that is not accepted."""
    return [
        package
        for package in packages
        if package.group != "development"
        and not all(
            any(choice.strip(" ()") in ACCEPTED for choice in part.split(" OR "))
            for part in re.split(r" AND (?![^(]*\))", package.licence)
        )
    ]


def report() -> list[Package]:
    """Return all packages, sorted by group and name."""
    return sorted({*dependencies(), *bundled(), *scripts()})


def main(output: str | None = None) -> int:
    """Print the number of packages per group and licence, and write all of them to a file."""
    packages = report()
    if output is not None:
        with Path(output).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([field.name for field in fields(Package)])
            writer.writerows(map(astuple, packages))
    counts: dict[tuple[str, str], int] = {}
    for package in packages:
        key = (package.group, package.licence)
        counts[key] = counts.get(key, 0) + 1
    for (group, licence), number in sorted(counts.items()):
        print(f"{group:12} {number:4} {licence}")
    wrong = refused(packages)
    for package in wrong:
        print(
            f"{package.name} {package.version}: the licence {package.licence!r} is not listed in release/licences.py"
        )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
