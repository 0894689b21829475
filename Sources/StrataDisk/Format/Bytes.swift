extension [UInt8] {
  /// Appends a number, its lowest byte first.
  mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

extension UnsafeRawBufferPointer {
  /// The number at an offset, its lowest byte first.
  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// A part of the bytes, which starts at 0 again.
  @inline(__always)
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }
}

extension UnsafeMutableRawBufferPointer {
  /// Puts a number at an offset, its lowest byte first.
  @inline(__always)
  func put(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number))
  }

  /// A part of the bytes, which starts at 0 again.
  @inline(__always)
  func part(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: self[range])
  }
}
