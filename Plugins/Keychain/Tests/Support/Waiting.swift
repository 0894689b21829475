#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Blocks until `condition` is true. Returns `false` after one minute.
func waited(until condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while try !condition() {
    if ContinuousClock.now > end { return false }
    usleep(500)
  }
  return true
}
