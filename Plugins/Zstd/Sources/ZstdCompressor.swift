import CZstd
import StrataCompression

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
  /// The parameters that the context has for values without a dictionary; `nil` after a failure to set them.
  @exclusivity(unchecked) private var settings: Settings?

  private struct Settings: Equatable {
    let level: Int
    let checksum: Bool
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
    if let dictionary { return try compress(data, with: dictionary.tables(for: level), checksum: checksum) }
    try set(Settings(level: level, checksum: checksum))
    return try data.withUnsafeBytes { input in
      try output.data(capacity: input.count) { room in
        // Begins a new frame with the same parameters, also after a failure.
        try written(ZSTD_compress2(context, room.baseAddress, room.count, input.baseAddress, input.count))
      }
    }
  }

  /// Compresses with the function of libzstd that takes all parameters from a dictionary. It writes no checksums.
  /// `ZSTD_compress2` can, but takes a tenth longer for a value of some hundred bytes.
  private func compress(_ data: Data, with tables: CompressionTables, checksum: Bool) throws -> Data? {
    try data.withUnsafeBytes { input in
      try output.data(capacity: input.count) { room in
        let reserved = checksum ? FrameChecksum.size : 0
        guard room.count > reserved else { return nil }
        let count = try written(
          ZSTD_compress_usingCDict(
            context, room.baseAddress, room.count - reserved, input.baseAddress, input.count, tables.pointer))
        guard let count, checksum else { return count }
        return FrameChecksum.append(of: input, to: room, count)
      }
    }
  }

  /// Returns a count of written bytes, or `nil` if there was no room for them.
  private func written(_ count: Int) throws -> Int? {
    if ZSTD_getErrorCode(count) == ZSTD_error_dstSize_tooSmall { return nil }
    try checked(count)
    return count
  }

  private func set(_ new: Settings) throws {
    if settings == new { return }
    settings = nil
    try checked(ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters))
    try checked(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, new.checksum ? 1 : 0))
    try checked(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, CInt(new.level)))
    settings = new
  }
}

/// The checksum at the end of a frame (RFC 8878, 3.1.1): the low 32 bits of the XXH64 of the contents.
private enum FrameChecksum {
  static let size = 4
  /// The position of the header's descriptor, behind the magic number.
  private static let descriptor = 4
  /// The bit of the descriptor that is set if the frame has a checksum.
  private static let flag: UInt8 = 1 << 2

  /// Adds the checksum to a frame of `count` bytes without one; returns the count with it.
  static func append(
    of contents: UnsafeRawBufferPointer, to frame: UnsafeMutableRawBufferPointer, _ count: Int
  ) -> Int {
    frame[descriptor] |= flag
    frame.put(UInt32(truncatingIfNeeded: XXH64.hash(contents)), at: count)
    return count + size
  }
}

extension StorageError {
  static var noMemory: StorageError {
    .compression(CompressionError(.libraryFailed, "zstd: there is no memory for a context"))
  }
}
