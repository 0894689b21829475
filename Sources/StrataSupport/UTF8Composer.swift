/// Brings UTF-8 text into normalisation form C.
///
/// Only the parts that may change are normalised, by the standard library, which executes more than a thousand
/// instructions for a letter and its accent. Such a part begins at a scalar that begins a character and composes with
/// no preceding one, and ends before the next. Short parts are remembered, since a text repeats them.
struct UTF8Composer: ~Copyable {
  private let text: UnsafeBufferPointer<UInt8>
  /// The result for the first `done` bytes of the text.
  private var composed: [UInt8] = []
  private var done = 0
  /// Short parts and their results, each packed into a number, at the index that `slot(of:)` returns. No part is 0.
  private var known: [(part: UInt64, result: UInt64)] = []

  /// - Parameter text: Valid UTF-8.
  private init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// Returns valid UTF-8 in normalisation form C.
  static func compose(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var composer = UTF8Composer(text)
    return composer.run()
  }

  private mutating func run() -> [UInt8] {
    var place = 0
    // The start of the last scalar that is certainly composed.
    var last = 0
    while place < text.count {
      let scalar = scalar(at: place)
      if scalar.isComposed {
        last = place
        place += scalar.length
        continue
      }
      place += scalar.length
      while place < text.count {
        let next = self.scalar(at: place)
        if next.isComposed { break }
        place += next.length
      }
      if composed.isEmpty { composed.reserveCapacity(text.count) }
      composed.append(contentsOf: UnsafeBufferPointer(rebasing: text[done..<last]))
      normalize(UnsafeBufferPointer(rebasing: text[last..<place]))
      (done, last) = (place, place)
    }
    if done == 0 { return Array(text) }
    composed.append(contentsOf: UnsafeBufferPointer(rebasing: text[done...]))
    return composed
  }

  /// Returns whether the scalar at an offset is certainly composed, and its length in bytes.
  @inline(__always)
  private func scalar(at place: Int) -> (isComposed: Bool, length: Int) {
    let lead = text[place]
    switch lead {
    case 0..<0x80: return (true, 1)
    case 0x80..<0xCC: return (true, 2)  // Latin, up to U+02FF
    case 0xCC: return (false, 2)  // Marks, up to U+033F
    case 0xD0...0xD1: return (true, 2)  // Cyrillic, up to U+047F
    case 0xCD..<0xE0: return (Self.isComposed(UInt32(lead & 0x1F) << 6 | tail(place, 1)), 2)
    case 0xE5..<0xEA, 0xEB..<0xED: return (true, 3)  // Chinese from U+5000 on, Korean up to U+CFFF
    case 0xED where text[place + 1] < 0x9E: return (true, 3)  // Korean, from U+D000 to U+D77F
    case 0xF0 where text[place + 1] == 0x9F && text[place + 2] < 0xAC: return (true, 4)  // Emoji
    case 0xE0..<0xF0:
      return (Self.isComposed(UInt32(lead & 0x0F) << 12 | tail(place, 1) << 6 | tail(place, 2)), 3)
    default:
      let end = tail(place, 1) << 12 | tail(place, 2) << 6 | tail(place, 3)
      return (Self.isComposed(UInt32(lead & 0x07) << 18 | end), 4)
    }
  }

  /// Returns the bits of a scalar in one of its bytes after the first.
  @inline(__always)
  private func tail(_ place: Int, _ index: Int) -> UInt32 { UInt32(text[place + index] & 0x3F) }

  /// Returns whether a scalar is a starter (combining class 0) that form C never changes (`NFC_Quick_Check=Yes`).
  /// Always `false` for scripts that are not listed.
  static func isComposed(_ scalar: UInt32) -> Bool {
    switch scalar {
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

  /// Appends a part in form C.
  private mutating func normalize(_ part: UnsafeBufferPointer<UInt8>) {
    guard let packed = Self.packed(part) else {
      return composed.append(contentsOf: String(decoding: part, as: UTF8.self).normalizedUTF8)
    }
    if known.isEmpty { known = Array(repeating: (0, 0), count: 32) }
    let slot = Self.slot(of: packed)
    if known[slot].part != packed {
      let result = String(decoding: part, as: UTF8.self).normalizedUTF8
      guard let packedResult = result.withUnsafeBufferPointer(Self.packed) else {
        return composed.append(contentsOf: result)
      }
      known[slot] = (packed, packedResult)
    }
    // The first byte is the lowest; the length is the highest.
    var result = known[slot].result
    for _ in 0..<result >> 56 {
      composed.append(UInt8(truncatingIfNeeded: result))
      result >>= 8
    }
  }

  /// Returns at most seven bytes and their number in one number; `nil` for more bytes.
  private static func packed(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    guard bytes.count < 8 else { return nil }
    var packed = UInt64(bytes.count) << 56
    for i in 0..<bytes.count { packed |= UInt64(bytes[i]) << UInt64(8 * i) }
    return packed
  }

  /// Returns the index in `known` for a part.
  private static func slot(of part: UInt64) -> Int { Int((part &* 0x9E37_79B9_7F4A_7C15) >> 59) }
}
