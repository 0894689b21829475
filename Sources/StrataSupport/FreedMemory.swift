#if canImport(Glibc)
  import Glibc
#endif

/// Memory that was freed, but that the C library keeps for later allocations instead of returning it to the system.
///
/// After many small objects were freed, glibc keeps nearly all of their memory: it only returns the end of its heap.
/// Other C libraries return memory by themselves after some time.
package enum FreedMemory {
  private static let lastTime = Locked<ContinuousClock.Instant?>(nil)

  /// Returns free memory to the system after a store has freed `count` objects. Does nothing below 50 000 objects,
  /// which would not be worth the time, and runs at most once a second in the process.
  package static func giveBack(afterFreeing count: Int) {
    guard count >= 50_000 else { return }
    let now = ContinuousClock.now
    let isDue = lastTime.withLock { last in
      if let last, now - last < .seconds(1) { return false }
      last = now
      return true
    }
    if isDue { trim() }
  }

  /// Returns free memory to the system. It takes some microseconds for each megabyte of the heap.
  package static func giveBack() { trim() }

  #if canImport(Glibc)
    /// glibc's `malloc_trim`, which Swift's Glibc module does not declare; `nil` in a program without dynamic symbols.
    ///
    /// Unsafe: according to glibc's documentation, the symbol is a C function of this type.
    private static let mallocTrim: (@convention(c) (Int) -> CInt)? = dlsym(nil, "malloc_trim").map {
      unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
    }

    private static func trim() { _ = mallocTrim?(0) }
  #else
    private static func trim() {}
  #endif
}
