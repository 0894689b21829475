/// What a server answered instead of doing what it was asked: the `cause` of a `StorageError` of a Redis store.
public struct RedisReplyError: Error, Hashable, CustomStringConvertible {
  /// The first word, by which programs tell errors apart: `WRONGTYPE`, `OOM`, `MOVED`.
  public let code: String
  /// All that the server said, the code included.
  public let message: String

  /// An error as the server sent it.
  init(_ message: String) {
    self.message = message
    code = String(message.prefix { $0 != " " })
  }

  /// The same as `message`.
  public var description: String { message }
}

extension RedisReplyError {
  /// What we say in place of a server whose reply takes more memory than it may.
  static func tooLarge(_ limit: Int) -> RedisReplyError {
    RedisReplyError("TOOLARGE a reply that takes more than \(limit) bytes")
  }

  /// What a server says of a command for text on what is something else.
  static let wrongType = RedisReplyError("WRONGTYPE Operation against a key holding the wrong kind of value")
}
