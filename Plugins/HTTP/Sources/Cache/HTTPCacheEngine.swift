import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The part of a cache that does not depend on the kind of its origin: it looks up requests, sends them to an origin,
/// and validates and stores the responses.
struct HTTPCacheEngine<Store: StorageAware>: Sendable where Store.Key == String, Store.Value == Data {
  let store: Store
  let config: HTTPCacheConfig
  /// The sessions that requests may use, which add header fields of their own.
  let sessions: [URLSession]
  /// Whether the rules for shared caches apply.
  let isShared: Bool
  /// Serializes changes of one record.
  let records = KeyOrder<String>()
  let flights = Flights<LoadKey, LoadedResponse>()
  /// Loads of responses whose bodies are read a part at a time, until their header fields have arrived.
  let streams = Flights<LoadKey, StreamedLoad>()
  /// The bodies that are being stored.
  let downloads = BodyDownloads()

  /// Returns the header fields that the origin will receive.
  func fields(of request: URLRequest) -> RequestFields {
    RequestFields(
      request, through: sessions, cookiesAreUsers: !config.isForOneUser, isShared: isShared)
  }
}
