"""What the base and each extra require: declared, bounded where private parts are used, and pinned for a server."""

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pins import PINNED, ROOT
from private_parts import OVERRIDDEN_METHODS
from sdcwidgets._util.extras import MODULES

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = [Requirement(line) for line in PROJECT["dependencies"]]
EXTRAS = {name: [*map(Requirement, lines)] for name, lines in PROJECT["optional-dependencies"].items()}
#: What a server may run on: the oldest Python and newer ones.
PLACES = [
    {
        "python_version": python,
        "python_full_version": f"{python}.6",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
        "platform_machine": machine,
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    for python in ("3.11", "3.12", "3.13", "3.14")
    for machine in ("x86_64", "aarch64")
]


def imported() -> set[str]:
    """Return the distributions that modules of the package import."""
    names: set[str] = set()
    for path in (ROOT / "sdcwidgets").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {one.name.partition(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(str(node.module).partition(".")[0])
    others = (
        names - set(sys.stdlib_module_names) - {"sdcwidgets", "_typeshed"}
    )  # the latter is of type checkers
    found = packages_distributions()
    return {canonicalize_name(found[name][0]) for name in others}


@pytest.mark.slow
def test_every_imported_distribution_is_declared():
    assert {"numpy", "tornado", "pyzmq", "jupyter-server"} <= imported()
    assert imported() <= {canonicalize_name(one.name) for one in EVERY}


#: What a server installs.
SERVED = [*NEEDED, *EXTRAS["serve"], *EXTRAS["tables"], *EXTRAS["microdata"]]
#: Everything, without references of one extra to another.
EVERY = [
    one for one in [*NEEDED, *(one for extra in EXTRAS.values() for one in extra)] if one.name != "sdcwidgets"
]


@pytest.mark.parametrize("one", EVERY, ids=str)
def test_every_distribution_has_a_lower_bound(one):
    assert ">=" in {part.operator for part in one.specifier} or one.extras


def test_all_is_every_extra_except_spark():
    (every,) = EXTRAS["all"]
    assert every.extras == EXTRAS.keys() - {"all", "spark"}


@pytest.mark.slow
@pytest.mark.parametrize("extra", MODULES)
def test_an_extra_names_modules_of_its_own_distributions(extra):
    found = packages_distributions()
    distributions = {canonicalize_name(one.name) for one in EXTRAS[extra]}
    installed = [name for name in MODULES[extra] if name in found]
    assert installed or extra == "spark"
    for name in installed:
        assert canonicalize_name(found[name][0]) in distributions


def test_every_extra_except_all_names_its_modules():
    assert MODULES.keys() == EXTRAS.keys() - {"all"}


def test_an_upper_bound_has_a_test_that_shows_the_need():
    """Overridden methods are public, but may change in the next major version; Ibis 12 does not know DuckDB 2."""
    bounded = {one.name for one in EVERY if any(part.operator == "<" for part in one.specifier)}
    owners = {part.package for part in OVERRIDDEN_METHODS}
    assert bounded == owners | {"duckdb"}


def test_every_pin_is_one_version_with_hashes():
    assert len(PINNED) > 80
    for pin, hashes in PINNED:
        assert [part.operator for part in pin.specifier] == ["=="], pin
        assert hashes, pin
        assert pin.url is None


@pytest.mark.parametrize("place", PLACES, ids=lambda place: "-".join(place.values())[:30])
def test_the_pins_are_what_the_project_allows(place):
    pinned = [pin for pin, _ in PINNED if pin.marker is None or pin.marker.evaluate(place)]
    versions = {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in pinned}
    assert len(versions) == len(pinned), "a distribution is pinned twice"
    for one in SERVED:
        if one.marker is None or one.marker.evaluate(place):
            version = versions.get(canonicalize_name(one.name))
            assert version in one.specifier, f"{one} is not what is pinned: {version}; run `make lock`"
