#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system's limit on the length of the files that this process writes. Writing beyond it fails, and by default
/// kills the process (`SIGXFSZ`).
struct FileLengthLimit: Equatable, Sendable {
  let bytes: Int

  /// The limit at this moment; `Int.max` for none.
  static var current: FileLengthLimit {
    var limit = rlimit()
    #if canImport(Darwin)
      let result = getrlimit(RLIMIT_FSIZE, &limit)
    #else
      let result = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
    return FileLengthLimit(bytes: result == 0 ? Int(clamping: limit.rlim_cur) : .max)
  }

  /// The length of the records of a segment that leaves space for its header and table. A record takes at least 40
  /// bytes, and 24 in the table.
  var segment: Int { bytes == .max ? .max : max(bytes / 8 * 5 - 4096, 4096) }

  /// The number of bytes to move at once, which may end in a record as long as a segment.
  var step: Int { bytes == .max ? .max : segment / 4 }
}
