/// What is said on a new connection before any call: who we are, which database, and in which version of the protocol.
///
/// RESP3, or RESP2 with a server that knows no other.
struct Handshake: Sendable {
  /// What follows from a reply.
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
  /// How many replies are still to come; `nil` while the first one is.
  private var missing: Int?
  /// What the server knows the connection by, if it has said so.
  private(set) var identity: ServerIdentity?

  init(_ config: RedisConfig, _ credentials: RedisCredentials, greeting: [RedisCommand]) {
    self.config = config
    self.credentials = credentials
    self.greeting = greeting
  }

  /// The first command.
  var first: RedisCommand {
    var words: [RedisCommand.Word] = [3]
    words += credentials.introduction
    if let name = config.clientName { words += ["SETNAME", .text(name)] }
    return RedisCommand("HELLO", words, keyIndex: nil)
  }

  /// What to do after the next reply.
  mutating func receive(_ reply: RESPValue) -> Step {
    guard let missing else {
      switch reply {
      case .error(let error) where error.isUnknownProtocol: return send(introduction + selection)
      case .error(let error): return .refused(error)
      default: return send(selection)
      }
    }
    if missing == 1 {
      // The last one only helps: a user who may not ask, or an old server, does without.
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

  /// What the first command says, for servers that do not understand it.
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
  /// Whether the server does not know RESP3, or not even the command that asks for it.
  fileprivate var isUnknownProtocol: Bool {
    code == "NOPROTO" || code == "ERR" && message.lowercased().contains("unknown command")
  }
}
