import StrataCore

extension StorageError {
  // These errors reuse the codes of other stores' errors: a code is identified by its name.

  /// Returns the error for an invalid configuration.
  static func unusable(_ message: String) -> StorageError {
    .invalidConfiguration.with(message)
  }

  /// Returns the error for a closed client.
  static func closed(_ address: RedisAddress?) -> StorageError {
    .backendFailed.with(
      "the client of the servers was closed", place: address?.description, cause: RedisConnectionError.closed)
  }

  /// Returns the error for servers of which none is a primary. `address` is the server that answered.
  static func readOnly(_ address: RedisAddress) -> StorageError {
    refusal(RedisReplyError("READONLY it is a replica"), by: address)
  }

  /// Returns the error for a key whose slot no node serves.
  static func unserved(_ address: RedisAddress?) -> StorageError {
    .backendFailed.with(
      "no node of the cluster serves the slot of this key, and none took it over within the time of a call",
      place: address?.description, cause: RedisReplyError("CLUSTERDOWN Hash slot not served"))
  }

  /// Returns the error for a server's refusal of a command.
  static func refusal(_ error: RedisReplyError, by address: RedisAddress?) -> StorageError {
    let (failure, advice) = advice(on: error)
    return failure.with("\(advice) (\(error.message))", place: address?.description, cause: error)
  }

  private static func advice(on error: RedisReplyError) -> (StorageError, String) {
    switch error.code {
    case "OOM":
      (
        .backendFailed,
        "the server's memory is full, and nothing was stored; raise its `maxmemory`, store less, or let it evict by a "
          + "`maxmemory-policy` such as allkeys-lfu"
      )
    case "LOADING": (.backendFailed, "the server has just started and loads its data; try again later")
    case "READONLY":
      (
        .backendFailed,
        "the server is a replica and accepts no writes; name its primary in the configuration as well"
      )
    case "MISCONF":
      (
        .backendFailed,
        "the server cannot save its data to disk, and accepts no writes until it can; see its log"
      )
    case "NOREPLICAS":
      (
        .backendFailed,
        "the server has too few connected replicas to accept writes, by its `min-replicas-to-write`"
      )
    case "NOAUTH":
      (.invalidConfiguration, "the server demands a password; set `password`, and `user` if it has one")
    case "WRONGPASS":
      (.invalidConfiguration, "the server refused this user and password; check `user` and `password`")
    case "NOPERM":
      (
        .invalidConfiguration,
        "the server does not allow this command to the user; grant it with ACL SETUSER"
      )
    case "WRONGTYPE":
      (
        .malformedFileAttributes,
        "the stored value is not a string, so it was not written by a store of Strata; use another "
          + "namespace, or remove it"
      )
    case "TOOLARGE":
      (
        .tooLarge,
        "the server's reply takes more memory than `maximumReplySize` in the configuration, and was discarded; raise it"
      )
    case "TOOOLD": (.invalidConfiguration, "the server is too old: Redis 6.2 or newer is required")
    case "CLUSTERDOWN":
      (.backendFailed, "the cluster does not serve this key at present; see its `CLUSTER INFO`")
    case "MOVED", "ASK":
      (
        .backendFailed,
        "the server is a node of a cluster, but the user may not query its slots; allow CLUSTER SHARDS"
      )
    default: (.backendFailed, "the server refused the command")
    }
  }

  /// Whether the error reports a server that did not answer, rather than a refusal.
  var isAboutConnection: Bool {
    guard let cause = cause as? RedisConnectionError else { return false }
    if case .refused = cause { return false }
    return true
  }
}

extension RedisClient {
  /// Returns an error for users of the store, with the operation and the key added.
  ///
  /// It does not wrap the operation in a closure: each function that awaits needs a separate frame, which is noticeable
  /// in a call of a microsecond.
  func explained(_ error: any Error, _ aim: String, _ key: (any Sendable)? = nil) -> any Error {
    guard var error = error as? StorageError else { return error }
    if case .refused(let refusal)? = error.cause as? RedisConnectionError {
      error = .refusal(refusal, by: nil).with(place: error.place)
    }
    if error == .notFound { return error.with(key: key) }
    return error.with(
      "cannot \(aim): \(error.message)", key: key, place: error.place ?? config.servers.first?.description)
  }
}
