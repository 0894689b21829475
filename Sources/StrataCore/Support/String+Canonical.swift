#if canImport(FoundationEssentials)
  @_spi(_Unicode) import Swift
#else
  import Foundation
#endif

extension String {
  /// The UTF-8 bytes that all equal strings share.
  ///
  /// Strings are equal in Swift when they show the same characters, however these are composed; bytes are not.
  package var canonicalUTF8: [UInt8] {
    if utf8.allSatisfy({ $0 < 0x80 }) { return Array(utf8) }
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
