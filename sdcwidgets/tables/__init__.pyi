from . import examples as examples
from . import io as io
from .axis import Axis as Axis
from .linked_release import LinkedRelease as LinkedRelease
from .magnitude import MagnitudeTable as MagnitudeTable
from .release import Release as Release
from .table import FrequencyTable as FrequencyTable
