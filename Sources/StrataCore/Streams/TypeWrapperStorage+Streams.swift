#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TypeWrapperStorage {
  /// Returns the bytes of a value of the type `Data`. Each part is decompressed or decrypted as it is read, as by the
  /// transformer. A value that was not streamed is transformed back in memory.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await stream(key, range) { try await inner.stream(key, $0, how) }
  }

  /// Returns the bytes of a value, whose stored bytes `open` returns.
  package func stream(
    _ key: Key, _ range: Range<Int>?, opening open: (Range<Int>?) async throws -> StoredBytes?
  ) async throws -> StoredBytes? {
    if let entry = peek(forKey: key), entry.isLive(by: clock) {
      return StoredBytes(try bytes(of: entry.object, key), range: range, expiry: entry.expiry)
    }
    guard transformer.coding.isBytes else { return try await streamInMemory(key, range, []) }
    guard let coder = transformer.partCoder else { return try await open(range) }
    do { return try await coder.reading(range) { try await open(nil) } } catch let error as EncryptorError {
      throw error.with(key: key)
    } catch let error as StorageError { throw error.with(key: key) }
  }

  /// Stages a value of the type `Data`. Each part is compressed or encrypted as it is appended, as by the transformer.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    guard transformer.coding.isBytes else { return stageInMemory(key, expiry, how) }
    return try await staged(inner.stage(key, expiry, how))
  }

  /// Returns a staged value whose transformed parts are appended to the staged value of an inner store.
  package func staged(_ base: any StagedBytes) -> any StagedBytes {
    transformer.partCoder?.staging(over: base) ?? base
  }

  /// Whether values are their own encoding, before they are compressed or encrypted.
  package var streamsBytes: Bool { transformer.coding.isBytes }
}

extension Transformer {
  /// The transformation of each part of a streamed value; `nil` if the bytes are stored as they are.
  var partCoder: PartCoder? {
    guard coding.isBytes, let unstep = coding.unstep, let bytes = self as? Transformer<Data> else {
      return nil
    }
    return PartCoder(encode: bytes.toData, decode: unstep)
  }
}
