#if canImport(Glibc)
  import Glibc
#endif

/// Memory that was freed, and that the C library keeps for the next allocation instead of giving it back to the system.
///
/// After many small objects were freed, glibc keeps nearly all of it: it gives back only what lies at the end of its
/// heap. Other libraries give memory back by themselves, with time.
package enum FreedMemory {
  private static let lastTime = Locked<ContinuousClock.Instant?>(nil)

  /// Gives back what is free, for a store that has just freed so many objects: where it was worth the time that it
  /// takes, and at most once a second in the whole process.
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

  /// Gives back what is free now. It takes some microseconds for each megabyte of the heap.
  package static func giveBack() { trim() }

  #if canImport(Glibc)
    /// glibc's own function, which Swift's module of it does not name; `nil` in a program without dynamic symbols.
    ///
    /// Unsafe: the symbol is a C function of this type, by glibc's documentation.
    private static let mallocTrim: (@convention(c) (Int) -> CInt)? = dlsym(nil, "malloc_trim").map {
      unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
    }

    private static func trim() { _ = mallocTrim?(0) }
  #else
    private static func trim() {}
  #endif
}
