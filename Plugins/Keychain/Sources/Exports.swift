// Whoever imports the keychain sees the contracts and values that it speaks in, and the keys that lock a vault.
@_exported public import StrataCore
@_exported public import StrataSodium
