// Importing this module also imports StrataDelegate, whose cache strategies the API uses, and StrataCore.
@_exported public import StrataDelegate
