/// An error reply of a server: the `cause` of a `StorageError` of a Redis store.
///
/// ```swift
/// do {
///   try await redis.setObject(bytes, forKey: "ada")
/// } catch let error as StorageError {
///   if let reply = error.cause as? RedisReplyError { print(reply.code) }   // "OOM": Redis has no memory left.
/// }
/// ```
public struct RedisReplyError: Error, Hashable, CustomStringConvertible {
  /// The first word, which identifies the error: `WRONGTYPE`, `OOM`, `MOVED`. If a server discards a transaction
  /// (`EXECABORT`) because of another error, it is the word of that error.
  public let code: String
  /// The server's complete message, including the code.
  public let message: String

  /// Creates an error from the server's message.
  init(_ message: String) {
    self.message = message
    let reason = message.hasPrefix(Self.discarded) ? message.dropFirst(Self.discarded.count) : message[...]
    code = String(reason.prefix { $0 != " " })
  }

  /// The same as `message`.
  public var description: String { message }
}

extension RedisReplyError {
  /// The reply to `EXEC` begins with this if the server has become a replica, or has no memory left, since the commands
  /// of the transaction were queued.
  private static let discarded = "EXECABORT Transaction discarded because of: "

  /// Returns the error that replaces a reply larger than the limit.
  static func tooLarge(_ limit: Int) -> RedisReplyError {
    RedisReplyError("TOOLARGE the reply takes more than \(limit) bytes")
  }

  /// The server's error for a string command on a value of another type.
  static let wrongType = RedisReplyError("WRONGTYPE Operation against a key holding the wrong kind of value")
}
