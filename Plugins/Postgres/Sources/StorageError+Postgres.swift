import StrataCore

extension StorageError {
  /// Returns the error for a server's refusal of a statement.
  static func refusal(_ error: PostgresServerError) -> StorageError {
    let (code, advice) = advice(on: error.sqlState)
    return code.with("\(advice) (\(error.message))", cause: error)
  }

  /// Returns the error for a statement without a reply.
  static func unanswered(_ error: PostgresConnectionError, at place: String) -> StorageError {
    if case .refused(let refusal) = error { return .refusal(refusal).with(place: place, cause: error) }
    let advice =
      switch error {
      case .unreachable, .refused:
        "nothing was sent: check that the server runs, and check its address"
      case .lost: "a write may have been executed or not: read the entry before you repeat it"
      case .timedOut:
        "the statement was cancelled, but may have been executed: read the entry before you repeat it"
      case .closed: "create a new store"
      }
    return .backendFailed.with("\(error); \(advice)", place: place, cause: error)
  }

  /// The error for a result that does not have the expected form.
  static var unread: StorageError {
    .malformedFileAttributes.with(
      "the row was not written by a store of Strata; choose another table, or delete the row")
  }

  private static func advice(on sqlState: String) -> (StorageError, String) {
    switch sqlState {
    case "28P01", "28000":
      (
        .invalidConfiguration,
        "the server does not accept this role with this password; check `user` and `password`"
      )
    case "3D000": (.invalidConfiguration, "the server has no database of this name; create it first")
    case "3F000": (.invalidConfiguration, "the database has no schema of this name; create it first")
    case "42501":
      (.invalidConfiguration, "the role lacks a permission; grant it, or create the table with another role")
    case "42703", "42804", "42P10", "42809":
      (.invalidConfiguration, "the table was not created by Strata; choose another name")
    case "53100": (.backendFailed, "the server's disk is full, and nothing was stored; make room on it")
    case "53200":
      (
        .backendFailed,
        "the server has not enough memory for this statement, and nothing was stored; divide the batch"
      )
    case "53300":
      (.backendFailed, "the server accepts no more connections; lower `connections`, or use a pooler")
    case "54000", "22001": (.tooLarge, "the value is larger than the server can store; divide it")
    case "25006":
      (
        .backendFailed,
        "the server accepts no writes: it is a standby, or set to read-only; connect to the primary"
      )
    case "57P03": (.backendFailed, "the server is starting or shutting down; try again later")
    case "57014": (.backendFailed, "the statement was cancelled, and changed nothing")
    case "22P02", "22021", "22P03":
      (.typeNotMatch, "the stored value is not an integer of 64 bits in decimal digits")
    case "22003": (.typeNotMatch, "the stored value, or the sum, is not an integer of 64 bits")
    default: (.backendFailed, "the server refused the statement")
    }
  }
}
