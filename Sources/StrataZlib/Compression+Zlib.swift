public import StrataCompression

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Compression {
  /// Returns the compression by zlib, in the format of RFC 1950.
  ///
  /// ```swift
  /// let bytes = ByteTransformer.compressed(by: .zlib(level: 9))
  /// ```
  ///
  /// - Parameter level: from 1 (fastest) to 9 (smallest); any other level is a programming error and traps. Bytes
  ///   written at one level can be read at every other.
  public static func zlib(level: Int = 6) -> Compression {
    precondition((1...9).contains(level), "zlib's levels are 1 to 9, not \(level)")
    return Compression("zlib", ZlibCodec(level: level))
  }
}

private struct ZlibCodec: Compression.Codec {
  private let deflating: ContextPool<ZlibStream>
  private let inflating: ContextPool<ZlibStream>

  init(level: Int) {
    deflating = .streams(.deflating(level: level))
    inflating = .streams(.inflating)
  }

  func compress(_ data: Data) throws -> Data? {
    let packed = try deflating.withContext { try $0.process(data, maximumSize: .max) }
    return packed.count <= data.count ? packed : nil
  }

  func decompress(_ data: Data, maximumSize: Int) throws -> Data {
    try inflating.withContext { try $0.process(data, maximumSize: maximumSize) }
  }

  /// Returns whether the first two bytes are a zlib header: the method deflate, and a number that is divisible by 31.
  func recognizes(_ data: Data) -> Compression.Recognition {
    guard data.count >= 2 else { return .foreign }
    let (method, flags) = (data[data.startIndex], data[data.startIndex + 1])
    let isZlib = method & 0x0F == 8 && method >> 4 <= 7 && (Int(method) << 8 | Int(flags)) % 31 == 0
    return isZlib ? .readable : .foreign
  }
}

extension ContextPool where Context == ZlibStream {
  static func streams(_ direction: ZlibDirection) -> ContextPool {
    ContextPool(make: { try ZlibStream(direction) }, reset: { $0.reset() })
  }
}
