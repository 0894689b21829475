#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Blocks until something that another program brings about, and says whether it came about in a minute.
func waited(until condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while try !condition() {
    if ContinuousClock.now > end { return false }
    usleep(500)
  }
  return true
}
