internal import CSodium

/// Encrypts the parts of an entry by XChaCha20-Poly1305: a random nonce, the text, its tag.
enum VaultBox {
  /// The part of an entry in a box. It is authenticated, so that no box can replace another.
  enum Part: UInt8 {
    case name = 1
    case value = 2
  }

  private static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  static let overhead = nonceSize + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  /// Encrypts bytes and appends the box to `output`.
  static func seal(
    _ plain: UnsafeRawBufferPointer, _ part: Part, of id: VaultEntryID, with key: VaultKeys.Key,
    to output: inout [UInt8]
  ) {
    let context = [part.rawValue] + id.bytes
    let size = plain.count + overhead
    output += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let box = UnsafeMutableRawBufferPointer(buffer).start
      randombytes_buf(box, nonceSize)
      key.withUnsafeBytes { key in
        // Encryption fails only for sizes that cannot occur.
        _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
          box + nonceSize, nil, plain.bytes, UInt64(plain.count), context, UInt64(context.count), nil, box,
          key.start)
      }
      count = size
    }
  }

  /// Decrypts into memory of the right size. Returns `false` if `seal` did not make the box for this entry and part.
  static func open(
    _ box: UnsafeRawBufferPointer, _ part: Part, of id: VaultEntryID, with key: VaultKeys.Key,
    into plain: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard box.count >= overhead, plain.count == box.count - overhead else { return false }
    let context = [part.rawValue] + id.bytes
    return key.withUnsafeBytes { key in
      crypto_aead_xchacha20poly1305_ietf_decrypt(
        plain.bytes, nil, nil, box.start + nonceSize, UInt64(box.count - nonceSize), context,
        UInt64(context.count), box.start, key.start) == 0
    }
  }
}
