#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CBORWriter {
  @inline(__always)
  mutating func putNil() { buffer.append(SimpleByte.null) }

  @inline(__always)
  mutating func put(_ value: Bool) { buffer.append(value ? SimpleByte.yes : SimpleByte.no) }

  @inline(__always)
  mutating func put(_ value: String) { buffer.appendText(value) }

  @inline(__always)
  mutating func put<I: FixedWidthInteger>(_ value: I) {
    if value >= 0 {
      buffer.appendHead(MajorType.unsigned, UInt64(truncatingIfNeeded: value))
    } else {
      buffer.appendHead(MajorType.negative, UInt64(truncatingIfNeeded: ~value))
    }
  }

  /// Writes a number in the shortest form that keeps its value.
  @inline(__always)
  mutating func put(_ value: Double) {
    if let half = Half.bits(of: value) {
      buffer.append(SimpleByte.half, half)
    } else if value.bitPattern & 0x1fff_ffff == 0, Double(Float(value)) == value {
      buffer.append(SimpleByte.single, Float(value).bitPattern)
    } else {
      buffer.append(SimpleByte.double, value.bitPattern)
    }
  }

  mutating func put(_ value: UInt128) {
    if let small = UInt64(exactly: value) { return put(small) }
    putBignum(TagNumber.positiveBignum, value)
  }

  mutating func put(_ value: Int128) {
    if value >= 0 { return put(UInt128(value)) }
    let rest = UInt128(~value)
    if let small = UInt64(exactly: rest) { return buffer.appendHead(MajorType.negative, small) }
    putBignum(TagNumber.negativeBignum, rest)
  }

  private mutating func putBignum(_ tag: UInt64, _ value: UInt128) {
    let size = 16 - value.leadingZeroBitCount / 8
    buffer.appendHead(MajorType.tag, tag)
    buffer.appendHead(MajorType.bytes, UInt64(size))
    for place in (0..<size).reversed() {
      buffer.append(UInt8(truncatingIfNeeded: value >> (8 * UInt128(place))))
    }
  }

  mutating func put(_ value: Data) {
    buffer.appendHead(MajorType.bytes, UInt64(value.count))
    value.withUnsafeBytes { buffer.append($0) }
  }

  mutating func put(_ value: UUID) {
    buffer.appendHead(MajorType.tag, TagNumber.uuid)
    buffer.appendHead(MajorType.bytes, 16)
    withUnsafeBytes(of: value.uuid) { buffer.append($0) }
  }

  mutating func put(_ values: [Int]) {
    buffer.appendHead(MajorType.array, UInt64(values.count))
    for value in values { put(value) }
  }

  mutating func put(_ values: [Double]) {
    buffer.appendHead(MajorType.array, UInt64(values.count))
    for value in values { put(value) }
  }

  mutating func put(_ values: [String]) {
    buffer.appendHead(MajorType.array, UInt64(values.count))
    for value in values { put(value) }
  }

  mutating func put(_ values: [String: String]) {
    buffer.appendHead(MajorType.map, UInt64(values.count))
    for (key, value) in values {
      put(key)
      put(value)
    }
  }

  mutating func put(_ value: [UInt8]) {
    buffer.appendHead(MajorType.bytes, UInt64(value.count))
    value.withUnsafeBytes { buffer.append($0) }
  }

  /// Writes a value of a type that has a representation of its own in CBOR. Returns `false` for other types.
  ///
  /// Metatypes are compared, since a cast to a protocol takes a hundred times as long. Each bit cast converts a value
  /// to its own type, as the comparison before it has proved.
  @inline(__always)
  mutating func putKnown<T>(_ value: T) -> Bool {
    if T.self == String.self {
      put(unsafeBitCast(value, to: String.self))
    } else if T.self == Int.self {
      put(unsafeBitCast(value, to: Int.self))
    } else if T.self == Double.self {
      put(unsafeBitCast(value, to: Double.self))
    } else if T.self == Bool.self {
      put(unsafeBitCast(value, to: Bool.self))
    } else if T.self == Data.self {
      put(unsafeBitCast(value, to: Data.self))
    } else if T.self == UUID.self {
      put(unsafeBitCast(value, to: UUID.self))
    } else if T.self == URL.self {
      put(unsafeBitCast(value, to: URL.self).absoluteString)
    } else if T.self == [String].self {
      put(unsafeBitCast(value, to: [String].self))
    } else if T.self == [Int].self {
      put(unsafeBitCast(value, to: [Int].self))
    } else if T.self == [Double].self {
      put(unsafeBitCast(value, to: [Double].self))
    } else if T.self == [UInt8].self {
      put(unsafeBitCast(value, to: [UInt8].self))
    } else if T.self == [String: String].self {
      put(unsafeBitCast(value, to: [String: String].self))
    } else {
      return false
    }
    return true
  }
}
