#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Every conversion of a byte store uses `mapData`. Reading decodes the bytes, so `peek` returns `nil`.

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
}

extension WritableStorage where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some WritableStorage<Key, U> {
    WriteMappedValues(self, name, guarding(transformer).toData)
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some ReadWriteStorage<Key, U> {
    let transformer = guarding(transformer)
    return AsyncMappedValues(self, name, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }
}

extension StorageAware where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some StorageAware<Key, U> {
    let transformer = guarding(transformer)
    return MappedValues(self, name, decodes: true, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }
}

extension SyncStorageAware where Value == Data {
  @inlinable
  func mapData<U>(_ name: String, _ transformer: Transformer<U>) -> some SyncStorageAware<Key, U> {
    let transformer = guarding(transformer)
    return MappedValues(self, name, decodes: true, mapTo: transformer.decoded, mapFrom: transformer.toData)
  }
}
