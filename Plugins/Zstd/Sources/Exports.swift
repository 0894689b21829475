// Users of zstd need these modules too.
@_exported public import StrataCore
