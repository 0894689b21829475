@_exported public import Observation
@_exported public import Strata
