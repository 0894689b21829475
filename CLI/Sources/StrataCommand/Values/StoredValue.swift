import StrataCore
import StrataLZ4
import StrataLoading
import StrataSodium
import StrataZlib
import StrataZstd

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The value of an entry without the layers that a chain of stores has added to it: encryption, the header of a loading
/// store and compression, in any order.
struct StoredValue {
  private(set) var bytes: Data
  /// The names of the layers that were removed, the outermost first.
  private(set) var layers: [String] = []
  /// The message about a layer that could not be removed, or `nil` if all layers were removed.
  private(set) var problem: String?
  /// The date until which the value is fresh, if a loading store wrote it.
  private(set) var freshUntil: Date?

  /// - Parameters:
  ///   - key: The key of the entry. An encrypted store binds its values to their keys.
  ///   - cipher: The secret key for decryption, or `nil` if none is given.
  ///   - domain: The domain of the encrypted store.
  init(_ stored: Data, key: String, cipher: SecretKey?, domain: String) async {
    bytes = stored
    // The number of layers is limited, since decompressed bytes may look compressed again without an end.
    for _ in 0..<4 {
      guard let layer = Layer(bytes) else { return }
      do {
        switch layer {
        case .encrypted:
          guard let cipher else {
            problem = "the value is encrypted: give --key-file FILE to decrypt it"
            return
          }
          bytes = try await Self.decrypted(bytes, key: key, cipher, domain: domain)
        case .loaded:
          let cached = try Transformer<Data>.data.cached().fromData(bytes)
          guard let value = cached.value else {
            problem = "the loading store has recorded that its source has no value for this key"
            bytes = Data()
            return
          }
          freshUntil = cached.freshUntil
          if value.count == bytes.count { return }
          bytes = value
        case .zlib, .zstd, .lz4, .plain: bytes = try Self.compressed.decode(bytes)
        case .parts: bytes = try Transformer<Data>.data.then(Self.compressed).fromData(bytes)
        }
        layers.append(layer.rawValue)
      } catch {
        // Zlib's first two bytes also occur at the beginning of other formats, so a failure of zlib is not reported.
        if layer != .zlib { problem = "the value looks \(layer.rawValue), but cannot be read: \(error)" }
        return
      }
    }
  }

  private static let compressed = ByteTransformer.compressed(by: .zstd(), reading: [.lz4(), .zlib()])

  /// Returns the decrypted value, whether an encrypted store or an encrypting transformer has written it.
  private static func decrypted(
    _ sealed: Data, key: String, _ cipher: SecretKey, domain: String
  ) async throws -> Data {
    let single = OneEntry(key: key, value: sealed).encrypted(with: cipher, domain: domain)
    do {
      if let entry = try await single.entryIfPresent(forKey: key) { return entry.object }
    } catch is EncryptorError {}
    return try cipher.decrypt(sealed, for: domain.isEmpty ? .none : EntryIdentity(domain))
  }

  private enum Layer: String {
    case encrypted, loaded, zlib, zstd, lz4
    /// Uncompressed bytes after a mark: compression would not have made them smaller.
    case plain = "stored"
    /// Compressed parts of a value that was written as a stream.
    case parts = "written in parts"

    init?(_ bytes: Data) {
      let head = Array(bytes.prefix(4))
      guard let first = head.first else { return nil }
      switch head {
      case _ where bytes.starts(with: [0xF5] + Array("Strata parts".utf8)): self = .parts
      case _ where head.starts(with: [0xF5, 0x9A, 1]): self = .loaded
      case _ where first == 0xF5 && head.count > 1 && (1...3).contains(head[1]): self = .encrypted
      case [0x28, 0xB5, 0x2F, 0xFD]: self = .zstd
      case [0x04, 0x22, 0x4D, 0x18]: self = .lz4
      case _ where first == 0xFF: self = .plain
      case _ where first & 0x8F == 8 && head.count > 1 && (Int(first) << 8 | Int(head[1])) % 31 == 0:
        self = .zlib
      default: return nil
      }
    }
  }
}

/// A store with a single entry, for reading a value through an encrypted store.
private struct OneEntry: SimpleStorage {
  let key: String
  let value: Data

  func entryIfPresent(forKey key: String) -> Entry<Data>? {
    key == self.key ? Entry(object: value) : nil
  }
  func keys() -> [String] { [key] }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws { throw StorageError.readOnly }
  func removeObject(forKey key: String) throws { throw StorageError.readOnly }
  func removeAll() throws { throw StorageError.readOnly }
  func removeExpiredObjects() {}
}
