// Users of LZ4 need these modules too.
@_exported public import StrataCore
