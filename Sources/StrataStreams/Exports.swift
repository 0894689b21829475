@_exported public import StrataOrder
