#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import StrataNetwork

/// A store of bytes on a Redis or Valkey server, or a cluster of them, shared by processes on many machines.
///
/// ```swift
/// let sessions = try RedisStorage<UUID>(
///   config: RedisConfig(addresses: [RedisAddress(host: "redis.internal")]), namespace: "sessions",
///   expiry: .seconds(3600))
/// try await sessions.setObject(json, forKey: id)
/// ```
///
/// **Keys** are stored on the server as `namespace::key`. They may be any text; `keys()` omits keys that the key type
/// cannot decode. Stores with different namespaces never access each other's entries. In a cluster the keys of a store
/// are spread over all nodes; a namespace in braces, `{cart}`, keeps them on one.
///
/// **Expiry** has a resolution of a millisecond. The server removes expired entries itself. The machines' clocks must
/// be synchronized to the precision that you need.
///
/// **Every call** is sent to the server, takes at most `RedisConfig.timeout`, and throws `.backendFailed` if there is
/// no reply by then. A write that throws may still have been executed: the connection may be lost, or the task
/// cancelled, before the reply arrives. Calls of all tasks share few connections and are pipelined: no call waits for
/// the reply to another.
///
/// **Batches** are sent to a server together. On one server, `setObjects` and `removeObjects` are atomic; in a cluster
/// each key is independent.
///
/// A server may lose acknowledged writes: when it is restarted without persistence, when it is full and evicts, or when
/// a replica that has not received a write takes over.
public final class RedisStorage<Key: StorageKey>: StorageAware {
  /// The type of stored values: bytes. A typed view adds other types.
  public typealias Value = Data

  /// The client of the servers that store the entries.
  public let client: RedisClient
  let namespace: Namespace
  let expiry: Expiry
  /// The expiry of values that are stored without one, and that large values are stored in parts.
  public var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: expiry, reporter: reporter)
    traits.keepsParts = true
    return traits
  }
  private let reporter = TierReporter<Key>("redis", timing: .all)
  /// The clock of this machine, which determines whether dates are past. Entries expire by the server's clock.
  public let clock: StorageClock
  /// Updates of one key through this store take turns; the server detects conflicts with other clients.
  let updates = KeyOrder<Key>()
  /// The source of invalidations for stores in front, created when the first of them requests it.
  let announced = Locked<InvalidationSource<Key>?>(nil)

  /// Creates a store that shares a client with other stores.
  ///
  /// Throws `.invalidConfiguration` if the namespace is empty, ends with a colon, or has two in a row.
  ///
  /// - Parameters:
  ///   - client: The connections to the server.
  ///   - namespace: The prefix of this store's keys on the server.
  ///   - expiry: The expiry of entries that are stored without one.
  public convenience init(client: RedisClient, namespace: String, expiry: Expiry = .never) throws {
    try self.init(client: client, namespace: namespace, expiry: expiry, clock: .system)
  }

  init(client: RedisClient, namespace: String, expiry: Expiry, clock: StorageClock) throws {
    self.client = client
    self.namespace = try Namespace(namespace)
    self.expiry = expiry
    self.clock = clock
    client.reconnections.report(to: reporter)
  }

  /// Creates a store with its own client. It connects at the first call.
  ///
  /// Throws `.invalidConfiguration` if the namespace is empty, ends with a colon, or has two in a row.
  public convenience init(config: RedisConfig = RedisConfig(), namespace: String, expiry: Expiry = .never)
    throws
  {
    try self.init(client: RedisClient(config: config), namespace: namespace, expiry: expiry)
  }

  /// Sends a command. Throws the server's refusal.
  func send(_ command: RedisCommand, reads: Bool = false) async throws -> RESPValue {
    let reply = try await client.replies(to: command, reads: reads).only
    if let refusal = reply.failure { throw StorageError.refusal(refusal, by: nil) }
    return reply
  }

  /// Sends a command that sets an entry's expiry, and returns the reply. If the date is past by the server's clock
  /// only, the server has removed the entry: then it also returns the duration with which the entry must be stored
  /// again.
  func send(_ command: RedisCommand, giving life: Life, to word: RedisCommand.Word) async throws
    -> (reply: RESPValue, again: Life?)
  {
    guard let left = life.left(by: clock) else { return (try await send(command), nil) }
    let reply = try await send(RedisCommand(whole: [command, RedisCommand("PTTL", word)]))
    guard let parts = reply.elements, parts.count == 2 else { throw StorageError.unread(reply) }
    if let refusal = parts[0].failure { throw StorageError.refusal(refusal, by: nil) }
    return (parts[0], parts[1].integer == -2 ? left : nil)
  }

  /// Sends commands, each to the server of its key. Throws the first refusal.
  func send(_ commands: [RedisCommand], reads: Bool = false) async throws -> [RESPValue] {
    let replies = try await client.send(commands, reads: reads)
    try Self.check(replies[...])
    return replies
  }

  /// Throws the first refusal among replies.
  static func check(_ replies: ArraySlice<RESPValue>) throws(StorageError) {
    for reply in replies { if let refusal = reply.failure { throw .refusal(refusal, by: nil) } }
  }
}
