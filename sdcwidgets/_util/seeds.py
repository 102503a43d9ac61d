"""Seeds that an intruder can guess, and seeds that are mixed with the data."""

from __future__ import annotations

import hashlib
import itertools

from sdcwidgets._util.errors import InputError

#: A seed below this can be found by trying: 2^48 draws of a small table take one core some hundred years.
GUESSED = 2**48

#: Seeds that are printed in the documents and examples of this project.
DOCUMENTED = frozenset(
    {
        3**60,
        3**61,
        5212676479325586,
        240282366920938463463374607431768211297,
        183095072317404381220961637271945101993,
    }
)

#: Maximum remainder of a seed after division by a round number that counts as a pattern, such as 3 in 3,000.
_ROUND = 2**32


def is_guessable(seed: int) -> bool:
    """Return whether a seed is small, documented, or follows from few numbers.

    An intruder tries small seeds, seeds that are printed in documents, powers of two and of ten, round numbers, and
    numbers that differ from these by one. The same holds for numbers whose digits repeat or count up. A random seed of
    128 bits has none of these patterns, except with a probability below 10^-20.

    Parameters
    ----------
    seed : int

    Returns
    -------
    bool

    Examples
    --------
    >>> import secrets
    >>> [is_guessable(seed) for seed in (1, 2**64, 2**128 - 1, 10**30 + 1, int("123" * 12), int("1234567890" * 3))]
    [True, True, True, True, True, True]
    >>> is_guessable(183095072317404381220961637271945101993), is_guessable(secrets.randbits(128))
    (True, False)
    """
    if seed < GUESSED or seed in DOCUMENTED:
        return True
    if any(_without_zeros(near, base) < _ROUND for near in (seed - 1, seed, seed + 1) for base in (2, 10)):
        return True
    return any(_has_pattern(digits) for digits in (f"{seed:b}", f"{seed:x}", f"{seed}"))


def seed_caution(seed: int) -> str:
    """Return the caution about a guessable seed, "" if the seed is not guessable."""
    if not is_guessable(seed):
        return ""
    return (
        f"Warning: the seed {seed} is guessable, and anyone who guesses it can undo the protection. Leave out "
        "the seed, or use a random number of 128 bits, before anything is published."
    )


def reject_pattern(seed: int, subject: str) -> None:
    """Reject a long seed with a pattern. A short or documented seed is accepted for teaching, with a caution.

    Parameters
    ----------
    seed : int
    subject : str
        Name of the argument or option in the error message, which does not repeat the seed.

    Raises
    ------
    InputError
        If the seed is at least 2^48, guessable, and not printed in the documents.
    """
    if seed >= GUESSED and seed not in DOCUMENTED and is_guessable(seed):
        raise InputError(
            f"{subject} is a number with a pattern, such as 2^64 or 123123123, that can be guessed; use a random "
            "number of 128 bits."
        )


def mixed_seed(seed: int, content: bytes) -> int:
    """Return the seed of the random numbers for some data: a secret seed is mixed with the data.

    Parameters
    ----------
    seed : int
        A seed below 2^48 is for teaching, and is returned unchanged.
    content : bytes
        The original data.

    Returns
    -------
    int
        A seed of 128 bits that is unrelated to the seeds of other data.

    Examples
    --------
    >>> mixed_seed(7, b"1 2"), mixed_seed(3**60, b"1 2") == mixed_seed(3**60, b"1 3")
    (7, False)
    """
    if seed < GUESSED:
        return seed
    return int.from_bytes(hashlib.sha256(f"{seed}:".encode() + content).digest()[:16], "big")


def _without_zeros(number: int, base: int) -> int:
    """Return a number without the zeros at its end."""
    while number % base == 0:
        number //= base
    return number


def _has_pattern(digits: str) -> bool:
    """Return whether digits repeat after at most a third of them, or each differs from the next by the same step."""
    periods = range(1, len(digits) // 3 + 1)
    if any(digits.startswith(digits[period:]) for period in periods):
        return True
    values = [int(digit, 16) for digit in digits]
    modulus = 10 if digits.isdecimal() else 16
    steps = {(second - first) % modulus for first, second in itertools.pairwise(values)}
    return len(steps) == 1
