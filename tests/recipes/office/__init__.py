"""What an office may add to sdcwidgets, one module a recipe; its metadata say so, no list of sdcwidgets names it."""

from office import attack, format, measure, method, source  # noqa: F401
