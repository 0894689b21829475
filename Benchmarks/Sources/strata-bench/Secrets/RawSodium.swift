import CSodiumAPI

/// XChaCha20-Poly1305 by libsodium's own API, as a C program calls it, with its own output buffers.
///
/// Unchecked `Sendable`: each object is used by one thread only.
final class RawSodium: @unchecked Sendable {
  private static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  private let key = [UInt8](repeating: 7, count: Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES))
  private let identity = Array("strata-bench".utf8)
  private let plain: [UInt8]
  private var sealed: [UInt8]
  private var opened: [UInt8]

  init(size: Int) {
    precondition(sodium_init() >= 0, "libsodium could not be initialized")
    plain = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    sealed = [UInt8](repeating: 0, count: Self.nonceSize + size + Self.tagSize)
    opened = [UInt8](repeating: 0, count: size)
    _ = encrypt()
  }

  /// Encrypts with a new nonce; returns a byte of the output.
  func encrypt() -> Int {
    sealed.withUnsafeMutableBufferPointer { sealed in
      guard let start = sealed.baseAddress else { return 0 }
      randombytes_buf(start, Self.nonceSize)
      let status = crypto_aead_xchacha20poly1305_ietf_encrypt(
        start + Self.nonceSize, nil, plain, UInt64(plain.count), identity, UInt64(identity.count), nil, start,
        key)
      precondition(status == 0)
      return Int(sealed[Self.nonceSize])
    }
  }

  /// Decrypts the last output of `encrypt`; returns a byte of the result.
  func decrypt() -> Int {
    opened.withUnsafeMutableBufferPointer { opened in
      sealed.withUnsafeBufferPointer { sealed in
        guard let start = sealed.baseAddress else { return 0 }
        let status = crypto_aead_xchacha20poly1305_ietf_decrypt(
          opened.baseAddress, nil, nil, start + Self.nonceSize, UInt64(sealed.count - Self.nonceSize),
          identity,
          UInt64(identity.count), start, key)
        precondition(status == 0)
        return Int(opened[0])
      }
    }
  }
}
