// Whoever imports the SQLite store sees the contracts and values that it speaks in.
@_exported public import StrataCore
