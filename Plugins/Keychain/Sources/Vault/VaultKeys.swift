internal import CSodium
import StrataCore
import StrataSodium

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys by which a vault is read and written: four, made of the one that opens it and of its salt, each for one
/// use.
///
/// Each is the BLAKE2b hash, of 32 bytes, of the salt and a number, with the opening key as its key. They share one
/// page of the memory that the process may lock.
struct VaultKeys: Sendable {
  /// Authenticates the header.
  var header: Key { Key(bytes: bytes, number: 1) }
  /// Authenticates the whole file.
  var file: Key { Key(bytes: bytes, number: 2) }
  /// Names entries.
  var names: Key { Key(bytes: bytes, number: 3) }
  /// Encrypts entries.
  var entries: Key { Key(bytes: bytes, number: 4) }

  private let bytes: LockedBytes

  init(of key: SecretKey, salt: PassphraseSalt) throws {
    bytes = try LockedBytes(count: 4 * Key.size) { bytes in
      for number in 1...4 {
        let input = Array(salt.data) + [UInt8(number)]
        let output = UnsafeMutableRawBufferPointer(rebasing: bytes[Key.range(number)])
        key.withUnsafeBytes { key in
          _ = crypto_generichash(
            output.start, output.count, input, UInt64(input.count), key.bytes, key.count)
        }
      }
    }
  }

  /// One of the keys.
  struct Key: Sendable {
    static let size = 32

    fileprivate let bytes: LockedBytes
    fileprivate let number: Int

    fileprivate static func range(_ number: Int) -> Range<Int> { (number - 1) * size..<number * size }

    /// Lends the bytes of the key.
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
      bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[Self.range(number)])) }
    }
  }
}

extension VaultKeys.Key {
  /// The BLAKE2b hash of some bytes with this key.
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

  /// Whether a hash is that of some bytes. Takes as long whether it is or not.
  func isHash(_ hash: ArraySlice<UInt8>, of bytes: UnsafeRawBufferPointer) -> Bool {
    let expected = self.hash(bytes)
    return hash.count == 32 && sodium_memcmp(Array(hash), expected, 32) == 0
  }
}

extension UnsafeRawBufferPointer {
  /// The address as the library wants it; `nil` where there are no bytes.
  var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// The same, of bytes that are never none: keys and boxes.
  var start: UnsafePointer<UInt8> {
    guard let bytes else { preconditionFailure("there are no bytes") }
    return bytes
  }
}

extension UnsafeMutableRawBufferPointer {
  /// The address as the library wants it; `nil` where there are no bytes.
  var bytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }

  /// The same, of bytes that are never none: keys and boxes.
  var start: UnsafeMutablePointer<UInt8> {
    guard let bytes else { preconditionFailure("there are no bytes") }
    return bytes
  }
}
