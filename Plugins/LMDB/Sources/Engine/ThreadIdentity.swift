#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Returns a number that identifies this thread among all living ones; never 0.
@inline(__always)
func threadIdentity() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
