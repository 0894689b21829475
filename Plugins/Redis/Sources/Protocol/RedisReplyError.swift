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
