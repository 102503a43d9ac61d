"""Core needs numpy and scipy and nothing else."""

import subprocess
import sys

PROGRAM = """
import importlib, importlib.metadata, pkgutil, sys

# Whatever is installed beside numpy and scipy is made impossible to import.
FORBIDDEN = set(importlib.metadata.packages_distributions()) - {"lazy_loader", "numpy", "scipy", "sdcwidgets"}
assert "pandas" in FORBIDDEN

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in FORBIDDEN:
            raise ModuleNotFoundError(f"core must not import {name}", name=name)

sys.meta_path.insert(0, Blocker())
import sdcwidgets.core

names = [m.name for m in pkgutil.walk_packages(sdcwidgets.core.__path__, "sdcwidgets.core.")]
for name in names:
    importlib.import_module(name)
heavy = [name for name in ("scipy.optimize", "scipy.stats") if name in sys.modules]
print(len(names), heavy)
from sdcwidgets.core.utility import rank_correlation
print(float(rank_correlation([1, 2, 3], [2, 4, 6])))
"""


def test_core_imports_with_numpy_and_scipy_only():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    modules, correlation = done.stdout.splitlines()
    assert int(modules.split()[0]) >= 10
    assert modules.endswith("[]")
    assert correlation == "1.0"
