#if canImport(Glibc)
  import Glibc
#endif

/// Memory that was freed, but that the C library keeps for later allocations instead of returning it to the system.
///
/// After many small objects were freed, glibc keeps nearly all of their memory: it only returns the end of its heap.
/// Other C libraries return memory by themselves after some time.
package enum FreedMemory {
  /// When memory may be returned again.
  private static let nextTime = Locked(ContinuousClock.now)

  /// Returns free memory to the system after a store has freed `count` objects. Does nothing below 50 000 objects,
  /// which would not be worth the time.
  package static func giveBack(afterFreeing count: Int) { if count >= 50_000 { giveBack() } }

  /// Returns free memory to the system, unless a call did so a moment ago.
  ///
  /// A call takes some microseconds for each megabyte of the heap, and a program may have gigabytes. Those who call it
  /// often spend a tenth of their time here at most.
  package static func giveBack() {
    let start = ContinuousClock.now
    let isDue = nextTime.withLock { next in
      if start < next { return false }
      next = .now + .seconds(1)
      return true
    }
    if !isDue { return }
    trim()
    let end = ContinuousClock.now
    nextTime.withLock { $0 = end + (end - start) * 9 }
  }

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
