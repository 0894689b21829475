// Importing this module also imports StrataCore, whose types the API uses.
@_exported public import StrataCore
