#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// A store of bytes on a Redis or Valkey server, or a cluster of them, which many processes on many machines share.
///
/// ```swift
/// let sessions = try RedisStorage<UUID>(
///   config: RedisConfig(addresses: [RedisAddress(host: "redis.internal")]), namespace: "sessions",
///   expiry: .seconds(3600))
/// try await sessions.setObject(json, forKey: id)
/// ```
///
/// **Keys** stand on the server as `namespace::key`. They may be any text; keys that the key type cannot read are left
/// out of `keys()`. Stores with different namespaces never see or touch each other's entries. In a cluster the keys of
/// a store spread over all nodes; with a namespace in braces, `{cart}`, they all live on one.
///
/// **Expiry** is kept to the millisecond, by the server, which removes what has expired by itself. Clocks of the
/// machines have to agree as far as that matters to you.
///
/// **Every call** asks the server, takes no longer than `RedisConfig.timeout`, and throws `.backendFailed` if there is
/// no answer by then. A write that throws may have been done all the same: the connection may be lost, or the task
/// cancelled, while the answer is on its way. Calls of all tasks share few connections, and none waits for the answer
/// to another.
///
/// **Batches** go to a server in one go. On one server, `setObjects` and `removeObjects` are done as a whole or not at
/// all; in a cluster each key is on its own.
///
/// A server may lose what it acknowledged, by its own nature: when it is restarted without persistence, when it is full
/// and evicts, or when a replica takes its place that had not heard of a write yet.
public final class RedisStorage<Key: StorageKey>: StorageAware {
  /// A Redis store knows only bytes; types are a matter of the link above it.
  public typealias Value = Data

  /// The servers that the entries are on.
  public let client: RedisClient
  let namespace: Namespace
  let expiry: Expiry
  /// The clock of this machine, by which dates are past or not. Entries expire by that of the server.
  public let clock: StorageClock
  /// Updates of one key by this store stand in line; those by others are found out by the server.
  let updates = KeyOrder<Key>()
  /// Made when somebody wants to hear what others change.
  let announced = Locked<StorageAnnouncer<Key>?>(nil)

  /// A store among those that share a client.
  ///
  /// Throws `.invalidConfiguration` if the namespace is empty, ends with a colon, or has two in a row.
  ///
  /// - Parameters:
  ///   - namespace: What the keys of this store begin with on the server.
  ///   - expiry: When entries expire that are stored without an expiry of their own.
  public convenience init(client: RedisClient, namespace: String, expiry: Expiry = .never) throws {
    try self.init(client: client, namespace: namespace, expiry: expiry, clock: .system)
  }

  init(client: RedisClient, namespace: String, expiry: Expiry, clock: StorageClock) throws {
    self.client = client
    self.namespace = try Namespace(namespace)
    self.expiry = expiry
    self.clock = clock
  }

  /// A store with connections of its own. Nobody is connected to before the first call.
  ///
  /// Throws `.invalidConfiguration` if the namespace is empty, ends with a colon, or has two in a row.
  public convenience init(config: RedisConfig = RedisConfig(), namespace: String, expiry: Expiry = .never)
    throws
  {
    try self.init(client: RedisClient(config: config), namespace: namespace, expiry: expiry)
  }

  /// Sends a command; throws what a server refuses.
  func send(_ command: RedisCommand, reads: Bool = false) async throws -> RESPValue {
    let reply = try await client.replies(to: command, reads: reads).only
    if let refusal = reply.failure { throw StorageError.refusal(refusal, by: nil) }
    return reply
  }

  /// Sends a command that gives an entry a life. Returns the reply, and for how long the entry has to be stored once
  /// more, because its date is past to the server, and it has removed it, though not to us: one of the clocks is wrong.
  func send(_ command: RedisCommand, giving life: Life, to word: RedisCommand.Word) async throws
    -> (reply: RESPValue, again: Life?)
  {
    guard let left = life.left(by: clock) else { return (try await send(command), nil) }
    let reply = try await send(RedisCommand(whole: [command, RedisCommand("PTTL", word)]))
    guard let parts = reply.elements, parts.count == 2 else { throw StorageError.unread(reply) }
    if let refusal = parts[0].failure { throw StorageError.refusal(refusal, by: nil) }
    return (parts[0], parts[1].integer == -2 ? left : nil)
  }

  /// Sends commands, each to the server that has its key; throws what one of them refuses.
  func send(_ commands: [RedisCommand], reads: Bool = false) async throws -> [RESPValue] {
    let replies = try await client.send(commands, reads: reads)
    try Self.check(replies)
    return replies
  }

  /// Throws the first refusal among replies.
  static func check(_ replies: [RESPValue]) throws(StorageError) {
    for reply in replies { if let refusal = reply.failure { throw .refusal(refusal, by: nil) } }
  }
}
