// Importing StrataDisk also imports the protocols and values of StrataCore, which its interface uses.
@_exported public import StrataEngines
