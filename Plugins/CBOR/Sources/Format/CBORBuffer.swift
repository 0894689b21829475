#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A growing buffer for the bytes of one encoding.
struct CBORBuffer: ~Copyable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { base.deallocate() }

  var data: Data { Data(bytes: base, count: count) }
  var bytes: CBORBytes { CBORBytes(base: base, count: count) }

  /// Removes all bytes, and frees memory beyond the amount worth keeping.
  mutating func removeAll(keeping limit: Int) {
    count = 0
    guard capacity > limit else { return }
    base.deallocate()
    base = .allocate(capacity: limit)
    capacity = limit
  }

  /// Reserves room for a number of further bytes.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    next.update(from: base, count: count)
    base.deallocate()
    (base, capacity) = (next, larger)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  mutating func appendHead(_ major: UInt8, _ number: UInt64) {
    reserve(9)
    count += CBORHead.write(major, number, to: base + count)
  }

  /// Appends a first byte, then a number in big-endian order.
  @inline(__always)
  mutating func append<T: FixedWidthInteger>(_ first: UInt8, _ number: T) {
    reserve(1 + MemoryLayout<T>.size)
    base[count] = first
    UnsafeMutableRawPointer(base + count + 1).storeBytes(of: number.bigEndian, as: T.self)
    count += 1 + MemoryLayout<T>.size
  }

  @inline(__always)
  mutating func appendText(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let size = bytes.count
      reserve(9 + size)
      count += CBORHead.write(MajorType.text, UInt64(size), to: base + count)
      if let start = bytes.baseAddress {
        (base + count).update(from: start, count: size)
        count += size
      }
    }
  }

  /// Opens a gap of `size` bytes at an offset.
  mutating func insert(_ size: Int, at offset: Int) {
    reserve(size)
    (base + offset + size).update(from: base + offset, count: count - offset)
    count += size
  }

  /// Removes bytes at an offset.
  mutating func remove(_ size: Int, at offset: Int) {
    (base + offset).update(from: base + offset + size, count: count - offset - size)
    count -= size
  }

  mutating func truncate(to size: Int) { count = size }

  /// Moves all bytes from `tail` on to an earlier offset.
  mutating func moveTail(from tail: Int, to offset: Int) {
    let moved = Array(UnsafeBufferPointer(start: base + tail, count: count - tail))
    (base + offset + moved.count).update(from: base + offset, count: tail - offset)
    _ = UnsafeMutableBufferPointer(start: base + offset, count: moved.count).update(fromContentsOf: moved)
  }

  /// Writes the head of a container in place.
  mutating func setHead(_ major: UInt8, _ number: UInt64, at offset: Int) {
    _ = CBORHead.write(major, number, to: base + offset)
  }
}

/// Bytes owned by the caller. Unlike a buffer pointer, it always has an address.
struct CBORBytes {
  let base: UnsafePointer<UInt8>
  let count: Int

  init(base: UnsafePointer<UInt8>, count: Int) { (self.base, self.count) = (base, count) }
}
