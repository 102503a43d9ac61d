from . import replications as replications
from . import report as report
from . import search as search
from . import verdict as verdict
from .assessment import Assessment as Assessment
from .assessment import Slices as Slices
from .assessment import assess as assess
