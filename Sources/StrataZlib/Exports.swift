// Importing this module also imports StrataCompression, whose types the API uses, and the contracts of StrataCore.
@_exported public import StrataCompression
