// Whoever imports the disk store sees the contracts and values that it speaks in.
@_exported public import StrataCore
