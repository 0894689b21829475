import StrataCore

/// HMAC (RFC 2104) with SHA-256: a hash that only holders of a key can compute.
struct HMAC: Sendable {
  /// The hashes of the padded key, which each message continues.
  private let inner: SHA256
  private let outer: SHA256

  /// Prepares a key for any number of messages.
  init(key: [UInt8]) {
    var block = key.count > 64 ? SHA256.hash(key) : key
    block.append(contentsOf: repeatElement(0, count: 64 - block.count))
    inner = Self.started(block, with: 0x36)
    outer = Self.started(block, with: 0x5c)
  }

  /// Returns the 32 bytes of the code of a message.
  func code(_ message: [UInt8]) -> [UInt8] {
    var (inner, outer) = (inner, outer)
    message.withUnsafeBytes { inner.update($0) }
    inner.finish().withUnsafeBytes { outer.update($0) }
    return outer.finish()
  }

  private static func started(_ block: [UInt8], with pad: UInt8) -> SHA256 {
    var hash = SHA256()
    block.map { $0 ^ pad }.withUnsafeBytes { hash.update($0) }
    return hash
  }
}
