/// The reason why the server sent no reply: the `cause` of a `StorageError` of a Redis store, if the server did not
/// refuse the command.
///
/// ```swift
/// do {
///   try await redis.setObject(bytes, forKey: "ada")
/// } catch let error as StorageError {
///   guard case .timedOut = error.cause as? RedisConnectionError else { throw error }
///   print("the write may have been executed")
/// }
/// ```
public enum RedisConnectionError: Error, Hashable {
  /// No connection could be opened. Nothing was sent.
  case unreachable(String)
  /// The connection ended before the reply arrived. A sent command may have been executed.
  case lost(String)
  /// The call exceeded its timeout. A sent command may have been executed, or may still be.
  case timedOut
  /// The client was closed.
  case closed
  /// The server's bytes do not follow the protocol.
  case malformedReply(String)
  /// The server refused the authentication or another command of the handshake.
  case refused(RedisReplyError)
}
