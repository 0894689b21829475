@_exported public import StrataDelegate
