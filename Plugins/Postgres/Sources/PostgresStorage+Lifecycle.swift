public import StrataCore

/// Connections are closed before a program ends.
extension PostgresStorage: StorageLifecycle {
  /// Ends all connections of the client, also for other stores that share it. Waiting and later calls throw
  /// `.backendFailed`.
  public func close() { client.close() }
}
