"""The secret that a command draws random numbers from: given by the caller, or drawn and told."""

from __future__ import annotations

import argparse
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Declared, Help, Label, Range, declared
from sdcwidgets._util.seeds import GUESSED, is_guessable
from sdcwidgets.cli._options import add_options, read_options

#: A seed of so many bits cannot be found by trying.
_BITS = 128


#: How what is said of a seed that was drawn begins.
SEED_TOLD = "The random seed was"


@dataclass(frozen=True)
class _Draw(Declared):
    """What random numbers follow from."""

    seed: Annotated[
        int,
        Range(0, 2**_BITS - 1),
        Label("Seed"),
        Help(
            "Reproduces the same output, for anyone who knows it: keep it as secret as the original data, and use "
            "one seed for the same data (default: a new one, printed on stderr)."
        ),
    ] = 0


@dataclass(frozen=True)
class Secret:
    """A seed, and whether the caller gave it."""

    seed: int
    is_explicit: bool

    @property
    def remark(self) -> str:
        """What is printed on stderr of a seed that was drawn, or of one that was given and is small."""
        if self.is_explicit:
            return self._warning
        return (
            f"{SEED_TOLD} {self.seed}; --seed {self.seed} reproduces this output. Keep it as secret as the "
            "original data: anyone who knows the seed can find them out. Use the same seed for the same data: the "
            "noise of outputs under different seeds can be averaged away."
        )

    @property
    def chosen(self) -> str:
        """The warning that a drawn seed must be kept, for methods that choose one result, or that a seed is small."""
        if self.is_explicit:
            return self._warning
        return (
            f"Warning: no secret was given, so a new one was drawn. {SEED_TOLD} {self.seed}. Keep it as secret as the "
            f"original data, and protect this table again only with --seed {self.seed}: two different results for "
            "one table disclose counts by their difference."
        )

    @property
    def _warning(self) -> str:
        """The warning that a given seed can be guessed, "" if it cannot."""
        if not is_guessable(self.seed):
            return ""
        return (
            f"Warning: the seed {self.seed} can be guessed, and anyone who guesses it can undo the protection. "
            "Leave out the seed, or give a random one of 128 bits, before anything is published."
        )

    @property
    def refused(self) -> str:
        """What is said on stderr of a seed that was drawn, where nothing was published."""
        return (
            f"{SEED_TOLD} {self.seed}; ask these data again with --seed {self.seed}. To draw until a "
            "table passes changes what the method promises. Keep it as secret as the true counts."
        )


def add_secret(parser: argparse.ArgumentParser) -> None:
    """Add `--seed` and `--secret-file`."""
    add_options(parser, _Draw)
    parser.add_argument(
        "--secret-file",
        metavar="FILE",
        type=Path,
        help="a text file with the seed, which other users of this computer do not see as they see a flag",
    )


def read_secret(options: argparse.Namespace) -> Secret:
    """Return the seed that was given, or a new one.

    Raises
    ------
    InputError
        If the seed is none or has a pattern, the file cannot be read or holds something else, or both are given.
    """
    settings = read_options(options, _Draw)
    if options.secret_file is None:
        return _checked(Secret(settings.get("seed", secrets.randbits(_BITS)), bool(settings)), "--seed")
    if settings:
        raise InputError("--seed and --secret-file both give the seed; leave one out.")
    path: Path = options.secret_file
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(
            f"--secret-file: {path} cannot be read: {(error.strerror or str(error)).lower()}."
        ) from None
    except UnicodeDecodeError:
        text = ""
    try:
        secret = Secret(declared(_Draw)[0].parse(text.strip()), is_explicit=True)
    except InputError:
        # What the file holds instead is not repeated: it may be another secret.
        raise InputError(
            f"--secret-file: {path} holds no seed; it must hold one whole number from 0 to 2^{_BITS} - 1."
        ) from None
    return _checked(secret, f"--secret-file: {path}")


def _checked(secret: Secret, source: str) -> Secret:
    """Raise an error if a seed looks like a secret and is none; a small one is for teaching, with a warning."""
    if secret.is_explicit and secret.seed >= GUESSED and is_guessable(secret.seed):
        raise InputError(
            f"{source} is a number with a pattern, such as 2^64 or 123123123, that can be guessed; "
            "give a random number of 128 bits."
        )
    return secret
