// The API of the keychain uses types of the core, and key types for vaults.
@_exported public import StrataCore
@_exported public import StrataSodium
