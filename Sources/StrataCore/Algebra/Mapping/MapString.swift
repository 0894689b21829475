#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ReadableStorage where Value == Data {
  /// The bytes of this store read as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some ReadableStorage<Key, String> {
    mapData("mapString", .string(encoding))
  }
}

extension WritableStorage where Value == Data {
  /// Text written to this store as bytes.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some WritableStorage<Key, String> {
    mapData("mapString", .string(encoding))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// The bytes of this store as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some ReadWriteStorage<Key, String>
  {
    mapData("mapString", .string(encoding))
  }
}

extension StorageAware where Value == Data {
  /// The bytes of this store as text.
  ///
  /// Bytes that are none throw `.typeNotMatch` with the key and the reason, and stay as they are.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some StorageAware<Key, String> {
    mapData("mapString", .string(encoding))
  }
}

extension SyncStorageAware where Value == Data {
  /// The bytes of this store as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some SyncStorageAware<Key, String>
  {
    mapData("mapString", .string(encoding))
  }
}
