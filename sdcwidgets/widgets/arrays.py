"""Trait for two-dimensional arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets
from numpy.typing import NDArray


class ArrayTrait(traitlets.TraitType[Any, object]):
    """A read-only two-dimensional array of one type, or None."""

    def __init__(self, dtype: type) -> None:
        super().__init__(default_value=None, allow_none=True)
        self.dtype = np.dtype(dtype)

    def validate(self, obj: object, value: object) -> NDArray[np.generic]:
        """Return the array, read-only."""
        try:
            array = np.asarray(value).astype(self.dtype, casting="same_kind")
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(
                f"{self.name} must be a two-dimensional array of {self.dtype.name}."
            ) from error
        if array.ndim != 2:
            raise traitlets.TraitError(f"{self.name} must have two dimensions; it has {array.ndim}.")
        array.flags.writeable = False
        return array
