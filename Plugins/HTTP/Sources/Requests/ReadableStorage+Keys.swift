public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ReadableStorage where Key == Request {
  /// The same storage with plain URLs for keys.
  public func mapURLKeys() -> some ReadableStorage<URL, Value> {
    RequestKeys(base: self, name: "mapURLKeys", request: Request.url)
  }

  /// The same storage with `URLRequest`s for keys.
  public func mapURLRequestKeys() -> some ReadableStorage<URLRequest, Value> {
    RequestKeys(base: self, name: "mapURLRequestKeys", request: Request.urlRequest)
  }
}

extension ReadableStorage where Key == URL {
  /// The same storage with URLs as text for keys. A text that is no URL throws `.invalidURL`.
  public func mapStringKeys() -> some ReadableStorage<String, Value> {
    RequestKeys(base: self, name: "mapStringKeys") { text in
      guard let url = URL(string: text) else {
        throw StorageError.invalidURL.with("this text is no URL", key: text)
      }
      return url
    }
  }
}

/// A storage whose keys are requests in another form.
struct RequestKeys<Base: ReadableStorage, Key: Sendable>: ReadableStorage {
  let base: Base
  let name: String
  let request: @Sendable (Key) throws -> Base.Key

  var storageName: String { name }
  var wrappedStorages: [any StorageDesign] { [base] }

  func retrieve(forKey key: Key) async throws -> Base.Value { try await base.retrieve(forKey: request(key)) }
}
