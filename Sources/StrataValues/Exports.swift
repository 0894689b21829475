@_exported public import StrataSupport
