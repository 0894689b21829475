#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

// Views of a byte store as other values, for each kind of store: as text here, as JSON and as property lists in
// MapJSON.swift and MapPlist.swift. Reading decodes the bytes, so `peek` returns `nil`.

extension Transformer {
  /// A function that decodes stored bytes. It throws `.typeNotMatch` if they cannot be decoded as `Value`.
  @usableFromInline
  var decoded: @Sendable (Data) throws -> Value {
    { [fromData] data in
      do { return try fromData(data) } catch {
        throw StorageError.typeNotMatch.with("the stored bytes cannot be read as \(Value.self)", cause: error)
      }
    }
  }
}

extension ReadableStorage where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some ReadableStorage<Key, U> {
    ReadMappedValues(self, name, guarding(transformer).decoded)
  }

  /// Returns a store that reads the bytes of this store as text.
  ///
  /// ```swift
  /// let notes = disk.mapString()
  /// try await notes.set("Meet at noon.", forKey: "monday")
  /// ```
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some ReadableStorage<Key, String> {
    mapData("mapString", .string(encoding))
  }
}

extension WritableStorage where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some WritableStorage<Key, U> {
    WriteMappedValues(self, name, guarding(transformer).toData)
  }

  /// Returns a store that writes text to this store as bytes.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some WritableStorage<Key, String> {
    mapData("mapString", .string(encoding))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some ReadWriteStorage<Key, U> {
    let transformer = guarding(transformer)
    return AsyncMappedValues(self, name, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }

  /// Returns a view of this byte store as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some ReadWriteStorage<Key, String>
  {
    mapData("mapString", .string(encoding))
  }
}

extension StorageAware where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some StorageAware<Key, U> {
    let transformer = guarding(transformer)
    return MappedValues(self, name, decodes: true, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }

  /// Returns a view of this byte store as text.
  ///
  /// Bytes that cannot be decoded throw `.typeNotMatch` with the key and the reason; the bytes do not change.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some StorageAware<Key, String> {
    mapData("mapString", .string(encoding))
  }
}

extension SyncStorageAware where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some SyncStorageAware<Key, U> {
    let transformer = guarding(transformer)
    return MappedValues(self, name, decodes: true, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }

  /// Returns a view of this byte store as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some SyncStorageAware<Key, String>
  {
    mapData("mapString", .string(encoding))
  }
}
