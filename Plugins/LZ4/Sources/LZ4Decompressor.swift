import CLZ4
import StrataCompression

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A context of liblz4 that decompresses, and the memory for its output.
///
/// Unchecked: all of its state belongs to the one caller that has the decompressor. A `ContextPool` gives it to one
/// caller at a time.
final class LZ4Decompressor: @unchecked Sendable {
  /// Shared by all transformers: at most eight idle contexts in the process, not eight for each.
  static let pool = ContextPool<LZ4Decompressor>(make: { try LZ4Decompressor() }, reset: { $0.reset() })

  private let context: OpaquePointer
  private let output = OutputBuffer()
  /// Whether the context has allocated memory for large blocks, up to 8 MB. Such a context is not kept.
  private var isLarge = false

  init() throws {
    var context: OpaquePointer?
    try checked(LZ4F_createDecompressionContext(&context, CUnsignedInt(LZ4F_VERSION)), .libraryFailed)
    guard let context else { preconditionFailure("liblz4 reports success, but returns no context") }
    self.context = context
  }

  deinit { LZ4F_freeDecompressionContext(context) }

  private func reset() -> Bool {
    LZ4F_resetDecompressionContext(context)
    return !isLarge
  }

  /// Returns the contents of one frame.
  func decompress(_ data: Data, maximumSize: Int) throws -> Data {
    try data.withUnsafeBytes { bytes in
      var info = LZ4F_frameInfo_t()
      var headSize = bytes.count
      try checked(LZ4F_getFrameInfo(context, &info, bytes.baseAddress, &headSize), .damaged)
      guard info.frameType == LZ4F_frame else {
        throw Self.damaged("the bytes are a skippable frame, not a value")
      }
      guard info.dictID == 0 else {
        throw StorageError.compression(
          CompressionError(
            .unknownDictionary,
            "LZ4: the value was written with the dictionary \(info.dictID), and dictionaries are not supported"
          ))
      }
      if info.blockSizeID.rawValue > LZ4F_max64KB.rawValue { isLarge = true }
      let body = bytes.part(headSize...)
      // A size of zero means that it is unknown.
      if info.contentSize == 0 { return try stream(body, maximumSize) }
      guard info.contentSize <= maximumSize else {
        throw StorageError.tooLarge.with(
          "LZ4: the frame holds \(info.contentSize) bytes by its header; the limit is \(maximumSize)")
      }
      // A byte of LZ4 expands to at most 255 bytes, so a stated size alone cannot cause a large allocation.
      guard info.contentSize <= body.count * 255 else {
        throw Self.damaged("\(bytes.count) bytes cannot hold \(info.contentSize)")
      }
      return try whole(body, Int(info.contentSize))
    }
  }

  private func whole(_ body: UnsafeRawBufferPointer, _ size: Int) throws -> Data {
    let data = try output.data(capacity: size) { room in
      var options = LZ4F_decompressOptions_t()
      options.stableDst = 1
      var (read, written) = (0, 0)
      while true {
        let (count, used, rest) = try step(
          body, from: read, into: room.part(written...), &options)
        (read, written) = (read + used, written + count)
        if rest == 0 { break }
        guard count > 0 || used > 0 else { throw Self.unfinished(body, read) }
      }
      guard read == body.count else { throw Self.trailing }
      guard written == size else {
        throw Self.damaged("the frame holds \(written) bytes, and \(size) by its header")
      }
      return written
    }
    return data ?? Data()
  }

  /// Decompresses a frame without a stated size, as written by tools that read from a pipe.
  private func stream(_ body: UnsafeRawBufferPointer, _ maximumSize: Int) throws -> Data {
    var options = LZ4F_decompressOptions_t()
    var data = Data()
    var read = 0
    while true {
      let (count, used, rest) = try step(body, from: read, into: output.memory, &options)
      read += used
      guard count <= maximumSize - data.count else {
        throw StorageError.tooLarge.with(
          "LZ4: the frame holds more bytes than the limit of \(maximumSize)")
      }
      data.append(contentsOf: output.memory[..<count])
      if rest == 0 { break }
      guard count > 0 || used > 0 else { throw Self.unfinished(body, read) }
    }
    guard read == body.count else { throw Self.trailing }
    return data
  }

  /// Decompresses as much as the output has room for. `rest` becomes zero at the end of the frame.
  private func step(
    _ body: UnsafeRawBufferPointer, from start: Int, into room: UnsafeMutableRawBufferPointer,
    _ options: inout LZ4F_decompressOptions_t
  ) throws -> (count: Int, used: Int, rest: Int) {
    var (count, used) = (room.count, body.count - start)
    let rest = LZ4F_decompress(
      context, room.baseAddress, &count, body.baseAddress.map { $0 + start }, &used, &options)
    try checked(rest, .damaged)
    return (count, used, rest)
  }

  private static func unfinished(_ body: UnsafeRawBufferPointer, _ read: Int) -> StorageError {
    damaged(
      read == body.count
        ? "the bytes end before the frame does" : "the frame holds more bytes than its header says")
  }

  private static var trailing: StorageError { damaged("bytes follow the end of the frame") }

  private static func damaged(_ reason: String) -> StorageError {
    .compression(CompressionError(.damaged, "LZ4: \(reason)"))
  }
}
