from .data import Microdata as Microdata
from .data import Variable as Variable
from .reading import read_microdata as read_microdata
from .record_risk import risk as risk
from .roles import Roles as Roles
from .sampling import sample as sample
from .synthetic import population as population
