// What a user of CBOR needs beside it.
@_exported public import StrataCore
