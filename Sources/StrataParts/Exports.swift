// Importing this module also imports the combinators, and the contracts and values of StrataCore.
@_exported public import StrataAlgebra
