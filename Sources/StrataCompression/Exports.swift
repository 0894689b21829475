// Importing this module also imports the contracts and values of StrataCore.
@_exported public import StrataCore
