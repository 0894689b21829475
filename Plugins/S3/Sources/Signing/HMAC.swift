import StrataCore

/// HMAC (RFC 2104) with SHA-256: a hash that only holders of a key can compute.
enum HMAC {
  /// Returns the 32 bytes of the code.
  static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? SHA256.hash(key) : key
    block.append(contentsOf: repeatElement(0, count: 64 - block.count))
    return SHA256.hash(block.map { $0 ^ 0x5c } + SHA256.hash(block.map { $0 ^ 0x36 } + message))
  }
}
