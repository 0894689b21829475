#if canImport(Glibc)
  import Glibc
#endif

/// Memory that was freed, but that the C library keeps for later allocations instead of returning it to the system.
///
/// After many small objects were freed, glibc keeps nearly all of their memory: it only returns the end of its heap.
/// Other C libraries return memory by themselves after some time.
package enum FreedMemory {
  private static let pace = Locked(TrimPace())

  /// Returns free memory to the system after a store has freed `count` objects. Does nothing below 50 000 objects,
  /// which would not be worth the time.
  package static func giveBack(afterFreeing count: Int) { if count >= 50_000 { giveBack() } }

  /// Returns free memory to the system, unless a call did so a moment ago.
  package static func giveBack() {
    let start = ContinuousClock.now
    guard pace.withLock({ $0.begin(at: start) }) else { return }
    trim()
    let end = ContinuousClock.now
    pace.withLock { $0.end(at: end, after: end - start) }
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

/// How often memory is returned.
///
/// A call takes some microseconds for each megabyte of the heap, and a program may have gigabytes. Those who call it
/// often spend a tenth of their time on it at most.
package struct TrimPace: Sendable {
  /// When memory may be returned again; `nil` before the first time.
  private var next: ContinuousClock.Instant?

  package init() {}

  /// Returns whether memory may be returned now. Others may not while it is.
  package mutating func begin(at start: ContinuousClock.Instant) -> Bool {
    if let next, start < next { return false }
    next = start + .seconds(1)
    return true
  }

  /// Notes the end of a call, and how long it took.
  package mutating func end(at end: ContinuousClock.Instant, after duration: Duration) {
    next = end + duration * 9
  }
}
