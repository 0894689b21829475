#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Returns the system's description of an `errno`.
package func systemReason(_ code: CInt) -> String {
  strerror(code).map { String(cString: $0) } ?? "unknown error"
}
