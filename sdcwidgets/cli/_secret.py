"""Secret that random numbers are drawn from: set by the user, or generated and printed."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Declared, Help, Label, Range, declared
from sdcwidgets._util.seeds import reject_pattern, seed_caution
from sdcwidgets.cli._options import add_options, read_options
from sdcwidgets.cli._parser import Parser

#: Length of a generated seed, in bits. An intruder cannot try all seeds of this length.
SEED_BITS = 128

#: Words before a generated seed. `--quiet` prints the lines that contain them.
SEED_PRINTED = "The random seed was"

#: Advice on a generated seed if nothing was published.
AFTER_REFUSAL = (
    "The guarantees of a method do not hold if a replicate is chosen because it passes. Keep the seed as secret as the "
    "original counts."
)


@dataclass(frozen=True)
class _Seed(Declared):
    """Option for the seed."""

    seed: Annotated[
        int,
        Range(0, 2**SEED_BITS - 1),
        Label("Seed"),
        Help(
            "The same random seed gives the same output. Keep it as secret as the data, and use one seed per data set "
            "(default: a new seed, printed on stderr)."
        ),
    ] = 0


@dataclass(frozen=True)
class Secret:
    """Seed, and whether the user has set it.

    Attributes
    ----------
    seed : int
    is_explicit : bool
    new_file : path, optional
        File that does not exist yet, in which `save` writes the seed.
    """

    seed: int
    is_explicit: bool
    new_file: Path | None = None

    def save(self) -> None:
        """Write a new seed to the file of `--secret-file`, which only its owner can read.

        A command calls it when its result is computed, because wrong input writes no file.

        Raises
        ------
        InputError
            If the file cannot be written, or exists now.
        """
        if self.new_file is None:
            return
        try:
            number = os.open(self.new_file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with open(number, "w", encoding="utf-8") as stream:
                stream.write(f"{self.seed}\n")
        except OSError as error:
            raise _unusable(self.new_file, "written", error) from None
        print(
            f"A new random seed was written to {self.new_file}. Only the owner of the file can read it. Keep the file "
            "as secret as the original data.",
            file=sys.stderr,
        )

    @property
    def line(self) -> str:
        """Line with a generated seed, "" for the seed of the user."""
        if self.is_explicit:
            return ""
        return f"{SEED_PRINTED} {self.seed}; --seed {self.seed} reproduces this output."

    @property
    def advice(self) -> str:
        """Advice on a generated seed, or the warning that the seed of the user is guessable."""
        if self.is_explicit:
            return seed_caution(self.seed)
        return (
            "Keep the seed as secret as the original data, because anyone who knows it can undo the protection. Use "
            "the same seed for the same data, because the noise of outputs with different seeds can be averaged away."
        )

    @property
    def advice_on_choice(self) -> str:
        """Advice for methods that choose one result by the seed."""
        if self.is_explicit:
            return seed_caution(self.seed)
        return (
            "Warning: no seed was set, so a new one was generated. Keep the seed as secret as the original data, and "
            "protect this table again only with this seed, because two different results for one table disclose counts."
        )

    @property
    def remark(self) -> str:
        """Line with a generated seed, and the advice on the seed."""
        return _joined(self.line, self.advice)

    @property
    def warning(self) -> str:
        """Line with a generated seed, and the advice for methods that choose one result by the seed."""
        return _joined(self.line, self.advice_on_choice)

    @property
    def line_after_refusal(self) -> str:
        """Line with a generated seed if nothing was published."""
        return f"{SEED_PRINTED} {self.seed}; use --seed {self.seed} for the next request to the same data."

    @property
    def after_refusal(self) -> str:
        """Line with a generated seed, and the advice, if nothing was published."""
        return _joined(self.line_after_refusal, AFTER_REFUSAL)


def _joined(line: str, advice: str) -> str:
    """Return the lines that are not empty."""
    return "\n".join(filter(None, [line, advice]))


def add_secret(parser: Parser, seed: type[Declared] = _Seed) -> None:
    """Add `--seed` and `--secret-file`; `seed` declares another default of the seed."""
    add_options(parser, seed)
    about = "text file with the seed, so that the seed is not visible in the list of processes"
    if seed is _Seed:
        about += "; a file that does not exist is created with a new seed, and only its owner can read it"
    parser.add_argument(
        "--secret-file",
        metavar="FILE",
        type=Path,
        help=about,
    )


def read_secret(options: argparse.Namespace, default: int | None = None) -> Secret:
    """Return the seed that the user has set, or the default, or a new one.

    Without a default, a seed file that does not exist means a new seed, which `Secret.save` writes.

    Raises
    ------
    InputError
        If the seed is not valid or has a pattern, if the file cannot be read or holds no seed, or if both
        options are used.
    """
    settings = read_options(options, _Seed)
    if options.secret_file is None:
        unset = secrets.randbits(SEED_BITS) if default is None else default
        return _checked(Secret(settings.get("seed", unset), bool(settings)), "--seed")
    if settings:
        raise InputError("--seed and --secret-file both set the seed; use one of them.")
    path: Path = options.secret_file
    if default is None and not os.path.lexists(path):
        return _new_secret(options, path)
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise _unusable(path, "read", error) from None
    except UnicodeDecodeError:
        text = ""
    try:
        secret = Secret(declared(_Seed)[0].parse(text.strip()), is_explicit=True)
    except InputError:
        # The message does not repeat the content of the file, which may be another secret.
        raise InputError(
            f"--secret-file: {path} holds no seed; it must hold one whole number from 0 to 2^{SEED_BITS} - 1."
        ) from None
    return _checked(secret, f"--secret-file: {path}")


def _new_secret(options: argparse.Namespace, path: Path) -> Secret:
    """Return a new secret, which `Secret.save` writes to a file that does not exist."""
    if not path.parent.is_dir():
        raise InputError(f"--secret-file: the folder {path.parent} does not exist.")
    for name in ("output", "report", "internal_report", "moves", "script"):
        other = getattr(options, name, None)
        if isinstance(other, Path) and other.resolve() == path.resolve():
            raise InputError(f"--secret-file: {path} is also an output file; name a different file for each.")
    return Secret(secrets.randbits(SEED_BITS), is_explicit=True, new_file=path)


def _unusable(path: Path, action: str, error: OSError) -> InputError:
    reason = (error.strerror or str(error)).lower()
    return InputError(f"--secret-file: {path} cannot be {action}: {reason}.")


def _checked(secret: Secret, source: str) -> Secret:
    """Return the secret, but reject a long seed with a pattern; a short seed is for teaching, with a warning."""
    if secret.is_explicit:
        reject_pattern(secret.seed, source)
    return secret
