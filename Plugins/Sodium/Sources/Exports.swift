// The API of the encryption uses types of the core.
@_exported public import StrataCore
