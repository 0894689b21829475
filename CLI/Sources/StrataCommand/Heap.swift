#if canImport(Glibc)
  import Glibc
#endif

/// Settings of the process's heap.
enum Heap {
  /// Makes all threads allocate from one heap, which halves the memory of a copy. Entries are freed by other threads
  /// than the ones that read them, and would leave gaps in a heap per thread.
  ///
  /// Call it before other threads start. Does nothing without glibc.
  static func share() {
    #if canImport(Glibc)
      // -8 is M_ARENA_MAX: Swift's Glibc module declares neither it nor `mallopt`.
      // Unsafe: glibc documents the symbol as a C function of this type.
      let option = dlsym(nil, "mallopt").map {
        unsafeBitCast($0, to: (@convention(c) (CInt, CInt) -> CInt).self)
      }
      _ = option?(-8, 1)
    #endif
  }
}
