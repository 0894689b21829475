// Whoever imports the store sees the contracts and values that it speaks in.
@_exported public import StrataCore
