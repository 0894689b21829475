/// How a server reports changes by other clients, so that memory in front of a store stays coherent.
///
/// ```swift
/// var config = RedisConfig()
/// config.tracking = .broadcast   // Few machines, and all of them read nearly all keys.
/// ```
///
/// Requires Redis 6 or Valkey. Tracking is turned on only when a store in front requests it.
public enum RedisTracking: Sendable, Hashable {
  /// The server remembers which keys each connection has read, and reports changes to those connections. It costs the
  /// server memory per key and reader, and one message per reader of a changed key.
  case reads
  /// The server remembers nothing, and reports every change in the namespaces of the stores. It costs one message per
  /// connection for every write: for few machines, few writes, or keys that all machines read.
  case broadcast
  /// No tracking: memory in front of a store may be stale.
  case off
}
