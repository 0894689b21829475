@_exported public import StrataValues
