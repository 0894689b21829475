/// One or several commands that are sent to a server together.
enum RedisParcel: Sendable {
  case one(RedisCommand)
  case many([RedisCommand])

  /// All commands, in order.
  var commands: [RedisCommand] {
    switch self {
    case .one(let command): [command]
    case .many(let commands): commands
    }
  }

  /// Whether one of the commands changes data.
  var isWrite: Bool {
    switch self {
    case .one(let command): !command.isIdempotent
    case .many(let commands): !commands.allSatisfy(\.isIdempotent)
    }
  }

  /// The key that selects the connection of a single write.
  var keyOfWrite: ArraySlice<UInt8>? {
    guard case .one(let command) = self, !command.isIdempotent else { return nil }
    return command.key
  }

  /// The keys that are written; `nil` if they are not known.
  var keysWritten: [Fence.Key]? {
    switch self {
    case .one(let command): keyOfWrite.map { _ in [command].keysWritten }
    case .many(let commands): commands.keysWritten
    }
  }
}
