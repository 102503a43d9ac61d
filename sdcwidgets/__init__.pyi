from . import assessment as assessment
from . import attacks as attacks
from . import core as core
from . import dashboards as dashboards
from . import measures as measures
from . import methods as methods
from . import microdata as microdata
from . import parameters as parameters
from . import plots as plots
from . import tables as tables
from . import tableserver as tableserver
from . import widgets as widgets
from ._util.errors import InputError as InputError
from .assessment.assessment import Assessment as Assessment
from .assessment.assessment import assess as assess
from .assessment.comparison import Comparison as Comparison
from .assessment.comparison import compare as compare
from .attacks import Finding as Finding
from .methods import Method as Method
from .methods import protect as protect
from .tables import examples as examples
from .tables.axis import Axis as Axis
from .tables.linked_release import LinkedRelease as LinkedRelease
from .tables.magnitude import MagnitudeTable as MagnitudeTable
from .tables.release import Release as Release
from .tables.table import FrequencyTable as FrequencyTable

__version__: str
