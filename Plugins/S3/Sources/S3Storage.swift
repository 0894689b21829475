#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store of bytes in a bucket of S3, or of a server with its protocol: MinIO, R2, Ceph, SeaweedFS and others.
///
/// ```swift
/// let models = try S3Storage<String>(
///   config: S3Config(bucket: "models", region: "eu-central-1"), prefix: "v1", expiry: .seconds(86_400))
/// try await models.setObject(weights, forKey: "small")
/// ```
///
/// **Keys** may be any text. An object is named `prefix/key`; characters other than letters, digits, `-`, `_` and `.`
/// are escaped. Stores with different prefixes never access each other's entries.
///
/// **Expiry** is stored with each object, to the millisecond. Expired entries are never returned as values, and stay in
/// the bucket until `removeExpiredObjects`, or a lifecycle rule of the bucket, removes them.
///
/// **Every call** is at least one request, and each request takes some ten milliseconds at AWS. Put memory or a disk in
/// front of the store.
///
/// **Consistency**: a read sees all writes that returned before it began, as AWS and most servers guarantee. Writes by
/// this store of one key take effect one after the other; `update`, `setIfAbsent` and `touch` are atomic among all
/// machines, by conditional writes (`If-Match`).
public final class S3Storage<Key: StorageKey>: StorageAware {
  /// The stored type: bytes. A typed view stores other types.
  public typealias Value = Data

  /// The client of the bucket.
  public let client: S3Client
  /// The clock that decides whether entries have expired.
  public let clock: StorageClock
  let names: ObjectNames
  let expiry: Expiry
  /// The expiry of values that are stored without one, and that values can be larger than memory.
  public var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: expiry)
    traits.keepsParts = true
    return traits
  }
  /// Orders the writes of one key through this store. Conditions of the requests detect the writes of other machines.
  let order = KeyOrder<Key>()

  /// Creates a store that shares a client with other stores.
  ///
  /// Throws `.invalidConfiguration` if the prefix has other characters than letters, digits, `-_.~=` and single slashes
  /// between them.
  ///
  /// - Parameters:
  ///   - client: The client of the bucket.
  ///   - prefix: The beginning of the names of this store's objects, without a slash at its end. If it is empty, every
  ///     object of the bucket without a slash in its name is an entry.
  ///   - expiry: The expiry of entries that are stored without one.
  ///   - clock: The clock that decides whether entries have expired.
  public convenience init(
    client: S3Client, prefix: String = "", expiry: Expiry = .never, clock: StorageClock = .system
  ) throws {
    self.init(client: client, names: try ObjectNames(prefix: prefix), expiry: expiry, clock: clock)
  }

  /// Creates a store with its own client.
  ///
  /// Throws `.invalidConfiguration` if the configuration or the prefix is invalid.
  public convenience init(
    config: S3Config, prefix: String = "", expiry: Expiry = .never, clock: StorageClock = .system
  ) throws {
    try self.init(client: S3Client(config: config), prefix: prefix, expiry: expiry, clock: clock)
  }

  private init(client: S3Client, names: ObjectNames, expiry: Expiry, clock: StorageClock) {
    self.client = client
    self.names = names
    self.expiry = expiry
    self.clock = clock
  }

  /// Runs an operation. If it fails, throws an error that names the operation and the key.
  func explaining<R>(_ aim: String, _ key: Key? = nil, _ body: () async throws -> R) async throws -> R {
    do { return try await body() } catch {
      throw error.explained(
        aim, key, at: client.address.place(of: key.map { names.name($0).text } ?? names.prefix))
    }
  }
}
