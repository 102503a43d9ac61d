"""Each script in the wheel has the text of its licence there, and each dependency has a licence that was accepted."""

import gzip
import json
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import licences
from pins import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BUNDLED = list(licences.bundled())


def test_the_licence_files_of_the_wheel_are_all_that_are_there():
    assert set(licences.BUNDLED) == set(PROJECT["license-files"]) - {"LICENSE"}
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
    for folder in ("static", "widgets"):
        scripts = {
            path.relative_to(ROOT).as_posix() for path in (ROOT / "sdcwidgets" / folder).rglob("LICENSES*")
        }
        assert scripts <= set(licences.BUNDLED)


def test_the_expression_names_each_licence_of_a_bundled_script():
    named = set(PROJECT["license"].split(" AND "))
    assert {package.licence for package in BUNDLED} | {"BSD-3-Clause", "OGL-UK-3.0"} == named


def test_each_text_has_its_holder():
    for name in licences.BUNDLED:
        text = (ROOT / name).read_text("utf-8")
        entries = re.split(r"\n-{80}\n\n(?=\S+ \d\S*, \S+\n\n)", text)
        assert [entry[:40] for entry in entries if len(entry) < 300] == []
        assert text.lower().count("copyright") >= len(entries) - 2


def test_the_vendored_plotly_has_the_version_of_its_licence():
    packed = (ROOT / "sdcwidgets/widgets/vendored/plotly-basic.min.js.gz").read_bytes()
    (version,) = re.findall(r"\(basic - minified\) v([\d.]+)", gzip.decompress(packed)[:300].decode())
    assert ("plotly.js", version) in {(package.name, package.version) for package in BUNDLED}


def test_each_package_in_the_scripts_of_the_site_has_its_licence():
    pytest.importorskip("material")
    theme = Path(find_spec("material").submodule_search_locations[0]) / "templates" / "assets"
    packages = set()
    for file in theme.rglob("*.map"):
        sources = " ".join(json.loads(file.read_text("utf-8"))["sources"])
        packages |= set(re.findall(r"node_modules/((?:@[^/]+/)?[^/]+)/", sources))
    packages -= {"lunr-languages"}  # not in the site
    assert packages
    assert packages | {"mkdocs-material"} <= {package.name for package in BUNDLED}


def test_each_dependency_has_an_accepted_licence():
    packages = licences.report()
    assert licences.refused(packages) == []
    groups = {package.group for package in packages}
    assert groups == {"base", "bundled", "development", "extra"}
    names = {(package.group, package.name) for package in packages}
    assert {
        ("base", "numpy"),
        ("extra", "voila"),
        ("development", "pytest"),
        ("bundled", "plotly.js"),
    } <= names
    assert ("development", "npm:axe-core") in names


@pytest.mark.parametrize(
    ("stated", "licence"),
    [
        ({"licenses": [{"type": "MIT", "url": "a"}]}, "MIT"),
        ({"licenses": [{"type": "MIT"}, {"type": "ISC"}]}, "MIT OR ISC"),
        ({}, "unknown"),
    ],
)
def test_the_list_of_licences_of_an_older_package_is_read(stated, licence, tmp_path):
    (tmp_path / "package.json").write_text(json.dumps(stated), "utf-8")
    assert licences.older_licence(tmp_path) == licence
    assert licences.older_licence(tmp_path / "absent") == "unknown"


@pytest.mark.parametrize(
    ("licence", "is_refused"),
    [
        ("MIT", False),
        ("MIT AND GPL-3.0", True),
        ("GPL-3.0 OR MIT", False),
        ("unknown", True),
        ("AGPL-3.0", True),
    ],
)
def test_other_licences_are_refused_for_dependencies_only(licence, is_refused):
    package = licences.Package("base", "a", "1", licence)
    assert bool(licences.refused([package])) == is_refused
    assert licences.refused([licences.Package("development", "a", "1", licence)]) == []
