import StrataHTTP

// A file with Hummingbird's `Request` and `Response` uses those of StrataHTTP by these names.
typealias CacheRequest = StrataHTTP.Request
typealias CacheResponse = StrataHTTP.Response
