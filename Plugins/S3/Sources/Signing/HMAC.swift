import StrataCore

/// HMAC (RFC 2104) with SHA-256: a message authentication code that only holders of the key can compute.
struct HMAC: Sendable {
  /// The hash states after the padded key, from which the hash of every message continues.
  private let inner: SHA256
  private let outer: SHA256

  /// Creates an HMAC for any number of messages with one key.
  init(key: [UInt8]) {
    var block = key.count > 64 ? SHA256.hash(key) : key
    block.append(contentsOf: repeatElement(0, count: 64 - block.count))
    inner = Self.started(block, with: 0x36)
    outer = Self.started(block, with: 0x5c)
  }

  /// Returns the authentication code of a message, 32 bytes.
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
