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
  var composedUTF8: [UInt8] { isComposedForSure ? Array(utf8) : normalizedUTF8 }

  /// Whether the text is certainly in normalisation form C: each of its scalars begins a character and composes with no
  /// preceding one. The check is some twenty times faster than normalising the text.
  var isComposedForSure: Bool { unicodeScalars.allSatisfy(\.isComposedForSure) }

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

extension Unicode.Scalar {
  /// Whether the scalar is a starter (combining class 0) that form C never changes (`NFC_Quick_Check=Yes`). Always
  /// `false` for scripts that are not listed.
  fileprivate var isComposedForSure: Bool {
    switch value {
    case 0..<0x300: true  // Latin
    case 0x388...0x3FF: true  // Greek
    case 0x400...0x482, 0x48A...0x52F: true  // Cyrillic
    case 0x531...0x556, 0x561...0x587: true  // Armenian
    case 0x5D0...0x5EA: true  // Hebrew
    case 0x621...0x63A, 0x641...0x64A: true  // Arabic
    case 0xE01...0xE30, 0xE32...0xE33, 0xE40...0xE46: true  // Thai
    case 0x10A0...0x10FF: true  // Georgian
    case 0x1E00...0x1EFF: true  // Latin with two marks, among it Vietnamese
    case 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF: true  // Punctuation, currencies
    case 0x2190...0x2328, 0x2460...0x27BF: true  // Arrows, technical signs, symbols
    case 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC...0x30FE: true  // Japanese
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x2A6DF: true  // Chinese
    case 0xAC00...0xD7A3: true  // Korean
    case 0xFF01...0xFF9D: true  // Full width
    case 0x1F000...0x1FAFF: true  // Emoji
    default: false
    }
  }
}
