import CZstd
import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A context of libzstd that compresses, and the memory for its output.
///
/// Unchecked: the state belongs to the one caller that has the compressor. A `ContextPool` gives it to one caller at a
/// time.
final class ZstdCompressor: @unchecked Sendable {
  /// Shared by all transformers: at most eight idle contexts in the process, not eight for each.
  static let pool = ContextPool<ZstdCompressor>(make: { try ZstdCompressor() }, reset: { $0.isWorthKeeping })

  private let context: OpaquePointer
  private let output = OutputBuffer()
  /// The parameters that the context has; `nil` after a failure to set them.
  private var settings: Settings?

  /// Parameters, compared by number: the context may outlive the dictionary to which it refers, and must then not use
  /// it.
  private struct Settings: Equatable {
    let level: Int
    let checksum: Bool
    /// The serial number of the prepared dictionary; 0 for none.
    let dictionary: UInt64
  }

  init() throws {
    guard let context = ZSTD_createCCtx() else { throw StorageError.noMemory }
    self.context = context
  }

  deinit { ZSTD_freeCCtx(context) }

  /// High levels allocate up to a gigabyte. Such a context is freed after use.
  private var isWorthKeeping: Bool { ZSTD_sizeof_CCtx(context) <= 8 << 20 }

  /// Returns one frame, or `nil` if it would have more bytes than the data.
  func compress(
    _ data: Data, level: Int, dictionary: ZstdDictionary?, checksum: Bool
  ) throws -> Data? {
    // Alive until the frame is written: the context only has a pointer to it.
    let prepared = try dictionary?.prepared(for: level)
    return try withExtendedLifetime(prepared) {
      try set(Settings(level: level, checksum: checksum, dictionary: prepared?.serial ?? 0), prepared)
      return try data.withUnsafeBytes { input in
        try output.data(capacity: input.count) { room in
          // Begins a new frame with the same parameters, also after a failure.
          let count = ZSTD_compress2(context, room.baseAddress, room.count, input.baseAddress, input.count)
          if ZSTD_getErrorCode(count) == ZSTD_error_dstSize_tooSmall { return nil }
          try checked(count)
          return count
        }
      }
    }
  }

  private func set(_ new: Settings, _ dictionary: PreparedDictionary?) throws {
    if settings == new { return }
    settings = nil
    try checked(ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters))
    try checked(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, new.checksum ? 1 : 0))
    if let dictionary {
      // The prepared dictionary determines the level.
      try checked(ZSTD_CCtx_refCDict(context, dictionary.pointer))
    } else {
      try checked(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, CInt(new.level)))
    }
    settings = new
  }
}

extension StorageError {
  static var noMemory: StorageError {
    .compression(CompressionError(.libraryFailed, "zstd: there is no memory for a context"))
  }
}
