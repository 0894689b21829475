#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What tells this thread from all others that live; never 0.
@inline(__always)
func threadIdentity() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
