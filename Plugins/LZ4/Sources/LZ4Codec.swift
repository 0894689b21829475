import CLZ4
import StrataCompression

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The codec of LZ4's frame format.
struct LZ4Codec: Compression.Codec {
  /// Idle output buffers. The library's own state is on the stack.
  private static let outputs = ContextPool<OutputBuffer>(make: { OutputBuffer() }, reset: { _ in true })

  let checksum: Bool

  func compress(_ data: Data) throws -> Data? {
    var preferences = LZ4F_preferences_t()
    preferences.frameInfo.blockMode = LZ4F_blockIndependent
    preferences.frameInfo.contentSize = UInt64(data.count)
    preferences.frameInfo.contentChecksumFlag =
      checksum ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum
    let capacity = LZ4F_compressFrameBound(data.count, &preferences)
    let packed = try Self.outputs.withContext { output in
      try data.withUnsafeBytes { input in
        try output.data(capacity: capacity) { room in
          let count = LZ4F_compressFrame(
            room.baseAddress, room.count, input.baseAddress, input.count, &preferences)
          try checked(count, .libraryFailed)
          return count <= input.count ? count : nil
        }
      }
    }
    return packed
  }

  func decompress(_ data: Data, maximumSize: Int) throws -> Data {
    try LZ4Decompressor.pool.withContext { try $0.decompress(data, maximumSize: maximumSize) }
  }

  func recognizes(_ data: Data) -> Compression.Recognition {
    data.starts(with: [0x04, 0x22, 0x4d, 0x18]) ? .readable : .foreign
  }
}

/// Throws if a result of the library is an error, with the library's message.
func checked(_ result: Int, _ code: CompressionError.Code) throws {
  guard LZ4F_isError(result) != 0 else { return }
  throw StorageError.compression(CompressionError(code, "LZ4: \(String(cString: LZ4F_getErrorName(result)))"))
}
