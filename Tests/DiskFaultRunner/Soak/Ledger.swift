import Foundation
import Glibc

/// The writes that processes have begun and finished, in memory that they share, so that it survives the kill of a
/// process.
///
/// Each key is written by one process at a time, with rising versions. Every third version is a removal.
struct Ledger {
  static let keys = 120
  private let memory: UnsafeMutablePointer<UInt32>

  init() {
    let size = 2 * Self.keys * 4
    guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else { fail("mmap: errno \(errno)") }
    self.memory = memory.assumingMemoryBound(to: UInt32.self)
  }

  func clear() { memory.update(repeating: 0, count: 2 * Self.keys) }

  /// Returns the last version whose write has begun.
  func begun(_ key: Int) -> UInt32 { memory[2 * key] }
  /// Returns the last version whose write the store has acknowledged.
  func done(_ key: Int) -> UInt32 { memory[2 * key + 1] }
  func begin(_ key: Int, _ version: UInt32) { memory[2 * key] = version }
  func finish(_ key: Int, _ version: UInt32) { memory[2 * key + 1] = version }

  static func isRemoval(_ version: UInt32) -> Bool { version % 3 == 0 }

  /// Returns the value of a version. It contains its key and version, so that a mixture of two is detected. Some are
  /// large enough for a file.
  static func value(_ key: Int, _ version: UInt32) -> Data {
    let mixed = (UInt32(key) &* 2_654_435_761) ^ (version &* 40503)
    let size = mixed % 23 == 0 ? 66_000 + Int(mixed % 5000) : 8 + Int(mixed % 3000)
    var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: mixed >> 7), count: size)
    withUnsafeBytes(of: UInt32(key)) { bytes.replaceSubrange(0..<4, with: $0) }
    withUnsafeBytes(of: version) { bytes.replaceSubrange(4..<8, with: $0) }
    return Data(bytes)
  }

  /// Returns the version of a value, 0 for an absent one, or `nil` if the value does not belong to the key.
  static func version(_ value: Data?, of key: Int) -> UInt32? {
    guard let value else { return 0 }
    guard value.count >= 8 else { return nil }
    let version = [UInt8](value)[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    return value == Self.value(key, version) ? version : nil
  }

  /// Returns the violation in a value that was read, if any. A read may return any version from the last one finished
  /// before the read to the last one begun during it.
  static func flaw(_ value: Data?, _ key: Int, from done: UInt32, to begun: UInt32) -> String? {
    guard let version = version(value, of: key) else { return "key \(key): a value that nobody stored" }
    if version == 0 {
      // A removal leaves the key absent.
      let isPossible = done == 0 || (done...max(done, begun)).contains(where: isRemoval)
      return isPossible ? nil : "key \(key): nothing, but \(done) was stored"
    }
    return (done...max(done, begun)).contains(version) && !isRemoval(version)
      ? nil : "key \(key): version \(version), not one of \(done) to \(begun)"
  }
}
