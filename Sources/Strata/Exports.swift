@_exported public import StrataAlgebra
@_exported public import StrataCore
@_exported public import StrataDelegate
@_exported public import StrataDisk
@_exported public import StrataLoading
@_exported public import StrataMemory
@_exported public import StrataZlib
