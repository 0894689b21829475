/// How a server tells a store what others have changed, so that memory in front of the store stays true.
///
/// Servers from Redis 6 on can do this, and so can Valkey. Nothing is asked of the server before something stands in
/// front of a store that wants to know.
public enum RedisTracking: Sendable, Hashable {
  /// The server remembers which keys each connection has read, and tells of a change those that have read it. Costs the
  /// server memory for each key and reader, and one message to each reader of a key that changes.
  case reads
  /// The server remembers nothing, and tells of every change in the namespaces of the stores. Costs a message to each
  /// connection for every write, so it is for few machines, few writes, or keys that all of them read.
  case broadcast
  /// The server is not asked to tell of changes: what is in front of a store is as old as it is.
  case off
}
