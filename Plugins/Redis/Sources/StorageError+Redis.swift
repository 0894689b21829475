import StrataCore

extension StorageError {
  // The codes are those that other stores use; a code is its name.

  /// A store was described in a way that cannot work.
  static func unusable(_ message: String) -> StorageError {
    .invalidConfiguration.with(message)
  }

  /// The client was closed.
  static func closed(_ address: RedisAddress?) -> StorageError {
    .backendFailed.with(
      "the client of the servers was closed", place: address?.description, cause: RedisConnectionError.closed)
  }

  /// Of several servers, the one that answered takes no writes.
  static func readOnly(_ address: RedisAddress) -> StorageError {
    refusal(RedisReplyError("READONLY it is a replica"), by: address)
  }

  /// Nobody serves the slot of a key.
  static func unserved(_ address: RedisAddress?) -> StorageError {
    .backendFailed.with(
      "no node of the cluster serves the slot of this key, and none came to within the time that a call may take",
      place: address?.description, cause: RedisReplyError("CLUSTERDOWN Hash slot not served"))
  }

  /// What a server said instead of doing what it was asked.
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
    case "LOADING": (.backendFailed, "the server has just been started and loads its data; try again later")
    case "READONLY":
      (
        .backendFailed,
        "the server is a replica and takes no writes; name its primary in the configuration as well"
      )
    case "MISCONF":
      (
        .backendFailed,
        "the server cannot save its data to its disk, and takes no writes until it can; see its log"
      )
    case "NOREPLICAS":
      (
        .backendFailed,
        "the server has too few replicas at hand to take writes, by its `min-replicas-to-write`"
      )
    case "NOAUTH":
      (.invalidConfiguration, "the server demands a password; set `password`, and `user` if it has one")
    case "WRONGPASS": (.invalidConfiguration, "the server does not know this user with this password")
    case "NOPERM":
      (
        .invalidConfiguration,
        "the server does not allow this to the user; extend the user's rights by ACL SETUSER"
      )
    case "WRONGTYPE":
      (.malformedFileAttributes, "what is stored under the key is no string, so no store of Strata wrote it")
    case "TOOLARGE":
      (
        .tooLarge,
        "the server's reply takes more memory than `maximumReplySize` in the configuration; it was dropped"
      )
    case "CLUSTERDOWN":
      (.backendFailed, "the cluster does not serve this key at present; see its `CLUSTER INFO`")
    case "MOVED", "ASK":
      (
        .backendFailed,
        "the server is a node of a cluster, but does not let us ask for its slots; allow CLUSTER SHARDS"
      )
    default: (.backendFailed, "the server refused")
    }
  }

  /// Whether it says that a server did not answer, and not what a server answered.
  var isAboutConnection: Bool {
    guard let cause = cause as? RedisConnectionError else { return false }
    if case .refused = cause { return false }
    return true
  }
}

extension RedisClient {
  /// What happened, as a user of the store can understand it.
  ///
  /// No function around the call: each one that waits has a frame of its own, and a call of a microsecond feels it.
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
