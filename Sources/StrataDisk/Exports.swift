// Importing this module also imports StrataEngines, whose types the API uses, and the contracts of StrataCore.
@_exported public import StrataEngines
