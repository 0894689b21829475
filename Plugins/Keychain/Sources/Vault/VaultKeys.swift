internal import CSodium
import StrataSodium

/// The four keys of a vault, each for one use, derived from the key that opens it and its salt.
///
/// Each is the BLAKE2b hash, of 32 bytes, of the salt and a number, keyed with the opening key. The four keys share one
/// page of the memory that the process may lock.
struct VaultKeys: Sendable {
  /// Authenticates the header.
  var header: Key { Key(bytes: bytes, number: 1) }
  /// Authenticates the complete file.
  var file: Key { Key(bytes: bytes, number: 2) }
  /// Computes the ids of entries.
  var names: Key { Key(bytes: bytes, number: 3) }
  /// Encrypts entries.
  var entries: Key { Key(bytes: bytes, number: 4) }

  private let bytes: LockedBytes

  init(of key: SecretKey, salt: PassphraseSalt) throws {
    bytes = try LockedBytes(count: 4 * Key.size) { bytes in
      for number in 1...4 {
        let input = Array(salt.data) + [UInt8(number)]
        let output = bytes.part(Key.range(number))
        key.withUnsafeBytes { key in
          _ = crypto_generichash(
            output.start, output.count, input, UInt64(input.count), key.bytes, key.count)
        }
      }
    }
  }

  /// One of the four keys.
  struct Key: Sendable {
    static let size = 32

    fileprivate let bytes: LockedBytes
    fileprivate let number: Int

    fileprivate static func range(_ number: Int) -> Range<Int> { (number - 1) * size..<number * size }

    /// Calls `body` with the bytes of the key.
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
      bytes.withUnsafeBytes { body($0.part(Self.range(number))) }
    }
  }
}

extension VaultKeys.Key {
  /// Returns the keyed BLAKE2b hash of bytes.
  func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { output, count in
      withUnsafeBytes { key in
        _ = crypto_generichash(
          UnsafeMutableRawBufferPointer(output).start, 32, bytes.bytes, UInt64(bytes.count), key.bytes,
          key.count)
      }
      count = 32
    }
  }

  func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hash($0) } }

  /// Whether `hash` is the keyed hash of the bytes. Takes constant time.
  func isHash(_ hash: ArraySlice<UInt8>, of bytes: UnsafeRawBufferPointer) -> Bool {
    let expected = self.hash(bytes)
    return hash.count == 32 && sodium_memcmp(Array(hash), expected, 32) == 0
  }
}

extension UnsafeRawBufferPointer {
  /// The address in the type that libsodium takes, or `nil` if the buffer is empty.
  var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// The address of a buffer that is not empty, such as a key or a box.
  var start: UnsafePointer<UInt8> {
    guard let bytes else { preconditionFailure("an empty buffer has no address") }
    return bytes
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The address in the type that libsodium takes, or `nil` if the buffer is empty.
  var bytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// The address of a buffer that is not empty, such as a key or a box.
  var start: UnsafeMutablePointer<UInt8> {
    guard let bytes else { preconditionFailure("an empty buffer has no address") }
    return bytes
  }
}
