/// Why there was no reply: the `cause` of a `StorageError` of a Redis store, where it was not the server's own answer.
public enum RedisConnectionError: Error, Hashable {
  /// No connection could be made. Nothing was sent.
  case unreachable(String)
  /// The connection ended before the reply came. What was sent may have been carried out.
  case lost(String)
  /// The call took longer than it may. What was sent may have been carried out, or may still be.
  case timedOut
  /// The client was closed.
  case closed
  /// What the server sent is not the protocol.
  case malformedReply(String)
  /// The server did not let us in.
  case refused(RedisReplyError)
}
