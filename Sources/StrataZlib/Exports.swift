// What a user of zlib needs beside it.
@_exported public import StrataCore
