#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Received bytes that have not been consumed.
///
/// It grows with the bytes received, never with announced lengths, and shrinks when all are consumed.
struct ReceiveBuffer: ~Copyable {
  private var storage: [UInt8]
  private var start = 0
  private var end = 0
  private let usualSize: Int

  /// Creates a buffer that offers at least half of its usual size to each read.
  init(usualSize: Int = 64 << 10) {
    self.usualSize = usualSize
    storage = [UInt8](repeating: 0, count: usualSize)
  }

  var count: Int { end - start }

  /// The byte at an offset from the first unconsumed one.
  subscript(offset: Int) -> UInt8 { storage[start + offset] }

  /// Passes free space to `read`, and keeps the number of bytes that `read` returns.
  mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    makeRoom()
    let free = end..<storage.count
    let count = storage.withUnsafeMutableBytes { read($0.part(free)) }
    end += count
    return count
  }

  /// Consumes bytes from the front.
  mutating func drop(_ count: Int) {
    start += count
    precondition(start <= end)
    guard start == end else { return }
    start = 0
    end = 0
    if storage.count > 16 * usualSize { storage = [UInt8](repeating: 0, count: usualSize) }
  }

  /// Returns the offset of the next line feed, starting at `offset`.
  func lineFeed(from offset: Int) -> Int? {
    storage.withUnsafeBytes { bytes in
      guard offset < count, let base = bytes.baseAddress,
        let found = memchr(base + start + offset, 0x0A, count - offset)
      else { return nil }
      return UnsafeRawPointer(found) - base - start
    }
  }

  /// Decodes a number of at most 18 characters. Returns `nil` if the bytes are something else.
  func smallNumber(_ range: Range<Int>) -> Int? {
    bytes(range) { bytes in
      guard let first = bytes.first else { return nil }
      let start = first == UInt8(ascii: "-") ? 1 : 0
      // So few digits cannot overflow.
      guard start < bytes.count, bytes.count <= 18 else { return nil }
      var number = 0
      for index in start..<bytes.count {
        let digit = Int(bytes[index]) - 0x30
        guard 0...9 ~= digit else { return nil }
        number = number &* 10 &+ digit
      }
      return start == 0 ? number : -number
    }
  }

  /// Returns a copy of bytes.
  func data(_ range: Range<Int>) -> Data {
    bytes(range) { bytes in bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data() }
  }

  /// Returns bytes as text; invalid UTF-8 is replaced. The texts that acknowledge a command are not decoded.
  func status(_ range: Range<Int>) -> String {
    if equals("OK", range) { return "OK" }
    if equals("QUEUED", range) { return "QUEUED" }
    return text(range)
  }

  private func equals(_ text: StaticString, _ range: Range<Int>) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    return bytes(range) { bytes in
      bytes.baseAddress.map { memcmp($0, text.utf8Start, bytes.count) == 0 } ?? true
    }
  }

  /// Returns bytes as text; invalid UTF-8 is replaced.
  func text(_ range: Range<Int>) -> String { bytes(range) { String(decoding: $0, as: UTF8.self) } }

  private func bytes<R>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    precondition(range.upperBound <= count)
    return storage.withUnsafeBytes { bytes in
      body(bytes.part(start + range.lowerBound..<start + range.upperBound))
    }
  }

  /// Copies whole blocks of memory, which is fast without optimization too.
  private mutating func makeRoom() {
    guard storage.count - end < usualSize / 2 else { return }
    let kept = start..<end
    if start > storage.count / 2 {
      storage.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer($0.part(kept))) }
    } else {
      var larger = [UInt8](repeating: 0, count: max(storage.count * 2, usualSize))
      larger.withUnsafeMutableBytes { larger in
        storage.withUnsafeBytes { larger.copyMemory(from: $0.part(kept)) }
      }
      storage = larger
    }
    end -= start
    start = 0
  }
}
