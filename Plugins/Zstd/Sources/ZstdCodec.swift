import CZstd
import StrataCompression

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The codec of zstd at one level, with the dictionaries of one source.
///
/// Not generic: the functions of a generic codec would be called through its witness table, unspecialised.
struct ZstdCodec: Compression.Codec {
  let level: Int
  let dictionaries: any DictionarySource
  let checksum: Bool

  func compress(_ data: Data) throws -> Data? {
    let dictionary = dictionaries.newest
    let packed = try ZstdCompressor.pool.withContext {
      try $0.compress(data, level: level, dictionary: dictionary, checksum: checksum)
    }
    dictionaries.wrote(data, as: packed?.count ?? data.count, level: level)
    return packed
  }

  func decompress(_ data: Data, maximumSize: Int) throws -> Data {
    let frame = ZstdFrame(data)
    var dictionary: ZstdDictionary?
    if frame.dictionaryID != 0 {
      dictionary = try dictionaries.dictionary(frame.dictionaryID)
      guard dictionary != nil else {
        throw StorageError.compression(
          CompressionError(
            .unknownDictionary,
            "zstd: the value was written with dictionary \(frame.dictionaryID), which is not in \(dictionaries.place)"
          ))
      }
    }
    return try ZstdDecompressor.pool.withContext {
      try $0.decompress(data, dictionary: dictionary, maximumSize: maximumSize)
    }
  }

  func recognizes(_ data: Data) -> Compression.Recognition {
    let frame = ZstdFrame(data)
    guard frame.hasMagic else { return .foreign }
    if frame.dictionaryID == 0 { return .readable }
    // The error is thrown when the dictionary is needed to read a value.
    do { return try dictionaries.dictionary(frame.dictionaryID) == nil ? .unreadable : .readable } catch {
      return .unreadable
    }
  }
}

/// The header of a frame.
private struct ZstdFrame {
  let hasMagic: Bool
  /// The dictionary that the frame needs; 0 for none.
  let dictionaryID: UInt32

  init(_ data: Data) {
    (hasMagic, dictionaryID) = data.withUnsafeBytes { bytes in
      let magic = bytes.count < 4 ? 0 : bytes.number(at: 0) as UInt32
      return (magic == ZSTD_MAGICNUMBER, ZSTD_getDictID_fromFrame(bytes.baseAddress, bytes.count))
    }
  }
}

/// Throws if a result of the library is an error, with its number and message.
@inline(__always)
func checked(_ result: Int, _ code: @autoclosure () -> CompressionError.Code = .libraryFailed) throws {
  if ZSTD_isError(result) != 0 { throw failure(result, code()) }
}

private func failure(_ result: Int, _ code: CompressionError.Code) -> StorageError {
  let number = ZSTD_getErrorCode(result)
  return .compression(
    CompressionError(
      number == ZSTD_error_memory_allocation ? .libraryFailed : code,
      "zstd: error \(number.rawValue), \(String(cString: ZSTD_getErrorName(result)))"))
}
