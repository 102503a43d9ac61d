"""`python -m sdcwidgets.cli` is `sdcwidgets`."""

from __future__ import annotations

import sys

from sdcwidgets.cli import main

sys.exit(main())
