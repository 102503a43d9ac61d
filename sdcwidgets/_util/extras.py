"""Optional dependencies: modules of each extra, and installation advice for a missing one."""

from __future__ import annotations

from importlib.util import find_spec

from sdcwidgets._util.errors import InputError

#: Top-level modules that each extra of `pyproject.toml` adds to the base, by the name of the extra.
MODULES = {
    "serve": (
        "voila",
        "ipykernel",
        "jupyter_client",
        "jupyter_core",
        "jupyter_server",
        "jupyterlab_server",
        "nbclient",
        "nbconvert",
        "nbformat",
        "psutil",
        "segno",
        "tornado",
        "zmq",
    ),
    "tables": ("ibis", "duckdb"),
    "microdata": ("pyarrow", "pyreadstat"),
    "sdmx": ("sdmx",),
    "service": ("fastapi", "uvicorn"),
    "spark": ("pyspark",),
    "completion": ("argcomplete",),
}


def missing_modules(extra: str, *modules: str) -> list[str]:
    """
    Return the modules of an extra that are not installed.

    Parameters
    ----------
    extra : str
        Name of the extra. An unknown extra has no modules.
    *modules : str
        Modules to look for; by default all modules of the extra.

    Returns
    -------
    list of str
    """
    return [name for name in modules or MODULES.get(extra, ()) if find_spec(name) is None]


def install_command(extra: str) -> str:
    """
    Return the command that installs the package with an extra.

    Examples
    --------
    >>> install_command("tables")
    'pip install "sdcwidgets[tables]"'
    """
    return f'pip install "sdcwidgets[{extra}]"'


def need(extra: str, *modules: str, subject: str = "This function", alternative: str = "") -> None:
    """
    Raise InputError unless the modules of an extra are installed.

    Parameters
    ----------
    extra : str
        Name of the extra.
    *modules : str
        Modules to look for; by default all modules of the extra.
    subject : str, default "This function"
        What requires the modules, as the beginning of the message.
    alternative : str, optional
        What a person can do without the modules, as an imperative clause.

    Raises
    ------
    InputError
        If a module is not installed. The message names the modules and the command that installs them.
    """
    missing = missing_modules(extra, *modules)
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        otherwise = f", or {alternative}" if alternative else ""
        raise InputError(
            f"{subject} requires {', '.join(missing)}, which {verb} not installed. "
            f"Run {install_command(extra)}{otherwise}."
        )
