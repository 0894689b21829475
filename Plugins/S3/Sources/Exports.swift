@_exported public import StrataCore
