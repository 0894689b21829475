// What the middleware's configuration needs. The rest of StrataHTTP stays apart: its `Request` and `Response` would be
// ambiguous beside Hummingbird's.
@_exported public import struct StrataHTTP.HTTPCacheConfig
