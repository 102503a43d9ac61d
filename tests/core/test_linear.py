import numpy as np
from scipy import sparse

from sdcwidgets.core._linear import extremes, silent_solver


def test_a_solver_prints_nothing(capfd):
    """What a command writes is read by programs, in which a solver's licence is an error."""
    silent_solver()
    sides = np.array([3.0]), np.array([4.0])
    least, most = extremes(sparse.csr_array(np.ones((1, 3))), sides, np.zeros(3), np.full(3, np.inf))
    assert least.tolist() == [0, 0, 0]
    assert most.tolist() == [4, 4, 4]
    assert capfd.readouterr() == ("", "")
