"""A name means one thing, and what another package adds cannot take the rest away."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from stating import stating

from sdcwidgets import InputError, measures, methods
from sdcwidgets._util.parameters import Label
from sdcwidgets._util.registry import Registry
from sdcwidgets.attacks import base as attacks
from sdcwidgets.methods import Method
from sdcwidgets.tables.io import sources

ROOT = Path(__file__).parents[2]


class TestATakenName:
    @pytest.mark.parametrize("room", [methods, measures, sources])
    def test_of_a_class_is_an_error_that_names_both(self, room):
        for name in room.available():
            there = room.get(name)
            attribute = "kind" if room is sources else "name"
            own = {attribute: name, "__module__": "office"}
            other = (
                type("Other", (), own)
                if room is sources
                else dataclass(frozen=True)(type("Other", (there,), own))
            )
            register = room.register if hasattr(room, "register") else sources.base.register
            with pytest.raises(InputError) as told:
                register(other)
            assert "office.Other" in str(told.value)
            assert f"{there.__module__}.{there.__qualname__}" in str(told.value)
            assert room.get(name) is there

    def test_of_an_attack_is_an_error_that_names_both(self):
        def other():
            """It is another one."""

        with pytest.raises(InputError, match=r"linking.*linking\.linking.*other"):
            attacks.register("linking")(other)

    def test_is_no_matter_where_the_same_module_is_imported_anew(self):
        room = Registry[type]("thing")
        room.add("one", type("One", (), {}))
        again = type("One", (), {})
        assert room.add("one", again) is room.get("one") is again


@pytest.mark.parametrize("name", ["report", "title", "replicate"])
def test_a_setting_that_hides_what_every_method_has_is_refused(name):
    cls = dataclass(frozen=True)(
        type("Hiding", (Method,), {"__annotations__": {name: Annotated[int, Label("X")]}, name: 3})
    )
    with pytest.raises(InputError, match=f"Hiding has a setting '{name}', which hides"):
        methods.register(cls)
    assert "hiding" not in methods.available()


BROKEN = {
    "fails": "raise RuntimeError('no licence found')",
    "ends": "import sys; sys.exit('bye')",
    "halfway": """
from dataclasses import dataclass
from sdcwidgets.measures import register
from sdcwidgets.measures.loss import Hellinger

@register
@dataclass(frozen=True)
class Halfway(Hellinger):
    pass

import nowhere_to_be_found
""",
    "takes": """
from dataclasses import dataclass
from sdcwidgets.methods import register
from sdcwidgets.methods.rounding import RandomRounding

@register
@dataclass(frozen=True)
class Mine(RandomRounding):
    name = "random-rounding"
""",
}


@pytest.fixture
def package(tmp_path):
    """Install a package of one module, and return the environment that has it."""

    def install(name, code):
        (tmp_path / f"{name}.py").write_text(code)
        (tmp_path / "notebooks").mkdir(exist_ok=True)
        told = tmp_path / f"{name}-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (told / "entry_points.txt").write_text(f"[sdcwidgets]\n{name} = {name}\n")
        return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}

    return install


@pytest.mark.parametrize("name", BROKEN)
def test_a_package_that_cannot_be_imported_is_named_once_and_left_out(package, name):
    code = """
from sdcwidgets import measures, methods
from sdcwidgets.dashboards import notebook_pages
print(len(methods.available()), len(measures.available()), len(notebook_pages.dashboards()), len(methods.available()))
print(methods.get("random-rounding").__module__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=package(name, BROKEN[name]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("\n") == 1
    assert done.stderr == stating(name, name, "be imported")
    counts, module = done.stdout.splitlines()
    several, every, pages, again = map(int, counts.split())
    assert several == again == len(methods.available())
    assert every == len(measures.available())
    assert pages > 0
    assert module == "sdcwidgets.methods.rounding.single"
