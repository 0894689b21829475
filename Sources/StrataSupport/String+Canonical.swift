#if canImport(FoundationEssentials)
  @_spi(_Unicode) import Swift
#else
  import Foundation
#endif

extension String {
  /// The UTF-8 bytes that are the same for all equal strings.
  ///
  /// Swift compares strings by their characters, however these are composed, and so not by their bytes.
  package var canonicalUTF8: [UInt8] { withCanonicalUTF8 { Array($0) } }

  /// Passes the UTF-8 bytes that are the same for all equal strings to `body`. ASCII text is not copied.
  @inlinable
  package func withCanonicalUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    let direct = try utf8.withContiguousStorageIfAvailable { utf8 -> R? in
      // Without a branch per byte, the compiler can vectorise the loop.
      var all: UInt8 = 0
      for byte in utf8 { all |= byte }
      return all < 0x80 ? try body(utf8) : nil
    }
    if let direct, let result = direct { return result }
    return try composedUTF8.withUnsafeBufferPointer(body)
  }

  @usableFromInline
  var composedUTF8: [UInt8] {
    var text = self
    return text.withUTF8(UTF8Composer.compose)
  }

  /// The UTF-8 bytes in normalisation form C.
  var normalizedUTF8: [UInt8] {
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
