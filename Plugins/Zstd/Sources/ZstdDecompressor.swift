import CZstd
import StrataCompression

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A context of libzstd that decompresses, and the memory for its output.
///
/// Unchecked: all properties are `let`, and the memory that they point to belongs to the one caller that has the
/// decompressor. A `ContextPool` gives it to one caller at a time.
final class ZstdDecompressor: @unchecked Sendable {
  /// Shared by all transformers: at most eight idle contexts in the process, not eight for each.
  static let pool = ContextPool<ZstdDecompressor>(
    make: { try ZstdDecompressor() }, reset: { $0.isWorthKeeping })

  private let context: OpaquePointer
  private let output = OutputBuffer()

  init() throws {
    guard let context = ZSTD_createDCtx() else { throw StorageError.noMemory }
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  /// A frame of unknown size needs memory for its window, up to 128 MB. Such a context is freed after use.
  private var isWorthKeeping: Bool { ZSTD_sizeof_DCtx(context) <= 1 << 20 }

  /// Returns the contents of one frame.
  func decompress(_ data: Data, dictionary: ZstdDictionary?, maximumSize: Int) throws -> Data {
    try data.withUnsafeBytes { bytes in
      let size = ZSTD_getFrameContentSize(bytes.baseAddress, bytes.count)
      if size == ContentSize.error { throw StorageError.damaged("the bytes do not begin with a frame") }
      let length = ZSTD_findFrameCompressedSize(bytes.baseAddress, bytes.count)
      try checked(length, .damaged)
      guard length == bytes.count else { throw StorageError.damaged("bytes follow the end of the frame") }
      if size == ContentSize.unknown { return try stream(bytes, dictionary, maximumSize) }
      guard size <= maximumSize else {
        throw StorageError.tooLarge.with(
          "zstd: the frame holds \(size) bytes by its header; the limit is \(maximumSize)")
      }
      // A block of at least four bytes holds at most 128 KiB, so a stated size alone cannot cause a large allocation.
      guard size <= bytes.count / 4 * (128 << 10) else {
        throw StorageError.damaged("\(bytes.count) bytes cannot hold \(size)")
      }
      return try whole(bytes, Int(size), dictionary)
    }
  }

  private func whole(
    _ bytes: UnsafeRawBufferPointer, _ size: Int, _ dictionary: ZstdDictionary?
  ) throws -> Data {
    let data = try output.data(capacity: size) { room in
      let count = ZSTD_decompress_usingDDict(
        context, room.baseAddress, room.count, bytes.baseAddress, bytes.count, dictionary?.reading)
      try checked(count, .damaged)
      guard count == size else {
        throw StorageError.damaged("the frame holds \(count) bytes, and \(size) by its header")
      }
      return count
    }
    return data ?? Data()
  }

  /// Decompresses a frame without a stated size, as written by tools that read from a pipe.
  private func stream(
    _ bytes: UnsafeRawBufferPointer, _ dictionary: ZstdDictionary?, _ maximumSize: Int
  ) throws -> Data {
    try checked(ZSTD_DCtx_reset(context, ZSTD_reset_session_and_parameters))
    defer { ZSTD_DCtx_reset(context, ZSTD_reset_session_and_parameters) }
    try checked(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog(for: maximumSize)))
    try checked(ZSTD_DCtx_refDDict(context, dictionary?.reading))
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var data = Data()
    while true {
      var room = ZSTD_outBuffer(dst: output.memory.baseAddress, size: output.memory.count, pos: 0)
      let status = ZSTD_decompressStream(context, &room, &input)
      try checked(status, .damaged)
      guard room.pos <= maximumSize - data.count else {
        throw StorageError.tooLarge.with(
          "zstd: the frame holds more bytes than the limit of \(maximumSize)")
      }
      data.append(contentsOf: output.memory[..<room.pos])
      if status == 0 { return data }
      guard input.pos < input.size || room.pos == room.size else {
        throw StorageError.damaged("the bytes end before the frame does")
      }
    }
  }

  /// Returns the binary logarithm of the largest allowed window. That is the maximum size of a value, but at least the
  /// 8 MB that every reader of the format must support, and at most 128 MB.
  private static func windowLog(for maximumSize: Int) -> CInt {
    let log = Int.bitWidth - max(maximumSize - 1, 1).leadingZeroBitCount
    return CInt(min(max(log, 23), 27))
  }
}

/// libzstd's special values in place of a size.
private enum ContentSize {
  static let unknown = UInt64.max
  static let error = UInt64.max - 1
}

extension StorageError {
  fileprivate static func damaged(_ reason: String) -> StorageError {
    .compression(CompressionError(.damaged, "zstd: \(reason)"))
  }
}
