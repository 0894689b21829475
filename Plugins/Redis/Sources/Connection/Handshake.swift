/// The commands on a new connection before any call: protocol version, authentication, and the selection of the
/// database.
///
/// It uses RESP3, or RESP2 if the server does not support RESP3.
struct Handshake: Sendable {
  /// The next action after a reply.
  enum Step: Sendable, Hashable {
    case wait
    case send([RedisCommand])
    /// Calls may be sent now.
    case ready
    case refused(RedisReplyError)
  }

  private let config: RedisConfig
  private let credentials: RedisCredentials
  private let greeting: [RedisCommand]
  /// The number of outstanding replies; `nil` before the first one.
  private var missing: Int?
  /// The server's identifier of the connection, if it is known.
  private(set) var identity: ServerIdentity?

  init(_ config: RedisConfig, _ credentials: RedisCredentials, greeting: [RedisCommand]) {
    self.config = config
    self.credentials = credentials
    self.greeting = greeting
  }

  /// The first command of the handshake: `HELLO`, with the credentials and the client's name.
  var first: RedisCommand {
    var words: [RedisCommand.Word] = [3]
    words += credentials.introduction
    if let name = config.clientName { words += ["SETNAME", .text(name)] }
    return RedisCommand("HELLO", words, keyIndex: nil)
  }

  /// Returns the action after the next reply.
  mutating func receive(_ reply: RESPValue) -> Step {
    guard let missing else {
      switch reply {
      case .error(let error) where error.isUnknownProtocol: return send(introduction + selection)
      case .error(let error): return .refused(error)
      default:
        if let tooOld = RedisReplyError.tooOld(reply) { return .refused(tooOld) }
        return send(selection)
      }
    }
    if missing == 1 {
      // The last reply is optional: the user may lack the permission, or the server may be old.
      identity = ServerIdentity(reply)
    } else if let error = reply.failure {
      return .refused(error)
    }
    self.missing = missing - 1
    return missing == 1 ? .ready : .wait
  }

  private mutating func send(_ commands: [RedisCommand]) -> Step {
    missing = commands.count
    return commands.isEmpty ? .ready : .send(commands)
  }

  /// The commands that replace the first one for servers that do not support it.
  private var introduction: [RedisCommand] {
    var commands: [RedisCommand] = []
    if let command = credentials.command { commands.append(command) }
    if let name = config.clientName {
      commands.append(RedisCommand("CLIENT", "SETNAME", .text(name), keyIndex: nil))
    }
    return commands
  }

  private var selection: [RedisCommand] {
    let database = config.database
    return (database == 0 ? [] : [RedisCommand("SELECT", .integer(database), keyIndex: nil)]) + greeting
      + [RedisCommand("CLIENT", "INFO", keyIndex: nil)]
  }
}

extension RedisReplyError {
  /// Whether the server supports neither RESP3 nor the command that requests it.
  fileprivate var isUnknownProtocol: Bool {
    code == "NOPROTO" || code == "ERR" && message.lowercased().contains("unknown command")
  }

  /// Returns the refusal of a Redis server before 6.2, by its reply to `HELLO`: it lacks options of `SET`, and each
  /// write would fail with a syntax error. Other servers number their versions differently.
  fileprivate static func tooOld(_ greeting: RESPValue) -> RedisReplyError? {
    guard greeting["server"]?.text == "redis", let version = greeting["version"]?.text else { return nil }
    let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
    guard numbers.count == 2, (numbers[0], numbers[1]) < (6, 2) else { return nil }
    return RedisReplyError("TOOOLD Redis \(version)")
  }
}
