// The numbers in the bytes of files, records and keys. All formats of the package store them in little-endian order.

extension RangeReplaceableCollection<UInt8> {
  /// Creates the bytes of a number in little-endian order.
  @inlinable
  package init(littleEndian number: some FixedWidthInteger) {
    self.init()
    append(littleEndian: number)
  }

  /// Appends a number in little-endian order.
  @inlinable
  package mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the little-endian number at an offset.
  @inlinable @inline(__always)
  package func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// Returns a part of the bytes, with indices from 0.
  @inlinable @inline(__always)
  package func part(_ range: some RangeExpression<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Stores a number at an offset in little-endian order.
  @inlinable @inline(__always)
  package func put(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number))
  }

  /// Returns a part of the bytes, with indices from 0.
  @inlinable @inline(__always)
  package func part(_ range: some RangeExpression<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: self[range])
  }
}
