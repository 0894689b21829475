#if Server
  import Logging
  import StrataCore

  extension StorageEventKind {
    var logLevel: Logger.Level {
      switch self {
      case .hit, .hitAbsent, .write: .trace
      case .servedStale: .info
      case .reconnection: .notice
      case .failure, .failed, .storeFailed, .timedOut, .abandoned, .leaseLost, .leaseFailed: .warning
      case .damage: .error
      default: .debug
      }
    }

    var logMessage: String {
      switch self {
      case .failure: "a store operation failed"
      case .damage: "damaged data was found"
      case .reconnection: "the connection to the server is back"
      case .failed: "a load failed"
      case .storeFailed: "the inner store failed, and counts as empty"
      case .timedOut: "a caller stopped waiting for a load"
      case .abandoned: "a load takes too long and counts as lost"
      case .servedStale: "a stale value was returned"
      case .leaseLost: "a lease ended before its load, and the value was not stored"
      case .leaseFailed: "no lease could be acquired, and the key was loaded without one"
      default: name.replacing("_", with: " ")
      }
    }
  }
#endif
