// What a user of LZ4 needs beside it.
@_exported public import StrataCore
