#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ReadableStorage where Value == Data {
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
  /// Returns a store that writes text to this store as bytes.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some WritableStorage<Key, String> {
    mapData("mapString", .string(encoding))
  }
}

extension ReadableStorage where Self: WritableStorage, Value == Data {
  /// Returns a view of this byte store as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some ReadWriteStorage<Key, String>
  {
    mapData("mapString", .string(encoding))
  }
}

extension StorageAware where Value == Data {
  /// Returns a view of this byte store as text.
  ///
  /// Bytes that cannot be decoded throw `.typeNotMatch` with the key and the reason; the bytes do not change.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some StorageAware<Key, String> {
    mapData("mapString", .string(encoding))
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns a view of this byte store as text.
  @inlinable
  public func mapString(withEncoding encoding: String.Encoding = .utf8) -> some SyncStorageAware<Key, String>
  {
    mapData("mapString", .string(encoding))
  }
}
