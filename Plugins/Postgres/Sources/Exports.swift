// The API of the store uses types of the core.
@_exported public import StrataCore
