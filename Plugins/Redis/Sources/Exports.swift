// Importing this module also imports StrataCore, whose types the API of the store uses.
@_exported public import StrataCore
