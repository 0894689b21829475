/// Who a connection is to the server.
public struct RedisCredentials: Sendable {
  /// The name in the server's access list; without one, the default user's.
  public var user: String?
  /// The password, or a token in its place.
  public var password: String?
  /// For how long the server believes them. Before that is over, a connection asks for new ones and says them, without
  /// a break.
  public var life: Duration?

  /// Describes a user.
  public init(user: String? = nil, password: String? = nil, life: Duration? = nil) {
    self.user = user
    self.password = password
    self.life = life
  }
}

/// Says who a connection is, each time that one is made: for passwords and tokens that change.
///
/// ```swift
/// struct Tokens: RedisCredentialsProvider {
///   func credentials() async throws -> RedisCredentials {
///     let token = try await identity.token(for: "redis")
///     return RedisCredentials(user: "cache", password: token.text, life: .seconds(token.seconds))
///   }
/// }
/// ```
///
/// It is asked by several connections at a time, and has `RedisConfig.connectTimeout` to answer. If it throws, the
/// connection is not made, and calls fail as where no server is; the error's words are not repeated, since they may
/// hold secrets.
public protocol RedisCredentialsProvider: Sendable {
  /// Returns who a connection is that is being made, or that has to say so again.
  func credentials() async throws -> RedisCredentials
}

extension RedisCredentialsProvider where Self == RedisCredentialsClosure {
  /// A function as a provider: `config.credentials = .asking { try await token() }`.
  public static func asking(_ ask: @escaping @Sendable () async throws -> RedisCredentials) -> Self {
    RedisCredentialsClosure(ask: ask)
  }
}

/// A function that says who a connection is.
public struct RedisCredentialsClosure: RedisCredentialsProvider {
  fileprivate let ask: @Sendable () async throws -> RedisCredentials

  /// Asks the function.
  public func credentials() async throws -> RedisCredentials { try await ask() }
}

extension RedisCredentials {
  /// What `HELLO` says of them. A name is said even without a password: the server would take us for its default user.
  var introduction: [RedisCommand.Word] {
    if user == nil && password == nil { return [] }
    return ["AUTH", .text(user ?? "default"), .text(password ?? "")]
  }

  /// The command that says them on a connection, if there is something to say.
  var command: RedisCommand? {
    if user == nil && password == nil { return nil }
    // Servers before Redis 6 know no names.
    let name = user.map { [RedisCommand.Word.text($0)] } ?? []
    return RedisCommand("AUTH", name + [.text(password ?? "")], keyIndex: nil)
  }
}
