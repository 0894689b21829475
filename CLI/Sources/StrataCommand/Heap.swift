#if canImport(Glibc)
  import Glibc
#endif

/// The heap of the process.
enum Heap {
  /// Makes all threads share one heap, which halves the memory of a copy: entries are freed by other threads than those
  /// that have read them, and each thread's own heap would be full of gaps.
  ///
  /// Call it before other threads begin. Does nothing without glibc.
  static func share() {
    #if canImport(Glibc)
      // The number of M_ARENA_MAX. Swift's Glibc module does not declare `mallopt`.
      // Unsafe: according to glibc's documentation, the symbol is a C function of this type.
      let option = dlsym(nil, "mallopt").map {
        unsafeBitCast($0, to: (@convention(c) (CInt, CInt) -> CInt).self)
      }
      _ = option?(-8, 1)
    #endif
  }
}
