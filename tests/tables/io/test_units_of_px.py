"""The counted units of PX files, which the keywords UNITS, CONTENTS and TITLE state."""

import pytest

from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_bytes

PX = (
    'CHARSET="ANSI";\nAXIS-VERSION="2013";\n{}STUB="Kunta";\nHEADING="Talotyyppi";\n'
    'VALUES("Kunta")="Espoo","Vantaa";\nVALUES("Talotyyppi")="Rivitalo","Muu";\nDATA=\n14 26\n33 52;\n'
)


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        ('TITLE="Asuntokunnat";\nCONTENTS="Asuntokunnat";\nUNITS="lukumäärä";\n', "units"),
        ('TITLE="Households";\nCONTENTS="Households";\nUNITS="number";\n', "households"),
        ('TITLE="Households by persons";\nUNITS="number";\n', "households"),
        ('TITLE="Population";\nUNITS="households";\n', "households"),
        ('TITLE="Población";\nUNITS="Personas";\n', "people"),
        ('TITLE="X";\nUNITS("Rivitalo")="households";\nUNITS("Muu")="number";\n', "units"),
    ],
)
def test_a_px_file_counts_the_units_that_it_states(words, unit):
    content = PX.format(words).encode()
    assert read_bytes("a.px", content).counted == unit
    proposal = propose_layout(content)
    assert proposal.layout.counted == unit
    assert proposal.reading.counted == unit
