// Importing this module also imports StrataDelegate, whose types the API uses, and the key types for vaults.
@_exported public import StrataDelegate
@_exported public import StrataSodium
