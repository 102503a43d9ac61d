from .figures import residual_risk as residual_risk
from .figures import risk_utility_map as risk_utility_map
from .figures import terms as terms
from .figures import third_term as third_term
