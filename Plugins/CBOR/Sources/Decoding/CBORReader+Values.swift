/// Reads items as Swift values. Each function throws a `DecodingError` with the coding path.
extension CBORReader {
  @inline(__always)
  func isNil(at offset: Int) -> Bool {
    let first = base[untagged(offset)]
    return first == SimpleByte.null || first == SimpleByte.undefined
  }

  @inline(__always)
  func bool(at place: CBORPlace) throws -> Bool {
    switch base[untagged(place.offset)] {
    case SimpleByte.yes: return true
    case SimpleByte.no: return false
    default: throw mismatch(Bool.self, at: place)
    }
  }

  @inline(__always)
  func integer<I: FixedWidthInteger>(_ type: I.Type, at place: CBORPlace) throws -> I {
    let first = base[place.offset]
    if first < 24, let value = I(exactly: first) { return value }
    return try longInteger(type, at: place)
  }

  private func longInteger<I: FixedWidthInteger>(_ type: I.Type, at place: CBORPlace) throws -> I {
    let offset = untagged(place.offset)
    let head = head(at: offset)
    switch head.major {
    case MajorType.unsigned:
      guard let value = I(exactly: head.number) else { throw outOfRange(type, "\(head.number)", at: place) }
      return value
    case MajorType.negative:
      guard let value = I(exactly: -1 - Int128(head.number)) else {
        throw outOfRange(type, "\(-1 - Int128(head.number))", at: place)
      }
      return value
    case MajorType.bytes:
      guard offset > place.offset, let value: I = try bignum(head, at: offset, place) else { break }
      return value
    case MajorType.simple:
      guard let number = float(at: offset) else { break }
      guard let value = I(exactly: number) else { throw outOfRange(type, "\(number)", at: place) }
      return value
    default: break
    }
    throw mismatch(type, at: place)
  }

  /// Returns a whole number of up to 128 bits from a byte string with the tag of a bignum.
  private func bignum<I: FixedWidthInteger>(_ head: CBORHead, at offset: Int, _ place: CBORPlace) throws -> I?
  {
    var at = place.offset
    var tag: UInt64 = 0
    while at < offset {
      let head = self.head(at: at)
      (tag, at) = (head.number, at + head.size)
    }
    guard tag == TagNumber.positiveBignum || tag == TagNumber.negativeBignum else { return nil }
    var number: UInt128 = 0
    for byte in UnsafeBufferPointer(start: base + offset + head.size, count: Int(head.number)) {
      guard number >> 120 == 0 else { throw outOfRange(I.self, "a number of over 128 bits", at: place) }
      number = number << 8 | UInt128(byte)
    }
    if tag == TagNumber.positiveBignum, let value = I(exactly: number) { return value }
    if tag == TagNumber.negativeBignum, let rest = Int128(exactly: number), let value = I(exactly: -1 - rest)
    {
      return value
    }
    throw outOfRange(I.self, "a large number", at: place)
  }

  private func float(at offset: Int) -> Double? {
    let raw = UnsafeRawPointer(base + offset + 1)
    switch base[offset] {
    case SimpleByte.double: return Double(bitPattern: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)))
    case SimpleByte.single:
      return Double(Float(bitPattern: UInt32(bigEndian: raw.loadUnaligned(as: UInt32.self))))
    case SimpleByte.half: return Half.value(of: UInt16(bigEndian: raw.loadUnaligned(as: UInt16.self)))
    default: return nil
    }
  }

  /// Returns a number of any kind that a `Double` can hold exactly.
  @inline(__always)
  func double(at place: CBORPlace) throws -> Double {
    let offset = untagged(place.offset)
    if let value = float(at: offset) { return value }
    let head = head(at: offset)
    if head.major == MajorType.unsigned, let value = Double(exactly: head.number) { return value }
    if head.major == MajorType.negative, let value = Double(exactly: -1 - Int128(head.number)) {
      return value
    }
    throw head.major <= MajorType.negative
      ? outOfRange(Double.self, "a long integer", at: place) : mismatch(Double.self, at: place)
  }

  /// Returns the nearest `Float`, as `JSONDecoder` does.
  func float(at place: CBORPlace) throws -> Float {
    let value = try double(at: place)
    let float = Float(value)
    guard float.isFinite == value.isFinite else { throw outOfRange(Float.self, "\(value)", at: place) }
    return float
  }

  @inline(__always)
  func text(at place: CBORPlace) throws -> String {
    let offset = untagged(place.offset)
    let head = head(at: offset)
    guard head.major == MajorType.text else { throw mismatch(String.self, at: place) }
    return try text(head, at: offset, place)
  }

  @inline(__always)
  func text(_ head: CBORHead, at offset: Int, _ place: CBORPlace) throws -> String {
    let bytes = UnsafeBufferPointer(
      start: base + offset + head.size, count: Int(truncatingIfNeeded: head.number))
    let isASCII = UTF8Check.isASCII(bytes)
    guard isASCII || UTF8Check.isValid(bytes) else { throw corrupted("a text is not UTF-8", at: place) }
    return String(checked: bytes, isASCII: isASCII)
  }

  /// Returns the contents of a byte string. `type` is the requested type, for the error.
  func bytes<T>(for type: T.Type, at place: CBORPlace) throws -> UnsafeBufferPointer<UInt8> {
    let offset = untagged(place.offset)
    let head = head(at: offset)
    guard head.major == MajorType.bytes else { throw mismatch(type, at: place) }
    return UnsafeBufferPointer(start: base + offset + head.size, count: Int(head.number))
  }
}

extension String {
  /// Creates a string of bytes that are known to be UTF-8. Older systems check them again.
  @inline(__always)
  fileprivate init(checked bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      self.init(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
    } else {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }
}

/// The location of an item, and its depth if it is a container.
struct CBORPlace {
  let offset: Int
  let depth: Int
}
