// What a user of zstd needs beside it.
@_exported public import StrataCore
