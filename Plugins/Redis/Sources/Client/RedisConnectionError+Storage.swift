import StrataCore

extension RedisConnectionError: CustomStringConvertible {
  /// The error in a sentence.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the server cannot be reached: \(reason)"
    case .lost(let reason): "the connection was lost: \(reason)"
    case .timedOut: "the server did not answer in time"
    case .closed: "the client was closed"
    case .malformedReply(let reason): "the server sent what is no reply: \(reason)"
    case .refused(let error): "the server did not let us in: \(error)"
    }
  }

  /// Returns the error for users of a store, with advice.
  func storageError(at address: RedisAddress) -> StorageError {
    .backendFailed.with("\(self)\(advice)", place: address.description, cause: self)
  }

  private var advice: String {
    switch self {
    case .unreachable: "; nothing was sent: see whether it runs, and whether the address is right"
    case .lost: "; what was asked for may have been done or not: read it before you do it again"
    case .timedOut: "; what was asked for may still be done: read it before you do it again"
    case .closed: "; make a new store"
    case .malformedReply: "; see whether a Redis server listens at this address, with TLS if we use it"
    case .refused(let error):
      switch error.code {
      case "NOAUTH": "; it demands a password: set it in the configuration"
      case "WRONGPASS": "; user and password are not right, or the user is turned off"
      case "NOPERM": "; the user may not do this: see the server's access list"
      default: ""
      }
    }
  }
}
