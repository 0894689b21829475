// What a user of encryption needs beside it.
@_exported public import StrataCore
