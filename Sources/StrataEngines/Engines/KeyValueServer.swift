#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A server that stores bytes under names. It is the only part of a backend over a network that its author writes.
///
/// `ServerStorage` is a store over it, and implements keys of any text, expiry, batches, conditional writes, pages of
/// keys, and errors. The server has an address and implements the three functions without a default.
///
/// A name consists of letters, digits and the characters `-._~`, so that it needs no escaping in a URL or a command.
/// Every function may be called by several tasks at once, with at most 100 names or changes. `explained(_:)` converts a
/// thrown error for the user; the key and the address are added.
///
/// ```swift
/// let server = try MemcachedServer(host: "cache.internal")
/// let pages = try ServerStorage<String, MemcachedServer>(server, namespace: "pages")
/// ```
public protocol KeyValueServer: Sendable {
  /// The address of the server, as shown in errors.
  var address: String { get }

  /// The maximum length of a name, at least 100. By default there is no limit.
  ///
  /// `ServerStorage` stores an entry with a longer name under the SHA-256 of its key, with the key in the record.
  var longestName: Int { get }

  /// The maximum length of a record, in bytes. By default there is no limit.
  ///
  /// A longer record throws `.tooLarge`. A record is about 10 bytes longer than its value.
  var longestRecord: Int { get }

  /// Returns the records of some names, in the order of the names, with `nil` for a name without a record.
  func read(_ names: [String]) async throws -> [ServerRecord?]

  /// Makes changes, each atomically, and returns for each whether it was made.
  ///
  /// A change with a condition is made if the condition holds at that moment. If the connection is lost and it is
  /// unknown whether a change was made, throw: a change must not be made twice. A removal of an absent record is made.
  func write(_ changes: [ServerChange]) async throws -> [Bool]

  /// Returns a page of the names that begin with a prefix, and the cursor of the next page. Without a cursor returns
  /// the first page.
  ///
  /// A page may have any number of names, in any order. A name that is stored during the whole listing is on one page,
  /// once.
  func names(beginning prefix: String, after cursor: KeyCursor?) async throws -> KeyPage<ServerName>

  /// Returns the store's error for an error of the server. By default `.backendFailed`, with the server's error as the
  /// cause.
  func explained(_ error: any Error) -> StorageError
}

extension KeyValueServer {
  /// No limit.
  public var longestName: Int { .max }

  /// No limit.
  public var longestRecord: Int { .max }

  /// Returns `.backendFailed`, with the server's error as the cause.
  public func explained(_ error: any Error) -> StorageError { .backendFailed.with("\(error)", cause: error) }
}

/// A record as a server stores it.
///
/// ```swift
/// let record = ServerRecord(bytes: json, version: "17")
/// ```
public struct ServerRecord: Sendable {
  /// The bytes of the record.
  public let bytes: Data
  /// The version of the record, different for each of its states: for example memcached's CAS number, or an ETag.
  public let version: String

  /// Creates a record.
  public init(bytes: Data, version: String) {
    self.bytes = bytes
    self.version = version
  }
}

/// A name that a server lists.
///
/// ```swift
/// let name = ServerName("pages~~index", mayExpire: false)
/// ```
public struct ServerName: Sendable, Hashable {
  /// The name.
  public let text: String
  /// Whether the record has a lifetime. If so, its store has to read it to find out whether it has expired.
  public let mayExpire: Bool

  /// Creates a name. If the server does not list whether records have a lifetime, pass `true` for `mayExpire`.
  public init(_ text: String, mayExpire: Bool = true) {
    self.text = text
    self.mayExpire = mayExpire
  }
}

/// A record that a server is to store or to remove.
///
/// ```swift
/// let first = ServerChange(name: "pages~~index", record: json, condition: .absent)
/// let removal = ServerChange(name: "pages~~index", record: nil)
/// ```
public struct ServerChange: Sendable {
  /// A condition on the stored record; the change is made only if it holds.
  public enum Condition: Sendable, Hashable {
    /// Nothing is stored.
    case absent
    /// The record with this version is stored.
    case version(String)
  }

  /// The name of the record.
  public let name: String
  /// The bytes to store under the name, or `nil` to remove the record.
  public let record: Data?
  /// The number of seconds for which the server must keep the record; `nil` for as long as possible.
  ///
  /// It is a minute longer than the lifetime of the entry, since the clocks of machines differ; the date in the record
  /// decides. It is never more than ten years.
  public let lifetime: Int?
  /// The condition on the stored record; `nil` for an unconditional change.
  public let condition: Condition?

  /// Creates a change.
  public init(name: String, record: Data?, lifetime: Int? = nil, condition: Condition? = nil) {
    self.name = name
    self.record = record
    self.lifetime = lifetime
    self.condition = condition
  }
}
