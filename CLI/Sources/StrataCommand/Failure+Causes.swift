import StrataCore
import StrataKeychain
import StrataPostgres
import StrataRedis
import StrataS3
import StrataSQLite

extension Failure {
  /// Returns the exit status for an error of the library. The cause is examined first: the error alone does not
  /// distinguish a refusal by a server from a busy server.
  static func code(of error: StorageError) -> ExitCode {
    if let cause = error.cause, let code = code(of: cause) { return code }
    switch error {
    case .notFound: return .notFound
    case .malformedFileAttributes: return .damage
    case .readOnly, .denied, .locked, .wrongKey, .quotaExceeded, .newerFormat: return .refused
    case .busy, .deadlock: return .busy
    case .invalidConfiguration: return .usage
    default: break
    }
    let text = text(of: error)
    // RocksDB reports a lock that another process holds only by its message.
    if text.contains("another process has it open") { return .busy }
    if ["Permission denied", "Read-only file system", "not permitted"].contains(where: text.contains) {
      return .refused
    }
    return .failed
  }

  private static func code(of cause: any Error) -> ExitCode? {
    switch cause {
    case let cause as SQLiteError: code(of: cause)
    case RedisConnectionError.timedOut, PostgresConnectionError.timedOut: .busy
    case RedisConnectionError.refused: .refused
    case PostgresConnectionError.refused(let refusal): code(of: refusal)
    case let cause as RedisReplyError: code(of: cause)
    case let cause as PostgresServerError: code(of: cause)
    case let cause as S3Error: code(of: cause)
    case let cause as S3ConnectionError where cause.reason == .timedOut: .busy
    default: nil
    }
  }

  private static func code(of cause: SQLiteError) -> ExitCode? {
    switch cause.code {
    case 5, 6: .busy
    case 3, 8, 23: .refused
    default: nil
    }
  }

  private static func code(of cause: RedisReplyError) -> ExitCode? {
    switch cause.code {
    case "BUSY", "LOADING", "TRYAGAIN", "MASTERDOWN", "CLUSTERDOWN": .busy
    case "NOAUTH", "NOPERM", "WRONGPASS", "READONLY", "OOM", "DENIED": .refused
    default: nil
    }
  }

  private static func code(of cause: PostgresServerError) -> ExitCode? {
    switch cause.sqlState {
    // The database or the schema does not exist.
    case "3D000", "3F000": .notFound
    // Cancelled after a timeout, too many connections, starting or shutting down, a lock that is held.
    case "57014", "53300", "57P03", "55P03": .busy
    // A wrong password, a missing privilege, a read-only standby.
    case "28P01", "28000", "42501", "25006": .refused
    default: nil
    }
  }

  private static func code(of cause: S3Error) -> ExitCode? {
    switch (cause.status, cause.code) {
    case (_, "NoSuchBucket"): .notFound
    case (429, _), (503, _): .busy
    case (401, _), (403, _): .refused
    default: nil
    }
  }
}
