internal import CSodium
import StrataCore
import StrataSodium

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys by which a vault is read and written: four, made of the one that opens it and of its salt, each for one use.
///
/// Each is the BLAKE2b hash, of 32 bytes, of the salt and a number, with the opening key as its key.
struct VaultKeys: Sendable {
  /// Authenticates the header.
  let header: LockedBytes
  /// Authenticates the whole file.
  let file: LockedBytes
  /// Names entries.
  let names: LockedBytes
  /// Encrypts entries.
  let entries: LockedBytes

  init(of key: SecretKey, salt: PassphraseSalt) throws {
    func derived(_ number: UInt8) throws -> LockedBytes {
      let input = Array(salt.data) + [number]
      return try LockedBytes(count: 32) { output in
        key.withUnsafeBytes { key in
          _ = crypto_generichash(
            output.start, 32, input, UInt64(input.count), key.bytes, key.count)
        }
      }
    }
    header = try derived(1)
    file = try derived(2)
    names = try derived(3)
    entries = try derived(4)
  }
}

extension LockedBytes {
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
