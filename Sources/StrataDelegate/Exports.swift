// Importing this module also imports the combinators of StrataAlgebra and the contracts of StrataCore.
@_exported public import StrataAlgebra
