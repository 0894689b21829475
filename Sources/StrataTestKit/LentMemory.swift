#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The memory that glibc has lent to the process.
enum LentMemory {
  /// glibc's `malloc_info`, which Swift's Glibc module does not declare; `nil` in a program without dynamic symbols,
  /// and with other C libraries.
  ///
  /// Unsafe: according to glibc's documentation, the symbol is a C function of this type.
  private static let mallocInfo = dlsym(nil, "malloc_info").map {
    unsafeBitCast($0, to: (@convention(c) (CInt, UnsafeMutableRawPointer) -> CInt).self)
  }

  /// Returns how many bytes the process has allocated and not freed, or `nil` if that is unknown.
  ///
  /// The memory that the system has given to the process would tell less: glibc keeps much of what was freed.
  static func bytes() -> Int? {
    #if canImport(Glibc)
      var (text, size) = (UnsafeMutablePointer<CChar>?.none, 0)
      guard let mallocInfo, let stream = open_memstream(&text, &size) else { return nil }
      let status = mallocInfo(0, UnsafeMutableRawPointer(stream))
      fclose(stream)
      defer { free(text) }
      guard status == 0, let text else { return nil }
      // The sums of all arenas come last.
      let sums = String(cString: text).split(separator: "</heap>").last ?? ""
      func sum(_ type: String) -> Int? {
        sums.firstRange(of: type).flatMap { place in
          sums[place.upperBound...].firstRange(of: "size=\"").flatMap {
            Int(sums[$0.upperBound...].prefix { $0.isNumber })
          }
        }
      }
      guard let system = sum("<system type=\"current\""), let mapped = sum("<total type=\"mmap\""),
        let fast = sum("<total type=\"fast\""), let rest = sum("<total type=\"rest\"")
      else { return nil }
      return system + mapped - fast - rest
    #else
      return nil
    #endif
  }
}
