// Users of CBOR need these modules too.
@_exported public import StrataCore
