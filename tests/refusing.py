"""What a function says when it refuses its arguments, for the tests of all that reads."""

import pytest

from sdcwidgets import InputError


def outcome(function, *arguments):
    """What the function returns, or the sentence with which it refuses its arguments."""
    try:
        return function(*arguments)
    except InputError as error:
        return str(error)


def sentence(function, *arguments, **options):
    """The one sentence with which the function refuses its arguments."""
    with pytest.raises(InputError) as error:
        function(*arguments, **options)
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text
