// Importing this module also imports the contracts, the combinators, and `StorageDelegate`.
@_exported public import StrataDelegate
