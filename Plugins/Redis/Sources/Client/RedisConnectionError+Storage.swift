import StrataCore

extension RedisConnectionError: CustomStringConvertible {
  /// The error as a clause of a sentence.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the server cannot be reached: \(reason)"
    case .lost(let reason): "the connection was lost: \(reason)"
    case .timedOut: "the server did not answer in time"
    case .closed: "the client was closed"
    case .malformedReply(let reason): "the server sent an invalid reply: \(reason)"
    case .refused(let error): "the server refused the connection: \(error)"
    }
  }

  /// Returns the error for users of a store, with advice.
  func storageError(at address: RedisAddress) -> StorageError {
    .backendFailed.with("\(self)\(advice)", place: address.description, cause: self)
  }

  private var advice: String {
    switch self {
    case .unreachable: "; nothing was sent: check that the server runs, and check its address"
    case .lost: "; a write may or may not have been executed: read the entry before you repeat it"
    case .timedOut: "; a write may still be executed: read the entry before you repeat it"
    case .closed: "; create a new store"
    case .malformedReply:
      "; check that a Redis server listens at this address, with TLS if the client uses it"
    case .refused(let error):
      switch error.code {
      case "NOAUTH": "; the server demands a password: set it in the configuration"
      case "WRONGPASS": "; the user or the password is wrong, or the user is disabled"
      case "NOPERM": "; the user lacks the permission: see the server's access list"
      default: ""
      }
    }
  }
}
