/// A server's refusal of a statement: the `cause` of a `StorageError` of a PostgreSQL store.
///
/// ```swift
/// do {
///   try await rows.setObject(bytes, forKey: "ada")
/// } catch let error as StorageError {
///   if let refusal = error.cause as? PostgresServerError { print(refusal.sqlState) }   // "42501": no permission.
/// }
/// ```
public struct PostgresServerError: Error, Hashable, CustomStringConvertible {
  /// The code of the error, SQLSTATE, five letters or digits.
  public let sqlState: String
  /// The server's message. The details, which may contain values, are omitted.
  public let message: String

  init(_ sqlState: String, _ message: String) {
    self.sqlState = sqlState
    self.message = message
  }

  /// The message and the code.
  public var description: String { "\(message) (SQLSTATE \(sqlState))" }
}

/// The reason why the server sent no reply: the `cause` of a `StorageError` of a PostgreSQL store, if the server did
/// not refuse the statement.
///
/// ```swift
/// do {
///   try await rows.setObject(bytes, forKey: "ada")
/// } catch let error as StorageError {
///   guard case .timedOut = error.cause as? PostgresConnectionError else { throw error }
///   print("the write may have been executed")
/// }
/// ```
public enum PostgresConnectionError: Error, Hashable {
  /// No connection could be opened. Nothing was sent.
  case unreachable(String)
  /// The server refused the connection, for example the password. Nothing was sent.
  case refused(PostgresServerError)
  /// The connection ended before the reply arrived. A sent statement may have been executed.
  case lost(String)
  /// The call exceeded its timeout. A sent statement may have been executed.
  case timedOut
  /// The client was closed.
  case closed
}

extension PostgresConnectionError: CustomStringConvertible {
  /// The error as a clause of a sentence.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the server cannot be reached: \(reason)"
    case .refused(let error): "the server refused the connection: \(error)"
    case .lost(let reason): "the connection was lost: \(reason)"
    case .timedOut: "the server did not answer in time"
    case .closed: "the client was closed"
    }
  }
}
