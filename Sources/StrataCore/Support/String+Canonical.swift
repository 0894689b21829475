#if canImport(FoundationEssentials)
  @_spi(_Unicode) import Swift
#else
  import Foundation
#endif

extension String {
  /// The UTF-8 bytes that all equal strings share.
  ///
  /// Strings are equal in Swift when they show the same characters, however these are composed; bytes are not.
  package var canonicalUTF8: [UInt8] { withCanonicalUTF8 { Array($0) } }

  /// Lends the UTF-8 bytes that all equal strings share. Text in ASCII is not copied.
  @inlinable
  package func withCanonicalUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    let direct = try utf8.withContiguousStorageIfAvailable { utf8 -> R? in
      // Without a branch for each byte, the compiler looks at many at a time.
      var all: UInt8 = 0
      for byte in utf8 { all |= byte }
      return all < 0x80 ? try body(utf8) : nil
    }
    if let direct, let result = direct { return result }
    return try composedUTF8.withUnsafeBufferPointer(body)
  }

  @usableFromInline
  var composedUTF8: [UInt8] {
    #if canImport(FoundationEssentials)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(utf8.count)
      for scalar in _nfc { bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter) }
      return bytes
    #else
      return Array(precomposedStringWithCanonicalMapping.utf8)
    #endif
  }
}
